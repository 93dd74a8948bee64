// Operators on one number.
#include <limits>
#include <stdexcept>

#include "runtime/codegen/spirv/arithmetic.h"

namespace qd::codegen::spirv {

using ir::CompareOp;
using ir::Type;
using ir::UnaryOp;
using mathematics::Function;

Id Arithmetic::unary(UnaryOp op, Type operand, Type result, Id x) {
  if (op == UnaryOp::LogicalNot) {
    if (operand == Type::U1) return code_.op(spv::OpLogicalNot, truth(), {x});
    return compare(CompareOp::Eq, operand, x, whole(operand, 0));
  }
  if (operand == Type::U1) return truth_unary(op, result, x);
  return ir::is_float(operand) ? float_unary(op, operand, x) : integer_unary(op, operand, result, x);
}

/// Operators on u1, as a number of one bit.
Id Arithmetic::truth_unary(UnaryOp op, Type result, Id x) {
  switch (op) {
    case UnaryOp::BitNot: return code_.op(spv::OpLogicalNot, truth(), {x});
    case UnaryOp::Popcnt:
    case UnaryOp::Ffs: return cast(Type::U1, result, x);
    case UnaryOp::Clz: return cast(Type::U1, result, code_.op(spv::OpLogicalNot, truth(), {x}));
    case UnaryOp::IsNan:
    case UnaryOp::IsInf: return module_.truth(false);
    default: return x;
  }
}

/// Number of bits that are set, or before the highest or lowest one set; 32 bits. SPIR-V counts in 32 bits only.
Id Arithmetic::count_bits(UnaryOp op, Type type, Id x) {
  const bool is_wide = ir::bit_width(type) == 64;
  const Id low = is_wide ? narrow(x) : own_bits(type, x);
  const Id high = is_wide ? narrow(wide_integer(spv::OpShiftRightLogical, x, wide(32))) : 0;
  if (op == UnaryOp::Popcnt) {
    const Id count = code_.op(spv::OpBitCount, u32(), {low});
    return is_wide ? integer(spv::OpIAdd, count, code_.op(spv::OpBitCount, u32(), {high})) : count;
  }
  // These give -1 where no bit is set.
  const GLSLstd450 find = op == UnaryOp::Clz ? GLSLstd450FindUMsb : GLSLstd450FindILsb;
  const Id of_low = code_.glsl(find, u32(), {low});
  if (op == UnaryOp::Clz) {
    Id position = of_low;
    if (is_wide) {
      const Id of_high = integer(spv::OpIAdd, code_.glsl(find, u32(), {high}), number(32));
      position = code_.op(spv::OpSelect, u32(), {test(spv::OpINotEqual, high, number(0)), of_high, of_low});
    }
    return integer(spv::OpISub, number(static_cast<uint32_t>(ir::bit_width(type)) - 1), position);
  }
  const Id first = integer(spv::OpIAdd, of_low, number(1));
  if (!is_wide) return first;
  const Id any_high = test(spv::OpINotEqual, high, number(0));
  const Id of_high = code_.op(spv::OpSelect, u32(),
                              {any_high, integer(spv::OpIAdd, code_.glsl(find, u32(), {high}), number(33)), number(0)});
  return code_.op(spv::OpSelect, u32(), {test(spv::OpINotEqual, low, number(0)), first, of_high});
}

Id Arithmetic::integer_unary(UnaryOp op, Type type, Type result, Id x) {
  const Id t = this->type(type);
  switch (op) {
    case UnaryOp::Neg: return canonical(type, code_.op(spv::OpSNegate, t, {x}));
    case UnaryOp::BitNot: return canonical(type, code_.op(spv::OpNot, t, {x}));
    case UnaryOp::Abs: {
      if (!ir::is_signed(type)) return x;
      const Id negative = compare(CompareOp::Lt, type, x, whole(type, 0));
      return select(negative, type, canonical(type, code_.op(spv::OpSNegate, t, {x})), x);
    }
    case UnaryOp::Sign: {
      const Id positive = select(compare(CompareOp::Ne, type, x, whole(type, 0)), type, whole(type, 1), whole(type, 0));
      if (!ir::is_signed(type)) return positive;
      return select(compare(CompareOp::Lt, type, x, whole(type, 0)), type, whole(type, -1), positive);
    }
    case UnaryOp::Sqrt:
    case UnaryOp::Floor:
    case UnaryOp::Ceil:
    case UnaryOp::Round: return x;
    case UnaryOp::IsNan:
    case UnaryOp::IsInf: return module_.truth(false);
    case UnaryOp::Popcnt:
    case UnaryOp::Clz:
    case UnaryOp::Ffs: return cast(Type::U32, result, count_bits(op, type, x));
    default: throw std::runtime_error("no such operator on an integer");
  }
}

Id Arithmetic::is_nan(Type type, Id x) {
  const Type held = holder(type);
  const Type integer = held == Type::F64 ? Type::U64 : Type::U32;
  const uint64_t infinity = held == Type::F64 ? 0x7ff0000000000000 : 0x7f800000;
  const uint64_t size = held == Type::F64 ? INT64_MAX : INT32_MAX;
  const Id all = bits(held, x);
  const Id magnitude = code_.op(spv::OpBitwiseAnd, this->type(integer), {all, constant(integer, size)});
  return test(spv::OpUGreaterThan, magnitude, constant(integer, infinity));
}

Id Arithmetic::to_whole(UnaryOp op, Type type, Id x) {
  const Id t = this->type(type);
  if (type != Type::F64 || shared_.device.whole_f64) {
    const GLSLstd450 function = op == UnaryOp::Floor  ? GLSLstd450Floor
                                : op == UnaryOp::Ceil ? GLSLstd450Ceil
                                                      : GLSLstd450RoundEven;
    return code_.glsl(function, t, {x});
  }
  // From 2^52 on there are only whole numbers: a sum with it is rounded to one, ties to even.
  const Id big = real(type, 0x1p52);
  const Id sign = wide_integer(spv::OpBitwiseAnd, bits(type, x), wide(uint64_t{1} << 63));
  auto with_sign = [&](Id of) { return from_bits(type, wide_integer(spv::OpBitwiseOr, bits(type, of), sign)); };
  const Id size = code_.glsl(GLSLstd450FAbs, t, {x});
  Id whole = with_sign(exact(spv::OpFSub, type, {exact(spv::OpFAdd, type, {size, big}), big}));
  if (op != UnaryOp::Round) {
    const bool down = op == UnaryOp::Floor;
    const Id beyond = test(down ? spv::OpFOrdGreaterThan : spv::OpFOrdLessThan, whole, x);
    const Id step = real(type, down ? -1 : 1);
    whole = with_sign(select(beyond, type, exact(spv::OpFAdd, type, {whole, step}), whole));
  }
  return select(test(spv::OpFOrdLessThan, size, big), type, whole, x);
}

Id Arithmetic::float_unary(UnaryOp op, Type type, Id x) {
  const Id t = this->type(type);
  switch (op) {
    case UnaryOp::Neg: return code_.op(spv::OpFNegate, t, {x});
    case UnaryOp::Abs: return code_.glsl(GLSLstd450FAbs, t, {x});
    case UnaryOp::Sign: {
      // Zeros and NaN are their own sign.
      const Id zero = real(type, 0);
      const Id negative = select(test(spv::OpFOrdLessThan, x, zero), type, real(type, -1), x);
      return select(test(spv::OpFOrdGreaterThan, x, zero), type, real(type, 1), negative);
    }
    case UnaryOp::Sqrt: return rounded(type, code_.glsl(GLSLstd450Sqrt, t, {x}));
    case UnaryOp::Rsqrt: {
      const Id root = rounded(type, code_.glsl(GLSLstd450Sqrt, t, {x}));
      return rounded(type, inexact(spv::OpFDiv, type, {real(type, 1), root}));
    }
#define QD_FUNCTION(name, function, derivative) \
  case UnaryOp::name: return mathematical(Function::name, type, {x});
#include "runtime/ir/operators.def"
    case UnaryOp::Floor:
    case UnaryOp::Ceil:
    case UnaryOp::Round: return to_whole(op, type, x);
    case UnaryOp::IsNan: return is_nan(type, x);
    case UnaryOp::IsInf:
      return test(spv::OpFOrdEqual, code_.glsl(GLSLstd450FAbs, t, {x}),
                  real(type, std::numeric_limits<double>::infinity()));
    case UnaryOp::LogicalNot:
    case UnaryOp::BitNot:
    case UnaryOp::Popcnt:
    case UnaryOp::Clz:
    case UnaryOp::Ffs: break;
  }
  throw std::runtime_error("no such operator on a float");
}

}  // namespace qd::codegen::spirv
