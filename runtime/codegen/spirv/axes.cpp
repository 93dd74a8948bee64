#include "runtime/codegen/spirv/axes.h"

namespace qd::codegen::spirv {

void Axes::add(Id begin, Id end, ir::Type counts, bool small) {
  const bool wide = ir::bit_width(counts) == 64;
  const Id filled = a_.test(ir::is_signed(counts) ? spv::OpSLessThan : spv::OpULessThan, begin, end);
  begins_.push_back(begin);
  wide_.push_back(wide);
  filled_.push_back(filled);
  const size_t axis = size() - 1;
  const Id indices = integer(axis, spv::OpISub, end, begin);
  extents_.push_back(code_.op(spv::OpSelect, type(axis), {filled, indices, number(axis, 1)}));
  may_wrap_.push_back(!small && !wide);
}

void Axes::close() {
  Id filled = filled_[0];
  for (size_t axis = 1; axis < size(); ++axis)
    filled = code_.op(spv::OpLogicalAnd, a_.truth(), {filled, filled_[axis]});
  first_extent_ = code_.op(spv::OpSelect, type(0), {filled, extents_[0], number(0, 0)});
}

Digits Axes::digits(Id number) {
  Digits at(size());
  bool is_wide = false;  // the number; its value has 32 bits in any case
  auto of_axis = [&](size_t axis) {
    if (wide_[axis] != is_wide) number = wide_[axis] ? a_.widen(number, false) : a_.narrow(number);
    is_wide = wide_[axis];
    return number;
  };
  for (size_t axis = size(); axis-- > 1;) {
    const Id all = of_axis(axis), quotient = integer(axis, spv::OpUDiv, all, extents_[axis]);
    at[axis] = integer(axis, spv::OpISub, all, integer(axis, spv::OpIMul, quotient, extents_[axis]));
    number = quotient;
  }
  at[0] = of_axis(0);
  return at;
}

/// Adds digits from the last to the first, with carries.
Digits Axes::sum(const Digits& at, const Digits& step) {
  Digits next(size());
  Id carry = 0;
  for (size_t axis = size(); axis-- > 0;) {
    Id digit = integer(axis, spv::OpIAdd, at[axis], step[axis]);
    if (carry != 0) digit = integer(axis, spv::OpIAdd, digit, carry);
    const Id wraps = may_wrap_[axis] ? a_.test(spv::OpULessThan, digit, at[axis]) : 0;
    if (axis > 0) {
      Id carries = a_.test(spv::OpUGreaterThanEqual, digit, extents_[axis]);
      if (wraps != 0) carries = code_.op(spv::OpLogicalOr, a_.truth(), {carries, wraps});
      const Id over = integer(axis, spv::OpISub, digit, extents_[axis]);
      digit = code_.op(spv::OpSelect, type(axis), {carries, over, digit});
      carry = code_.op(spv::OpSelect, type(axis - 1), {carries, number(axis - 1, 1), number(axis - 1, 0)});
    } else if (wraps != 0) {
      digit = code_.op(spv::OpSelect, a_.u32(), {wraps, a_.number(UINT32_MAX), digit});  // out of range
    }
    next[axis] = digit;
  }
  return next;
}

Id Axes::number(const Digits& at) {
  auto wide = [&](size_t axis, Id x) { return wide_[axis] ? x : a_.widen(x, false); };
  Id number = wide(0, at[0]);
  for (size_t axis = 1; axis < size(); ++axis) {
    const Id above = a_.wide_integer(spv::OpIMul, number, wide(axis, extents_[axis]));
    number = a_.wide_integer(spv::OpIAdd, above, wide(axis, at[axis]));
  }
  return number;
}

}  // namespace qd::codegen::spirv
