// Conversions between types.
#include <cmath>

#include "runtime/codegen/spirv/arithmetic.h"

namespace qd::codegen::spirv {

using ir::CompareOp;
using ir::Type;

Id Arithmetic::cast(Type from, Type to, Id x) {
  if (from == to) return x;
  if (to == Type::U1) return compare(CompareOp::Ne, from, x, whole(from, 0));
  if (from == Type::U1) return select(x, to, whole(to, 1), whole(to, 0));
  const bool from_wide = ir::bit_width(from) == 64, to_wide = ir::bit_width(to) == 64;
  if (ir::is_float(from) && ir::is_float(to)) {
    if (to == Type::F16)
      return rounded(to, from == Type::F64 ? software(Software::OddSingle, Type::F64, Type::F32, {x}) : x);
    return from_wide == to_wide ? x : code_.op(spv::OpFConvert, type(to), {x});
  }
  if (ir::is_float(to)) {
    const Id converted = code_.op(ir::is_signed(from) ? spv::OpConvertSToF : spv::OpConvertUToF, type(to), {x});
    return rounded(to, converted);  // every integer that fits an f16 fits an f32
  }
  if (ir::is_float(from)) return nearest_integer(holder(from), to, x);
  if (to_wide) return from_wide ? x : widened(x, ir::is_signed(from));
  return canonical(to, from_wide ? narrow(x) : x);
}

Id Arithmetic::bit_cast(Type from, Type to, Id x) { return from == to ? x : from_bits(to, bits(from, x)); }

/// Widens an integer to 64 bits. Mesa 22.3 takes comparisons of a converted number with a constant of 64 bits for true
/// (nir_opt_algebraic), so the two halves are put together here.
Id Arithmetic::widened(Id x, bool is_signed) {
  const Id high = is_signed ? integer(spv::OpShiftRightArithmetic, x, number(31)) : number(0);
  const Id pair = code_.op(spv::OpCompositeConstruct, module_.vector_type(u32(), 2), {x, high});
  return code_.op(spv::OpBitcast, u64(), {pair});
}

/// Converts an f32 or f64 to the nearest integer that the type can hold; NaN gives 0.
Id Arithmetic::nearest_integer(Type from, Type to, Id x) {
  const bool is_signed = ir::is_signed(to);
  const int width = ir::bit_width(to), digits = is_signed ? width - 1 : width;
  const double end = std::ldexp(1.0, digits), low = is_signed ? -end : 0.0;
  const spv::Op convert = is_signed ? spv::OpConvertFToS : spv::OpConvertFToU;
  const Id zero = whole(to, 0);
  if (digits <= (from == Type::F64 ? 53 : 24)) {
    // Every such integer is exact in the float's type.
    Id y = select(test(spv::OpFOrdLessThan, x, real(from, end - 1)), from, x, real(from, end - 1));
    y = select(test(spv::OpFOrdGreaterThan, y, real(from, low)), from, y, real(from, low));
    return select(is_nan(from, x), to, zero, code_.op(convert, type(to), {y}));
  }
  // The conversion of a number out of range may give anything, so it gets a zero instead.
  const Id too_low = test(spv::OpFOrdLessThan, x, real(from, low));
  const Id too_high = test(spv::OpFOrdGreaterThanEqual, x, real(from, end));
  Id wrong = code_.op(spv::OpLogicalOr, truth(), {too_low, too_high});
  wrong = code_.op(spv::OpLogicalOr, truth(), {wrong, is_nan(from, x)});
  const Id converted = code_.op(convert, type(to), {select(wrong, from, real(from, 0), x)});
  const uint64_t smallest = is_signed ? ~uint64_t{0} << digits : 0;
  const uint64_t largest = width == 64 && !is_signed ? ~uint64_t{0} : (uint64_t{1} << digits) - 1;
  const Id not_low = select(too_low, to, constant(to, smallest), converted);
  return select(too_high, to, constant(to, largest), not_low);
}

}  // namespace qd::codegen::spirv
