// Functions that are made of several instructions, and those that only promise something about a number.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "runtime/frontend/lowering.h"

namespace qd::frontend {

using ir::BinaryOp;
using ir::InstId;
using ir::Op;
using ir::Type;
using ir::UnaryOp;
using syntax::Range;

Item Lowering::more_functions(const BuiltinInfo& info, const std::vector<Item>& args, const Range& range) {
  if (info.kind == BuiltinKind::Randn) {
    auto type = args.empty() ? std::optional(options_.default_fp) : dtype_argument(args[0], range);
    if (!type) return Poison{};
    if (!ir::is_float(*type))
      return error(ErrorKind::Type, range, "`randn` gives floats: its dtype is f16, f32 or f64");
    return normal_random(*type);
  }
  auto type = number_type(args[0], range);
  if (!type) return Poison{};
  if (info.kind == BuiltinKind::Zero || info.kind == BuiltinKind::One) {
    return Number{constant(*type, Value(int64_t{info.kind == BuiltinKind::One})), *type};
  }
  if (!ir::is_float(*type)) type = options_.default_fp;
  Number x{*coerce(args[0], *type, range), *type};
  if (info.kind == BuiltinKind::Frexp) return frexp(x);
  if (info.kind == BuiltinKind::Exp2) {
    InstId two = constant(*type, Value(2.0));
    return Number{build_.binary(BinaryOp::Pow, two, x.id), *type};
  }
  InstId logarithm = build_.unary(UnaryOp::Log, x.id);
  InstId factor = constant(*type, Value(std::numbers::log2e));
  return Number{build_.binary(BinaryOp::Mul, logarithm, factor), *type};
}

/// x = mantissa * 2**exponent with the mantissa in [0.5, 1): taken from the bits. Zero, infinities and NaN are their
/// own mantissa.
Item Lowering::frexp(const Number& number) {
  const bool wide = number.type == Type::F64;
  const Type type = wide ? Type::F64 : Type::F32, word = wide ? Type::I64 : Type::I32;
  const int64_t fraction = wide ? 52 : 23, bias = wide ? 1022 : 126, mask = wide ? 0x7ff : 0xff;
  auto whole = [&](int64_t value) { return constant(word, Value(value)); };
  auto real = [&](double value) { return constant(type, Value(value)); };
  InstId x = build_.cast(type, number.id);
  // Subnormal numbers become normal ones first.
  InstId size = build_.unary(UnaryOp::Abs, x);
  InstId smallest = real(wide ? 0x1p-1022 : 0x1p-126);
  InstId small = build_.compare(ir::CompareOp::Lt, size, smallest);
  InstId larger = build_.binary(BinaryOp::Mul, x, real(wide ? 0x1p54 : 0x1p25));
  InstId scaled = build_.inst(Op::Select, type, {small, larger, x});
  InstId bits = build_.inst(Op::BitCast, word, {scaled});
  InstId shifted = build_.binary(BinaryOp::LogicalShr, bits, whole(fraction));
  InstId field = build_.binary(BinaryOp::BitAnd, shifted, whole(mask));
  InstId own = build_.binary(BinaryOp::Sub, field, whole(bias));
  InstId moved = whole(wide ? 54 : 25);
  InstId nothing = whole(0);
  InstId exponent = build_.binary(BinaryOp::Sub, own, build_.inst(Op::Select, word, {small, moved, nothing}));
  InstId rest = build_.binary(BinaryOp::BitAnd, bits, whole(~(mask << fraction)));
  InstId half = build_.binary(BinaryOp::BitOr, rest, whole(bias << fraction));
  InstId mantissa = build_.inst(Op::BitCast, type, {half});
  InstId zero = build_.compare(ir::CompareOp::Eq, x, real(0));
  InstId special = build_.compare(ir::CompareOp::Eq, field, whole(mask));
  InstId itself = build_.binary(BinaryOp::BitOr, zero, special);
  InstId result = build_.inst(Op::Select, type, {itself, x, mantissa});
  InstId power = build_.inst(Op::Select, word, {itself, nothing, exponent});
  Items both;
  both.list.push_back(Number{build_.cast(number.type, result), number.type});
  both.list.push_back(Number{build_.cast(Type::I32, power), Type::I32});
  return both;
}

/// fns(mask, base, offset), as CUDA's __fns: the position of a set bit of 32, counted from `base` on, up when `offset`
/// is positive (1: the first one), down when it is negative; with 0 `base` itself, if it is set. -1 when there is none.
Item Lowering::find_set_bit(const std::vector<Item>& args, const Range& range) {
  for (size_t i = 0; i < args.size(); ++i) {
    auto type = number_type(args[i], range);
    if (!type) return Poison{};
    if (!ir::is_integer(*type))
      return error(ErrorKind::Type, range, fmt::format("`fns` takes integers, not {}", with_article(*type)));
  }
  InstId given = *coerce(args[0], Type::U32, range);
  InstId base = *coerce(args[1], Type::I32, range);
  InstId offset = *coerce(args[2], Type::I32, range);
  auto number = [&](int64_t n) { return constant(Type::I32, Value(n)); };
  auto bits = [&](int64_t n) { return constant(Type::U32, Value(n)); };
  auto word = [&](BinaryOp op, InstId a, InstId b) { return build_.binary(op, a, b); };
  auto whole = [&](BinaryOp op, InstId a, InstId b) { return build_.binary(op, a, b); };
  auto count = [&](InstId of) { return build_.cast(Type::I32, build_.unary(UnaryOp::Popcnt, of)); };
  // The bits that count, and which of them is looked for, from the lowest.
  InstId at = build_.inst(Op::Cast, Type::U32, {base});
  InstId own = word(BinaryOp::Shl, bits(1), at);
  InstId below = word(BinaryOp::Sub, own, bits(1));
  InstId up = build_.unary(UnaryOp::BitNot, below);
  InstId down = word(BinaryOp::BitOr, below, own);
  InstId positive = build_.compare(ir::CompareOp::Gt, offset, number(0));
  InstId negative = build_.compare(ir::CompareOp::Lt, offset, number(0));
  InstId backward = build_.inst(Op::Select, Type::U32, {negative, down, own});
  InstId mask = word(BinaryOp::BitAnd, given, build_.inst(Op::Select, Type::U32, {positive, up, backward}));
  InstId total = count(mask);
  InstId from_top = build_.inst(Op::Select, Type::I32, {negative, whole(BinaryOp::Add, total, offset), number(0)});
  InstId rank = build_.inst(Op::Select, Type::I32, {positive, whole(BinaryOp::Sub, offset, number(1)), from_top});
  InstId wanted = build_.inst(Op::Cast, Type::U32, {rank});
  InstId there = build_.compare(ir::CompareOp::Lt, wanted, build_.inst(Op::Cast, Type::U32, {total}));
  InstId inside = build_.binary(BinaryOp::BitAnd, there, build_.compare(ir::CompareOp::Lt, at, bits(32)));
  // Halves: the bit is in the upper one when the lower one has too few.
  InstId position = number(0);
  for (int64_t half : {16, 8, 4, 2, 1}) {
    InstId lower = count(word(BinaryOp::BitAnd, mask, bits((int64_t{1} << half) - 1)));
    InstId in_upper = build_.compare(ir::CompareOp::Ge, rank, lower);
    InstId left = whole(BinaryOp::Sub, rank, lower);
    rank = build_.inst(Op::Select, Type::I32, {in_upper, left, rank});
    InstId rest = word(BinaryOp::LogicalShr, mask, bits(half));
    mask = build_.inst(Op::Select, Type::U32, {in_upper, rest, mask});
    InstId higher = whole(BinaryOp::Add, position, number(half));
    position = build_.inst(Op::Select, Type::I32, {in_upper, higher, position});
  }
  return Number{build_.inst(Op::Select, Type::I32, {inside, position, number(-1)}), Type::I32};
}

/// From the normal distribution, by Box and Muller.
Item Lowering::normal_random(Type wanted) {
  const Type type = wanted == Type::F16 ? Type::F32 : wanted;
  InstId one = constant(type, Value(1.0));
  InstId first = build_.binary(BinaryOp::Sub, one, build_.inst(Op::Random, type, {}));  // not 0
  InstId second = build_.inst(Op::Random, type, {});
  InstId scale = constant(type, Value(-2.0));
  InstId logarithm = build_.binary(BinaryOp::Mul, scale, build_.unary(UnaryOp::Log, first));
  InstId turn = constant(type, Value(2 * std::numbers::pi));
  InstId angle = build_.binary(BinaryOp::Mul, turn, second);
  InstId radius = build_.unary(UnaryOp::Sqrt, logarithm);
  InstId result = build_.binary(BinaryOp::Mul, radius, build_.unary(UnaryOp::Cos, angle));
  return Number{build_.cast(wanted, result), wanted};
}

}  // namespace qd::frontend
