// Debug mode's checks of integers: what divides by zero, what overflows, what is shifted too far.
#include <fmt/format.h>

#include "runtime/frontend/extent.h"
#include "runtime/frontend/lowering.h"

namespace qd::frontend {

using ir::BinaryOp;
using ir::CompareOp;
using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::Range;
using Kind = ir::Format::Kind;

// Whether x ** y is in the range of its type. A power of doubles is near enough: no power of an integer, the first
// aside, is as close to the ends of 64 bits as it rounds.
InstId Lowering::power_fits(Type type, InstId x, InstId y) {
  auto real = [&](InstId id) { return build_.inst(Op::Cast, Type::F64, {id}); };
  const double end = type == Type::I32 ? 0x1p31 : 0x1p63;
  InstId base = real(x);
  InstId power = build_.binary(BinaryOp::Pow, base, real(y));
  InstId above = build_.compare(CompareOp::Ge, power, constant(Type::F64, Value(-end)));
  InstId below = build_.compare(CompareOp::Lt, power, constant(Type::F64, Value(end)));
  InstId first = build_.compare(CompareOp::Lt, y, constant(type, Value(int64_t{2})));
  return build_.binary(BinaryOp::BitOr, first, build_.binary(BinaryOp::BitAnd, above, below));
}

// Sums that are made in memory, where the old value is known afterwards.
void Lowering::check_atomic(ir::AtomicOp op, Type type, InstId old, InstId operand, const Range& range) {
  if (op == ir::AtomicOp::Add) check_integers(BinaryOp::Add, type, old, operand, range);
  if (op == ir::AtomicOp::Sub) check_integers(BinaryOp::Sub, type, old, operand, range);
  if (op == ir::AtomicOp::Mul) check_integers(BinaryOp::Mul, type, old, operand, range);
}

// Divisions by zero and negative exponents fail. Overflows and shifts by too much are told, and go on: hashes and
// random numbers are made of them. Unsigned types wrap.
void Lowering::check_integers(BinaryOp op, Type type, InstId x, InstId y, const Range& range) {
  if (!options_.debug || !ir::is_integer(type)) return;
  const ir::Inst known = kernel_[y];
  const bool constant_y = known.op == Op::Const;
  const int64_t value = constant_y ? known.integer() : 0;
  auto say = [&](Kind kind, InstId holds, std::string_view what, std::string_view sign) {
    Text text;
    text.add(fmt::format("{}: ", what));
    text.add_value(Number{x, type}, "", range);
    text.add(fmt::format(" {} ", sign));
    text.add_value(Number{y, type}, "", range);
    text.add(fmt::format(" ({})", ir::name(type)));
    add_thread(text, range);
    check(kind == Kind::Plain ? Op::Assert : Op::Warn, holds, text, range, kind);
  };
  auto overflow = [&](InstId fits, std::string_view sign) { say(Kind::Overflow, fits, "Integer overflow", sign); };
  auto number = [&](int64_t n) { return constant(type, Value(n)); };
  switch (op) {
    case BinaryOp::FloorDiv:
    case BinaryOp::RawDiv:
    case BinaryOp::Mod:
    case BinaryOp::RawMod: {
      const bool division = op == BinaryOp::FloorDiv || op == BinaryOp::RawDiv;
      if (!constant_y || value == 0) {
        say(Kind::Plain, build_.compare(CompareOp::Ne, y, number(0)),
            division ? "Integer division by zero" : "Integer modulo by zero", division ? "//" : "%");
      }
      // The smallest number divided by -1 is one more than the largest.
      if (!division || (type != Type::I32 && type != Type::I64) || (constant_y && value != -1)) return;
      const Extent least = extent(type), divided = extent(kernel_, x);
      if (divided.low > least.low) return;
      InstId smallest = build_.compare(CompareOp::Ne, x, number(static_cast<int64_t>(least.low)));
      InstId fits = build_.binary(BinaryOp::BitOr, smallest, build_.compare(CompareOp::Ne, y, number(-1)));
      return overflow(fits, "//");
    }
    case BinaryOp::Pow:
      if (!ir::is_signed(type)) return;
      if (!constant_y || value < 0)
        say(Kind::Plain, build_.compare(CompareOp::Ge, y, number(0)), "Negative exponent of an integer", "**");
      if ((type != Type::I32 && type != Type::I64) || (constant_y && value < 2)) return;
      return overflow(power_fits(type, x, y), "**");
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::LogicalShr: {
      const int width = ir::bit_width(type);
      if (constant_y && value >= 0 && value < width) return;
      InstId fits = build_.compare(CompareOp::Lt, y, number(width));
      if (ir::is_signed(type))
        fits = build_.binary(BinaryOp::BitAnd, fits, build_.compare(CompareOp::Ge, y, number(0)));
      return say(Kind::Shift, fits, "Shift by more bits than there are", op == BinaryOp::Shl ? "<<" : ">>");
    }
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul: {
      if (type != Type::I32 && type != Type::I64) return;
      const Extent result = extent(op, extent(kernel_, x), extent(kernel_, y));
      if (result.low >= extent(type).low && result.high <= extent(type).high) return;
      const CompareOp overflows = op == BinaryOp::Add   ? CompareOp::AddOverflows
                                  : op == BinaryOp::Sub ? CompareOp::SubOverflows
                                                        : CompareOp::MulOverflows;
      InstId fits = build_.unary(ir::UnaryOp::LogicalNot, build_.compare(overflows, x, y));
      return overflow(fits, op == BinaryOp::Add ? "+" : op == BinaryOp::Sub ? "-" : "*");
    }
    default: return;
  }
}

}  // namespace qd::frontend
