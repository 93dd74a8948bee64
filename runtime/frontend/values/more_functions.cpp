// Functions of numbers that are composed of several instructions.
#include "runtime/frontend/values/functions.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "runtime/frontend/values/conversion.h"

namespace qd::frontend {

using ir::BinaryOp;
using ir::InstId;
using ir::Op;
using ir::Type;
using ir::UnaryOp;
using syntax::Range;

namespace {

Item lower_frexp(Compilation& c, const Number& number);
Item normal_random(Compilation& c, ir::Type type);

}  // namespace

Item more_functions(Compilation& c, const BuiltinInfo& info, const std::vector<Item>& args, const Range& range) {
  if (info.kind == BuiltinKind::Randn) {
    auto type = args.empty() ? std::optional(c.options.default_fp) : dtype_argument(c, args[0], range);
    if (!type) return Poison{};
    if (!ir::is_float(*type))
      return c.report.error(ErrorKind::Type, range, "`randn` gives floats: its dtype is f16, f32 or f64");
    return normal_random(c, *type);
  }
  auto type = number_type(c, args[0], range);
  if (!type) return Poison{};
  if (info.kind == BuiltinKind::Zero || info.kind == BuiltinKind::One) {
    return Number{c.build.constant(*type, Value(int64_t{info.kind == BuiltinKind::One})), *type};
  }
  if (!ir::is_float(*type)) type = c.options.default_fp;
  Number x{*coerce(c, args[0], *type, range), *type};
  if (info.kind == BuiltinKind::Frexp) return lower_frexp(c, x);
  if (info.kind == BuiltinKind::Exp2) {
    InstId two = c.build.constant(*type, Value(2.0));
    return Number{c.build.binary(BinaryOp::Pow, two, x.id), *type};
  }
  const double factor = info.kind == BuiltinKind::Radians   ? std::numbers::pi / 180
                        : info.kind == BuiltinKind::Degrees ? 180 / std::numbers::pi
                                                            : std::numbers::log2e;
  InstId number = info.kind == BuiltinKind::Log2 ? c.build.unary(UnaryOp::Log, x.id) : x.id;
  return Number{c.build.binary(BinaryOp::Mul, number, c.build.constant(*type, Value(factor))), *type};
}

namespace {

/// Lowers frexp, from the bits: x = mantissa * 2**exponent with the mantissa in [0.5, 1). Zero, infinities and NaN are
/// their own mantissa.
Item lower_frexp(Compilation& c, const Number& number) {
  const bool wide = number.type == Type::F64;
  const Type type = wide ? Type::F64 : Type::F32, word = wide ? Type::I64 : Type::I32;
  const int64_t fraction = wide ? 52 : 23, bias = wide ? 1022 : 126, mask = wide ? 0x7ff : 0xff;
  auto whole = [&](int64_t value) { return c.build.constant(word, Value(value)); };
  auto real = [&](double value) { return c.build.constant(type, Value(value)); };
  InstId x = c.build.cast(type, number.id);
  // Subnormal numbers become normal ones first.
  InstId size = c.build.unary(UnaryOp::Abs, x);
  InstId smallest = real(wide ? 0x1p-1022 : 0x1p-126);
  InstId small = c.build.compare(ir::CompareOp::Lt, size, smallest);
  InstId larger = c.build.binary(BinaryOp::Mul, x, real(wide ? 0x1p54 : 0x1p25));
  InstId scaled = c.build.inst(Op::Select, type, {small, larger, x});
  InstId bits = c.build.inst(Op::BitCast, word, {scaled});
  InstId shifted = c.build.binary(BinaryOp::LogicalShr, bits, whole(fraction));
  InstId field = c.build.binary(BinaryOp::BitAnd, shifted, whole(mask));
  InstId own = c.build.binary(BinaryOp::Sub, field, whole(bias));
  InstId moved = whole(wide ? 54 : 25);
  InstId nothing = whole(0);
  InstId exponent = c.build.binary(BinaryOp::Sub, own, c.build.inst(Op::Select, word, {small, moved, nothing}));
  InstId rest = c.build.binary(BinaryOp::BitAnd, bits, whole(~(mask << fraction)));
  InstId half = c.build.binary(BinaryOp::BitOr, rest, whole(bias << fraction));
  InstId mantissa = c.build.inst(Op::BitCast, type, {half});
  InstId zero = c.build.compare(ir::CompareOp::Eq, x, real(0));
  InstId special = c.build.compare(ir::CompareOp::Eq, field, whole(mask));
  InstId itself = c.build.binary(BinaryOp::BitOr, zero, special);
  InstId result = c.build.inst(Op::Select, type, {itself, x, mantissa});
  InstId power = c.build.inst(Op::Select, word, {itself, nothing, exponent});
  Items both;
  both.list.push_back(Number{c.build.cast(number.type, result), number.type});
  both.list.push_back(Number{c.build.cast(Type::I32, power), Type::I32});
  return both;
}

}  // namespace

/// Lowers fns(mask, base, offset), as CUDA's __fns: the position of a set bit of 32, counted from `base` on, up for a
/// positive `offset` (1: the first one), down for a negative one; with 0 `base` itself, if set. -1 when there is none.
Item find_set_bit(Compilation& c, const std::vector<Item>& args, const Range& range) {
  for (size_t i = 0; i < args.size(); ++i) {
    auto type = number_type(c, args[i], range);
    if (!type) return Poison{};
    if (!ir::is_integer(*type))
      return c.report.error(ErrorKind::Type, range, fmt::format("`fns` takes integers, not {}", with_article(*type)));
  }
  InstId given = *coerce(c, args[0], Type::U32, range);
  InstId base = *coerce(c, args[1], Type::I32, range);
  InstId offset = *coerce(c, args[2], Type::I32, range);
  auto number = [&](int64_t n) { return c.build.constant(Type::I32, Value(n)); };
  auto bits = [&](int64_t n) { return c.build.constant(Type::U32, Value(n)); };
  auto word = [&](BinaryOp op, InstId a, InstId b) { return c.build.binary(op, a, b); };
  auto whole = [&](BinaryOp op, InstId a, InstId b) { return c.build.binary(op, a, b); };
  auto count = [&](InstId of) { return c.build.cast(Type::I32, c.build.unary(UnaryOp::Popcnt, of)); };
  // The bits that count, and the number of the wanted one, from the lowest.
  InstId at = c.build.inst(Op::Cast, Type::U32, {base});
  InstId own = word(BinaryOp::Shl, bits(1), at);
  InstId below = word(BinaryOp::Sub, own, bits(1));
  InstId up = c.build.unary(UnaryOp::BitNot, below);
  InstId down = word(BinaryOp::BitOr, below, own);
  InstId positive = c.build.compare(ir::CompareOp::Gt, offset, number(0));
  InstId negative = c.build.compare(ir::CompareOp::Lt, offset, number(0));
  InstId backward = c.build.inst(Op::Select, Type::U32, {negative, down, own});
  InstId mask = word(BinaryOp::BitAnd, given, c.build.inst(Op::Select, Type::U32, {positive, up, backward}));
  InstId total = count(mask);
  InstId from_top = c.build.inst(Op::Select, Type::I32, {negative, whole(BinaryOp::Add, total, offset), number(0)});
  InstId rank = c.build.inst(Op::Select, Type::I32, {positive, whole(BinaryOp::Sub, offset, number(1)), from_top});
  InstId wanted = c.build.inst(Op::Cast, Type::U32, {rank});
  InstId there = c.build.compare(ir::CompareOp::Lt, wanted, c.build.inst(Op::Cast, Type::U32, {total}));
  InstId inside = c.build.binary(BinaryOp::BitAnd, there, c.build.compare(ir::CompareOp::Lt, at, bits(32)));
  // Halves: the bit is in the upper one when the lower one has too few.
  InstId position = number(0);
  for (int64_t half : {16, 8, 4, 2, 1}) {
    InstId lower = count(word(BinaryOp::BitAnd, mask, bits((int64_t{1} << half) - 1)));
    InstId in_upper = c.build.compare(ir::CompareOp::Ge, rank, lower);
    InstId left = whole(BinaryOp::Sub, rank, lower);
    rank = c.build.inst(Op::Select, Type::I32, {in_upper, left, rank});
    InstId rest = word(BinaryOp::LogicalShr, mask, bits(half));
    mask = c.build.inst(Op::Select, Type::U32, {in_upper, rest, mask});
    InstId higher = whole(BinaryOp::Add, position, number(half));
    position = c.build.inst(Op::Select, Type::I32, {in_upper, higher, position});
  }
  return Number{c.build.inst(Op::Select, Type::I32, {inside, position, number(-1)}), Type::I32};
}

namespace {

/// A number from the normal distribution, by Box and Muller.
Item normal_random(Compilation& c, Type wanted) {
  const Type type = wanted == Type::F16 ? Type::F32 : wanted;
  InstId one = c.build.constant(type, Value(1.0));
  InstId first = c.build.binary(BinaryOp::Sub, one, c.build.inst(Op::Random, type, {}));  // not 0
  InstId second = c.build.inst(Op::Random, type, {});
  InstId scale = c.build.constant(type, Value(-2.0));
  InstId logarithm = c.build.binary(BinaryOp::Mul, scale, c.build.unary(UnaryOp::Log, first));
  InstId turn = c.build.constant(type, Value(2 * std::numbers::pi));
  InstId angle = c.build.binary(BinaryOp::Mul, turn, second);
  InstId radius = c.build.unary(UnaryOp::Sqrt, logarithm);
  InstId result = c.build.binary(BinaryOp::Mul, radius, c.build.unary(UnaryOp::Cos, angle));
  return Number{c.build.cast(wanted, result), wanted};
}

}  // namespace

}  // namespace qd::frontend
