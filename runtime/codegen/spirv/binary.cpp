// Operators on two numbers.
#include <stdexcept>

#include "runtime/codegen/spirv/arithmetic.h"

namespace qd::codegen::spirv {

using ir::BinaryOp;
using ir::CompareOp;
using ir::Type;
using mathematics::Function;

Id Arithmetic::binary(BinaryOp op, Type type, Id x, Id y) {
  if (type == Type::U1) return truth_binary(op, x, y);
  return ir::is_float(type) ? float_binary(op, type, x, y) : integer_binary(op, type, x, y);
}

/// Operators on u1, as a number of one bit.
Id Arithmetic::truth_binary(BinaryOp op, Id x, Id y) {
  auto both = [&](spv::Op operation) { return code_.op(operation, truth(), {x, y}); };
  auto opposite = [&](Id value) { return code_.op(spv::OpLogicalNot, truth(), {value}); };
  switch (op) {
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::BitXor: return both(spv::OpLogicalNotEqual);
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::FloorDiv:
    case BinaryOp::RawDiv:
    case BinaryOp::Min:
    case BinaryOp::BitAnd: return both(spv::OpLogicalAnd);
    case BinaryOp::Max:
    case BinaryOp::BitOr: return both(spv::OpLogicalOr);
    case BinaryOp::Mod:
    case BinaryOp::RawMod: return module_.truth(false);
    case BinaryOp::Pow: return code_.op(spv::OpLogicalOr, truth(), {x, opposite(y)});
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::LogicalShr: return code_.op(spv::OpLogicalAnd, truth(), {x, opposite(y)});
    case BinaryOp::Atan2: break;
  }
  throw std::runtime_error("no such operator on integers");
}

/// Quotient or remainder, towards zero or with Python's signs. A division by zero gives 0. (SPIR-V leaves the remainder
/// of negative numbers to the driver, so it is computed from the quotient.)
Id Arithmetic::division(Type type, Id x, Id y, bool remainder, bool floor) {
  const Id t = this->type(type);
  const Id zero = whole(type, 0), one = whole(type, 1);
  const Id by_zero = test(spv::OpIEqual, y, zero);
  if (!ir::is_signed(type)) {
    const Id divisor = select(by_zero, type, one, y);
    if (remainder) return code_.op(spv::OpUMod, t, {x, divisor});
    return select(by_zero, type, zero, code_.op(spv::OpUDiv, t, {x, divisor}));
  }
  // The smallest number divided by -1 overflows in 32 and 64 bits: it gives itself.
  const Id negation = test(spv::OpIEqual, y, whole(type, -1));
  const Id plain = code_.op(spv::OpLogicalOr, truth(), {by_zero, negation});
  const Id divisor = select(plain, type, one, y);
  const Id raw = code_.op(spv::OpSDiv, t, {x, divisor});
  const Id rest = code_.op(spv::OpISub, t, {x, code_.op(spv::OpIMul, t, {raw, divisor})});
  // When the signs differ and the division is not exact, the floor is one lower.
  Id step = 0;
  if (floor) {
    const Id signs = code_.op(spv::OpBitwiseXor, t, {rest, divisor});
    step =
        code_.op(spv::OpLogicalAnd, truth(), {test(spv::OpINotEqual, rest, zero), test(spv::OpSLessThan, signs, zero)});
  }
  if (remainder) return floor ? select(step, type, code_.op(spv::OpIAdd, t, {rest, divisor}), rest) : rest;
  Id quotient = raw;
  if (floor) quotient = select(step, type, code_.op(spv::OpISub, t, {raw, one}), raw);
  quotient = select(negation, type, canonical(type, code_.op(spv::OpSNegate, t, {x})), quotient);
  return select(by_zero, type, zero, quotient);
}

Id Arithmetic::power(Type type, Id x, Id y) {
  const Id t = this->type(type);
  if (uint64_t rest = 0; module_.known(y, rest) && rest <= 64) {
    Id result = whole(type, 1);
    for (Id square = x; rest != 0; rest >>= 1) {
      if (rest & 1) result = code_.op(spv::OpIMul, t, {result, square});
      if (rest > 1) square = code_.op(spv::OpIMul, t, {square, square});
    }
    return canonical(type, result);
  }
  return canonical(type, software(Software::Power, holder(type), holder(type), {x, y}));
}

/// Shift. A count of the width or more shifts everything out.
Id Arithmetic::shift(BinaryOp op, Type type, Id x, Id y) {
  const Id t = this->type(type);
  const auto width = static_cast<uint64_t>(ir::bit_width(type));
  auto shifted_by = [&](Id by) {
    if (op == BinaryOp::Shl) return canonical(type, code_.op(spv::OpShiftLeftLogical, t, {x, by}));
    if (op == BinaryOp::Shr && ir::is_signed(type)) return code_.op(spv::OpShiftRightArithmetic, t, {x, by});
    return canonical(type, code_.op(spv::OpShiftRightLogical, t, {own_bits(type, x), by}));
  };
  if (uint64_t known = 0; module_.known(y, known) && known < width) return shifted_by(y);
  const Id count = own_bits(type, y);
  const Id last = whole(type, static_cast<int64_t>(width) - 1);
  const Id beyond = test(spv::OpUGreaterThan, count, last);
  const Id by = code_.op(spv::OpSelect, t, {beyond, last, count});
  const Id shifted = shifted_by(by);
  if (op == BinaryOp::Shr && ir::is_signed(type)) return shifted;
  return select(beyond, type, whole(type, 0), shifted);
}

Id Arithmetic::integer_binary(BinaryOp op, Type type, Id x, Id y) {
  auto plain = [&](spv::Op operation) { return code_.op(operation, this->type(type), {x, y}); };
  switch (op) {
    case BinaryOp::Add: return canonical(type, plain(spv::OpIAdd));
    case BinaryOp::Sub: return canonical(type, plain(spv::OpISub));
    case BinaryOp::Mul: return canonical(type, plain(spv::OpIMul));
    case BinaryOp::Div:
    case BinaryOp::RawDiv: return division(type, x, y, false, false);
    case BinaryOp::FloorDiv: return division(type, x, y, false, true);
    case BinaryOp::Mod: return division(type, x, y, true, true);
    case BinaryOp::RawMod: return division(type, x, y, true, false);
    case BinaryOp::Pow: return power(type, x, y);
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::LogicalShr: return shift(op, type, x, y);
    case BinaryOp::BitAnd: return plain(spv::OpBitwiseAnd);
    case BinaryOp::BitOr: return plain(spv::OpBitwiseOr);
    case BinaryOp::BitXor: return plain(spv::OpBitwiseXor);
    case BinaryOp::Min: return select(compare(CompareOp::Lt, type, x, y), type, x, y);
    case BinaryOp::Max: return select(compare(CompareOp::Gt, type, x, y), type, x, y);
    case BinaryOp::Atan2: break;
  }
  throw std::runtime_error("no such operator on integers");
}

/// The remainder with the sign of the divisor, as in Python.
Id Arithmetic::float_mod(Type type, Id x, Id y) {
  const Type held = holder(type);
  if (mode_ == Mode::FastMath) {
    const Id floor = to_whole(ir::UnaryOp::Floor, held, exact(spv::OpFDiv, held, {x, y}));
    return inexact(spv::OpFSub, held, {x, inexact(spv::OpFMul, held, {floor, y})});
  }
  const Id rest = software(Software::Remainder, held, held, {x, y});
  const Id zero = real(held, 0);
  const Id signs_differ = code_.op(spv::OpLogicalNotEqual, truth(),
                                   {test(spv::OpFOrdLessThan, rest, zero), test(spv::OpFOrdLessThan, y, zero)});
  const Id step = code_.op(spv::OpLogicalAnd, truth(), {test(spv::OpFUnordNotEqual, rest, zero), signs_differ});
  return select(step, held, exact(spv::OpFAdd, held, {rest, y}), rest);
}

Id Arithmetic::float_binary(BinaryOp op, Type type, Id x, Id y) {
  auto plain = [&](spv::Op operation) { return rounded(type, inexact(operation, type, {x, y})); };
  switch (op) {
    case BinaryOp::Add: return plain(spv::OpFAdd);
    case BinaryOp::Sub: return plain(spv::OpFSub);
    case BinaryOp::Mul: return plain(spv::OpFMul);
    case BinaryOp::Div:
    case BinaryOp::RawDiv: return plain(spv::OpFDiv);
    case BinaryOp::FloorDiv: return rounded(type, to_whole(ir::UnaryOp::Floor, type, exact(spv::OpFDiv, type, {x, y})));
    case BinaryOp::Mod: return rounded(type, float_mod(type, x, y));
    case BinaryOp::RawMod: return rounded(type, software(Software::Remainder, holder(type), holder(type), {x, y}));
    case BinaryOp::Pow: return mathematical(Function::Pow, type, {x, y});
    case BinaryOp::Atan2: return mathematical(Function::Atan2, type, {x, y});
    // A minimum or maximum with a NaN is the other number.
    case BinaryOp::Min:
    case BinaryOp::Max: {
      const spv::Op better = op == BinaryOp::Min ? spv::OpFOrdLessThan : spv::OpFOrdGreaterThan;
      const Id second = code_.op(spv::OpLogicalOr, truth(), {is_nan(type, x), test(better, y, x)});
      return select(second, type, y, x);
    }
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::LogicalShr:
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor: break;
  }
  throw std::runtime_error("no such operator on floats");
}

Id Arithmetic::fma(Type type, Id a, Id b, Id c) {
  const bool f64 = shared_.device.features & ir::features(ir::Feature::F64);
  const bool fused = type == Type::F64 ? shared_.device.fused_f64 : shared_.device.fused_f32 || !f64;
  if (!fused) return software(mode_ == Mode::Formula ? Software::NearFma : Software::Fma, type, type, {a, b, c});
  const Id id = code_.glsl(GLSLstd450Fma, this->type(type), {a, b, c});
  module_.decorate(id, spv::DecorationNoContraction);
  return id;
}

Id Arithmetic::atomic_result(ir::AtomicOp op, Type type, Id old, Id operand) {
  const auto binary_op = ir::binary_op(op);
  return binary_op ? binary(*binary_op, type, old, operand) : operand;
}

}  // namespace qd::codegen::spirv
