// Comparisons of two values.
#include "runtime/frontend/values/operators.h"

#include <fmt/format.h>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/elementwise.h"

namespace qd::frontend {

using ir::InstId;
using ir::Type;
using syntax::CmpOperator;
using syntax::Range;

namespace {

/// Compares known values that are no numbers, as Python does: `p == qd.i32`, `mode != "fast"`, `shape == (3, 4)`, `kind
/// == Kind.A`. Nothing for the others.
std::optional<InstId> compare_known(Compilation& c, CmpOperator op, const Item& a, const Item& b) {
  auto *x = std::get_if<Value>(&a), *y = std::get_if<Value>(&b);
  if (!x || !y || (op != CmpOperator::Eq && op != CmpOperator::NotEq)) return std::nullopt;
  for (const Value* side : {x, y}) {
    if (!has_truth(*side) || std::holds_alternative<HostField>(*side) || std::holds_alternative<HostArray>(*side))
      return std::nullopt;
    if (auto* object = std::get_if<HostObject>(side)) c.captures.reads.identify(*object, *c.function().environment);
  }
  return c.build.constant(Type::U1, *frontend::compare(op, *x, *y).value);
}

}  // namespace

std::optional<InstId> compare_pair(Compilation& c, CmpOperator op, const Item& a, const Item& b, const Range& range) {
  auto *known = known_number(a), *other = known_number(b);
  if (known && other) return c.build.constant(Type::U1, *frontend::compare(op, *known, *other).value);
  if (auto same = compare_known(c, op, a, b)) return same;
  auto types = operand_types(c, a, b, range);
  if (!types) return std::nullopt;
  Type type = ir::promote(types->first, types->second);
  // u1 compares as a number.
  if (type == Type::U1) type = Type::I32;
  auto x = coerce(c, a, type, range);
  auto y = coerce(c, b, type, range);
  switch (op) {
    case CmpOperator::Lt: return c.build.compare(ir::CompareOp::Lt, *x, *y);
    case CmpOperator::LtE: return c.build.compare(ir::CompareOp::Le, *x, *y);
    case CmpOperator::Gt: return c.build.compare(ir::CompareOp::Gt, *x, *y);
    case CmpOperator::GtE: return c.build.compare(ir::CompareOp::Ge, *x, *y);
    case CmpOperator::NotEq: return c.build.compare(ir::CompareOp::Ne, *x, *y);
    default: return c.build.compare(ir::CompareOp::Eq, *x, *y);
  }
}

// Compares components: a vector of u1.
Item compare_tensors(Compilation& c, CmpOperator op, const Item& a, const Item& b, const Range& range) {
  return elementwise(c, std::array{a, b}, range, [&](const std::vector<Item>& x) -> Item {
    auto result = compare_pair(c, op, x[0], x[1], range);
    return result ? Item(Number{*result, Type::U1}) : Item(Poison{});
  });
}

}  // namespace qd::frontend
