// Overflow checks of debug mode: reports results that do not fit their integer type.
#include "runtime/frontend/values/checks.h"

#include <fmt/format.h>

#include <cmath>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/interval.h"
#include "runtime/frontend/values/text.h"

namespace qd::frontend {

using Kind = ir::Format::Kind;
using ir::BinaryOp;
using ir::CompareOp;
using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::Range;

namespace {

// Whether x ** y is in the range of its type. A power of doubles is near enough: no power of an integer, the first
// aside, is as close to the ends of 64 bits as it rounds.
InstId power_fits(Compilation& c, Type type, InstId x, InstId y) {
  auto real = [&](InstId id) { return c.build.inst(Op::Cast, Type::F64, {id}); };
  const double end = std::ldexp(1.0, ir::bit_width(type) - (ir::is_signed(type) ? 1 : 0));
  InstId base = real(x);
  InstId power = c.build.binary(BinaryOp::Pow, base, real(y));
  InstId above =
      c.build.compare(CompareOp::Ge, power, c.build.constant(Type::F64, Value(ir::is_signed(type) ? -end : 0.0)));
  InstId below = c.build.compare(CompareOp::Lt, power, c.build.constant(Type::F64, Value(end)));
  InstId first = c.build.compare(CompareOp::Lt, y, c.build.constant(type, Value(int64_t{2})));
  return c.build.binary(BinaryOp::BitOr, first, c.build.binary(BinaryOp::BitAnd, above, below));
}

/// The message of a result that does not fit, as Taichi and Quadrants begin theirs.
std::string_view overflow_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::Add: return "Addition overflow detected";
    case BinaryOp::Sub: return "Subtraction overflow detected";
    case BinaryOp::Mul: return "Multiplication overflow detected";
    case BinaryOp::Shl: return "Shift left overflow detected";
    case BinaryOp::Pow: return "Power overflow detected";
    default: return "Division overflow detected";
  }
}

}  // namespace

// Checks sums that are made in memory, whose old value is known afterwards.
void check_atomic(Compilation& c, ir::AtomicOp op, Type type, InstId old, InstId operand, const Range& range) {
  if (op == ir::AtomicOp::Add) check_integers(c, BinaryOp::Add, type, old, operand, range);
  if (op == ir::AtomicOp::Sub) check_integers(c, BinaryOp::Sub, type, old, operand, range);
  if (op == ir::AtomicOp::Mul) check_integers(c, BinaryOp::Mul, type, old, operand, range);
}

// Checks an operation: divisions by zero and negative exponents fail. Overflows and shifts by too much are told, and go
// on: hashes and random numbers are made of them.
void check_integers(Compilation& c, BinaryOp op, Type type, InstId x, InstId y, const Range& range) {
  if (!c.options.debug || !ir::is_integer(type)) return;
  const ir::Inst known = c.kernel[y];
  const bool constant_y = known.op == Op::Const;
  const int64_t value = constant_y ? known.integer() : 0;
  auto say = [&](Kind kind, InstId holds, std::string_view what, std::string_view sign) {
    Text text;
    text.add(fmt::format("{}: ", what));
    text.add_value(Number{x, type}, "", range);
    text.add(fmt::format(" {} ", sign));
    text.add_value(Number{y, type}, "", range);
    text.add(fmt::format(" ({})", ir::name(type)));
    add_iteration(c, text, range);
    emit_check(c, kind == Kind::Plain ? Op::Assert : Op::Warn, holds, text, range, kind);
  };
  auto overflow = [&](InstId fits, std::string_view sign) { say(Kind::Overflow, fits, overflow_of(op), sign); };
  auto number = [&](int64_t n) { return c.build.constant(type, Value(n)); };
  switch (op) {
    case BinaryOp::FloorDiv:
    case BinaryOp::RawDiv:
    case BinaryOp::Mod:
    case BinaryOp::RawMod: {
      const bool division = op == BinaryOp::FloorDiv || op == BinaryOp::RawDiv;
      if (!constant_y || value == 0) {
        say(Kind::Plain, c.build.compare(CompareOp::Ne, y, number(0)),
            division ? "Integer division by zero" : "Integer modulo by zero", division ? "//" : "%");
      }
      // The smallest number divided by -1 is one more than the largest.
      if (!division || !ir::is_signed(type) || (constant_y && value != -1)) return;
      const Interval least = interval(type), divided = interval(c.kernel, x);
      if (divided.low > least.low) return;
      InstId smallest = c.build.compare(CompareOp::Ne, x, number(static_cast<int64_t>(least.low)));
      InstId fits = c.build.binary(BinaryOp::BitOr, smallest, c.build.compare(CompareOp::Ne, y, number(-1)));
      return overflow(fits, "//");
    }
    case BinaryOp::Pow:
      if (ir::is_signed(type) && (!constant_y || value < 0))
        say(Kind::Plain, c.build.compare(CompareOp::Ge, y, number(0)), "Negative exponent of an integer", "**");
      if (constant_y && value < 2 && (ir::is_signed(type) || value >= 0)) return;
      return overflow(power_fits(c, type, x, y), "**");
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::LogicalShr: {
      const int width = ir::bit_width(type);
      const bool far = !(constant_y && value >= 0 && value < width);
      InstId fits = far ? c.build.compare(CompareOp::Lt, y, number(width)) : c.build.constant(Type::U1, Value(true));
      if (far && ir::is_signed(type))
        fits = c.build.binary(BinaryOp::BitAnd, fits, c.build.compare(CompareOp::Ge, y, number(0)));
      if (far) say(Kind::Shift, fits, "Shift by more bits than there are", op == BinaryOp::Shl ? "<<" : ">>");
      if (op != BinaryOp::Shl) return;
      // The bits that were shifted out are lost if shifting back does not bring them back.
      const InstId places = c.build.select(fits, y, number(0));
      const InstId back = c.build.binary(BinaryOp::Shr, c.build.binary(BinaryOp::Shl, x, places), places);
      return overflow(c.build.compare(CompareOp::Eq, back, x), "<<");
    }
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul: {
      if (type == Type::U1) return;
      if (ir::is_signed(type)) {
        const Interval result = interval(op, interval(c.kernel, x), interval(c.kernel, y));
        if (result.low >= interval(type).low && result.high <= interval(type).high) return;
      }
      const CompareOp overflows = op == BinaryOp::Add   ? CompareOp::AddOverflows
                                  : op == BinaryOp::Sub ? CompareOp::SubOverflows
                                                        : CompareOp::MulOverflows;
      InstId fits = c.build.unary(ir::UnaryOp::LogicalNot, c.build.compare(overflows, x, y));
      return overflow(fits, op == BinaryOp::Add ? "+" : op == BinaryOp::Sub ? "-" : "*");
    }
    default: return;
  }
}

}  // namespace qd::frontend
