// Comparisons, and choices by number.
#include "runtime/codegen/spirv/arithmetic.h"

namespace qd::codegen::spirv {

using ir::CompareOp;
using ir::Type;

Id Arithmetic::compare(CompareOp op, Type type, Id x, Id y) {
  if (op >= CompareOp::AddOverflows) return overflows(op, type, x, y);
  const bool is_signed = ir::is_signed(type);
  if (type == Type::U1) return compare(op, Type::U32, bits(type, x), bits(type, y));
  auto choose = [&](spv::Op real, spv::Op with_sign, spv::Op without) {
    return test(ir::is_float(type) ? real : is_signed ? with_sign : without, x, y);
  };
  switch (op) {
    case CompareOp::Lt: return choose(spv::OpFOrdLessThan, spv::OpSLessThan, spv::OpULessThan);
    case CompareOp::Le: return choose(spv::OpFOrdLessThanEqual, spv::OpSLessThanEqual, spv::OpULessThanEqual);
    case CompareOp::Gt: return choose(spv::OpFOrdGreaterThan, spv::OpSGreaterThan, spv::OpUGreaterThan);
    case CompareOp::Ge: return choose(spv::OpFOrdGreaterThanEqual, spv::OpSGreaterThanEqual, spv::OpUGreaterThanEqual);
    case CompareOp::Eq: return choose(spv::OpFOrdEqual, spv::OpIEqual, spv::OpIEqual);
    case CompareOp::Ne: return choose(spv::OpFUnordNotEqual, spv::OpINotEqual, spv::OpINotEqual);
    case CompareOp::AddOverflows:
    case CompareOp::SubOverflows:
    case CompareOp::MulOverflows: break;
  }
  return 0;
}

/// Whether the operation on two integers overflows their type.
Id Arithmetic::overflows(CompareOp op, Type type, Id x, Id y) {
  if (op == CompareOp::MulOverflows) return product_overflows(type, x, y);
  const bool adds = op == CompareOp::AddOverflows;
  if (type == Type::U1) {
    const Id other = adds ? x : code_.op(spv::OpLogicalNot, truth(), {x});
    return code_.op(spv::OpLogicalAnd, truth(), {other, y});
  }
  const Id t = this->type(type);
  const Id exact = code_.op(adds ? spv::OpIAdd : spv::OpISub, t, {x, y});
  // A small type has room in 32 bits.
  if (ir::bit_width(type) < 32) return test(spv::OpINotEqual, exact, canonical(type, exact));
  if (!ir::is_signed(type)) return adds ? test(spv::OpULessThan, exact, x) : test(spv::OpULessThan, x, y);
  // The sign of the result is wrong: it differs from that of x, and of y (of -y).
  const Id with_x = code_.op(spv::OpBitwiseXor, t, {exact, x});
  const Id with_y = code_.op(spv::OpBitwiseXor, t, {adds ? exact : x, y});
  return test(spv::OpSLessThan, code_.op(spv::OpBitwiseAnd, t, {with_x, with_y}), whole(type, 0));
}

Id Arithmetic::product_overflows(Type type, Id x, Id y) {
  if (type == Type::U1) return module_.truth(false);
  const bool is_signed = ir::is_signed(type);
  if (ir::bit_width(type) < 64) {
    const Id product = wide_integer(spv::OpIMul, widen(x, is_signed), widen(y, is_signed));
    const Id back = widen(canonical(type, narrow(product)), is_signed);
    return test(spv::OpINotEqual, product, back);
  }
  const Id low = wide_integer(spv::OpIMul, x, y);
  Id high = software(Software::HighProduct, Type::U64, Type::U64, {x, y});
  if (!is_signed) return test(spv::OpINotEqual, high, wide(0));
  // The upper half of the product of signed numbers.
  auto where_negative = [&](Id sign, Id value) {
    return code_.op(spv::OpSelect, u64(), {test(spv::OpSLessThan, sign, wide(0)), value, wide(0)});
  };
  high = wide_integer(spv::OpISub, high, where_negative(x, y));
  high = wide_integer(spv::OpISub, high, where_negative(y, x));
  return test(spv::OpINotEqual, high, wide_integer(spv::OpShiftRightArithmetic, low, wide(63)));
}

/// Selects one of two values. Mesa 22.3 makes -0.0 of the zero in a choice between 0.0 and -1.0. So if both are
/// constants and one is zero, the bits of the other are masked.
Id Arithmetic::select(Id condition, Type type, Id yes, Id no) {
  uint64_t bits_yes = 0, bits_no = 0;
  const bool both = ir::is_float(type) && module_.known(yes, bits_yes) && module_.known(no, bits_no);
  if (!both || (bits_yes == 0) == (bits_no == 0))
    return code_.op(spv::OpSelect, this->type(type), {condition, yes, no});
  const Type word = holder(type) == Type::F64 ? Type::U64 : Type::U32;
  const Id none = constant(word, 0), all = constant(word, UINT64_MAX);
  const Id mask =
      code_.op(spv::OpSelect, this->type(word), {condition, bits_yes == 0 ? none : all, bits_no == 0 ? none : all});
  const Id kept = code_.op(spv::OpBitwiseAnd, this->type(word), {mask, constant(word, bits_yes | bits_no)});
  return code_.op(spv::OpBitcast, this->type(type), {kept});
}

Id Arithmetic::limited(Type type, Id number, size_t last) {
  const Id limit = constant(type, last);
  // A negative number is beyond the last one, too.
  const Id inside = select(test(spv::OpUGreaterThan, number, limit), type, limit, number);
  return ir::bit_width(type) == 64 ? narrow(inside) : inside;
}

/// A tree of choices, one level for each bit of the number.
Id Arithmetic::pick(Type index_type, Id index, Type type, std::span<const Id> choices) {
  const Id place = limited(index_type, index, choices.size() - 1);
  std::vector<Id> level(choices.begin(), choices.end());
  for (uint32_t bit = 0; level.size() > 1; ++bit) {
    const Id is_set = test(spv::OpINotEqual, integer(spv::OpBitwiseAnd, place, number(1u << bit)), number(0));
    std::vector<Id> next;
    for (size_t i = 0; i < level.size(); i += 2)
      next.push_back(i + 1 < level.size() && level[i] != level[i + 1] ? select(is_set, type, level[i + 1], level[i])
                                                                      : level[i]);
    level = std::move(next);
  }
  return level[0];
}

}  // namespace qd::codegen::spirv
