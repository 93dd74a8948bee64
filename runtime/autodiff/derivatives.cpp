#include "runtime/autodiff/derivatives.h"

#include <bit>
#include <type_traits>

#include "runtime/ir/half.h"

namespace qd::autodiff {
namespace {

using ir::BinaryOp;
using ir::Derivative;
using ir::UnaryOp;

/// The derivative `zero` of operators.def.
struct Zero {};
constexpr Zero zero;

/// A formula's result: a value, or zero.
class Product {
 public:
  Product(Value value) : value_(value) {}
  Product(Zero) {}
  std::optional<Value> value() const { return value_; }

 private:
  std::optional<Value> value_;
};

// The functions of the formulas in operators.def.
using mathematics::select;
Value unary(UnaryOp op, Value x) { return Value(x.notation(), x.notation().build().unary(op, x.id())); }
Value sign(Value x) { return unary(UnaryOp::Sign, x); }
#define QD_FUNCTION(name, function, derivative) \
  [[maybe_unused]] Value function(Value x) { return unary(UnaryOp::name, x); }
#include "runtime/ir/operators.def"
Value pow(Value x, Value y) { return Value(x.notation(), x.notation().build().binary(BinaryOp::Pow, x.id(), y.id())); }

bool is_one(Value x) {
  const ir::Inst& inst = x.notation().kernel()[x.id()];
  if (inst.op != ir::Op::Const) return false;
  switch (inst.type) {
    case ir::Type::F16: return inst.imm == ir::half_from_double(1.0);
    case ir::Type::F32: return inst.imm == std::bit_cast<uint32_t>(1.0f);
    case ir::Type::F64: return inst.imm == std::bit_cast<uint64_t>(1.0);
    default: return false;
  }
}
/// `d * r / y`, for `r = x / y`, with no division beside `d / y`, which the derivative by x has, too. Also for another
/// reason: LLVM makes one division of two, and where y is a root it then computes the root, and not its reciprocal.
Value by_divisor(Value d, Value x, Value y, Value r) { return is_one(x) ? d * r * r : d / y * r; }

Product of_unary(UnaryOp op, Value d, Value x, Value r) {
  switch (op) {
#define QD_UNARY(name, text, numbers, cost, derivative) \
  case UnaryOp::name: return derivative;
#include "runtime/ir/operators.def"
  }
  return zero;
}

Product of_binary(BinaryOp op, bool second, Value d, Value x, Value y, Value r) {
  switch (op) {
#define QD_BINARY(name, text, numbers, cost, derivative_by_x, derivative_by_y) \
  case BinaryOp::name: return second ? Product(derivative_by_y) : Product(derivative_by_x);
#include "runtime/ir/operators.def"
  }
  return zero;
}

/// The type of a formula, which is not computed: Zero or Value.
template <class Formula>
constexpr bool kIsZero = std::is_same_v<std::remove_cvref_t<Formula>, Zero>;

bool is_zero(UnaryOp op) {
  [[maybe_unused]] extern Value d, x, r;
  switch (op) {
#define QD_UNARY(name, text, numbers, cost, derivative) \
  case UnaryOp::name: return kIsZero<decltype(derivative)>;
#include "runtime/ir/operators.def"
  }
  return false;
}

bool is_zero(BinaryOp op, bool second) {
  [[maybe_unused]] extern Value d, x, y, r;
  switch (op) {
#define QD_BINARY(name, text, numbers, cost, derivative_by_x, derivative_by_y) \
  case BinaryOp::name: return second ? kIsZero<decltype(derivative_by_y)> : kIsZero<decltype(derivative_by_x)>;
#include "runtime/ir/operators.def"
  }
  return false;
}

/// Of the operand that a Pick picks: the one with this number, the last one when there is none.
Value of_pick(Notation& notation, std::span<const ir::InstId> operands, size_t n, Value d) {
  const Value index(notation, operands[0]);
  const size_t last = operands.size() - 2;
  const size_t number = n - 1;
  // An index below 0 is none, too: as u32 or u64 it is beyond the last.
  Value is_it = index == index.whole(static_cast<int64_t>(number));
  if (number == last) is_it = (index < index.whole(0)) | (index > index.whole(static_cast<int64_t>(last) - 1));
  return select(is_it, d, 0.0);
}

}  // namespace

std::optional<Value> derivative_product(Notation& notation, ir::InstId id, size_t n, Value d, ir::Type type) {
  const ir::Inst inst = notation.kernel()[id];
  const auto args = notation.kernel().operands_of(id);
  const std::vector<ir::InstId> operands(args.begin(), args.end());  // formulas add to the kernel's
  auto operand = [&](size_t i) { return Value(notation, operands[i]); };
  const Value result(notation, id);
  switch (row(inst.op).derivative) {
    case Derivative::Operator:
      if (inst.op == ir::Op::Unary) return of_unary(inst.unary_op(), d, operand(0), result).value();
      return of_binary(inst.binary_op(), n == 1, d, operand(0), operand(1), result).value();
    case Derivative::Cast: return convert(type, d);
    case Derivative::Fma: return n == 2 ? d : d * operand(1 - n);
    case Derivative::Select:
      if (n == 1) return select(operand(0), d, 0.0);
      return n == 2 ? std::optional(select(operand(0), 0.0, d)) : std::nullopt;
    case Derivative::Pick: return n == 0 ? std::nullopt : std::optional(of_pick(notation, operands, n, d));
    case Derivative::Zero:
    case Derivative::Control:
    case Derivative::None:
    case Derivative::Place:
    case Derivative::Memory:
    case Derivative::Linear: return std::nullopt;
  }
  return std::nullopt;
}

bool is_constant_in(const ir::Kernel& kernel, ir::InstId id, size_t n) {
  const ir::Inst& inst = kernel[id];
  const ir::InstId operand = kernel.operands_of(id)[n];
  switch (row(inst.op).derivative) {
    case Derivative::Zero:
    case Derivative::Control: return true;
    case Derivative::Operator:
      return inst.op == ir::Op::Unary ? is_zero(inst.unary_op()) : is_zero(inst.binary_op(), n == 1);
    case Derivative::Cast: return !ir::is_float(inst.type) || !ir::is_float(kernel[operand].type);
    case Derivative::Select:
    case Derivative::Pick: return n == 0;
    case Derivative::Fma:
    case Derivative::None:
    case Derivative::Place:
    case Derivative::Memory:
    case Derivative::Linear: return false;
  }
  return false;
}

}  // namespace qd::autodiff
