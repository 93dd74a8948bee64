#include "runtime/codegen/spirv/axes.h"

namespace qd::codegen::spirv {

void Axes::add(Id begin, Id end, bool small) {
  const Id filled = a_.test(spv::OpSLessThan, begin, end);
  begins_.push_back(begin);
  filled_.push_back(filled);
  extents_.push_back(code_.op(spv::OpSelect, a_.u32(), {filled, a_.integer(spv::OpISub, end, begin), a_.number(1)}));
  may_wrap_.push_back(!small);
}

void Axes::close() {
  Id filled = filled_[0];
  for (size_t axis = 1; axis < size(); ++axis)
    filled = code_.op(spv::OpLogicalAnd, a_.truth(), {filled, filled_[axis]});
  first_extent_ = code_.op(spv::OpSelect, a_.u32(), {filled, extents_[0], a_.number(0)});
}

Digits Axes::digits(Id number) {
  Digits at(size());
  for (size_t axis = size(); axis-- > 1;) {
    const Id quotient = a_.integer(spv::OpUDiv, number, extents_[axis]);
    at[axis] = a_.integer(spv::OpISub, number, a_.integer(spv::OpIMul, quotient, extents_[axis]));
    number = quotient;
  }
  at[0] = number;
  return at;
}

/// As one adds by hand.
Digits Axes::sum(const Digits& at, const Digits& step) {
  Digits next(size());
  Id carry = 0;
  for (size_t axis = size(); axis-- > 0;) {
    Id digit = a_.integer(spv::OpIAdd, at[axis], step[axis]);
    if (carry != 0) digit = a_.integer(spv::OpIAdd, digit, carry);
    const Id wraps = may_wrap_[axis] ? a_.test(spv::OpULessThan, digit, at[axis]) : 0;
    if (axis > 0) {
      Id carries = a_.test(spv::OpUGreaterThanEqual, digit, extents_[axis]);
      if (wraps != 0) carries = code_.op(spv::OpLogicalOr, a_.truth(), {carries, wraps});
      const Id over = a_.integer(spv::OpISub, digit, extents_[axis]);
      digit = code_.op(spv::OpSelect, a_.u32(), {carries, over, digit});
      carry = code_.op(spv::OpSelect, a_.u32(), {carries, a_.number(1), a_.number(0)});
    } else if (wraps != 0) {
      digit = code_.op(spv::OpSelect, a_.u32(), {wraps, a_.number(UINT32_MAX), digit});  // out of range
    }
    next[axis] = digit;
  }
  return next;
}

Id Axes::number(const Digits& at) {
  Id number = a_.widen(at[0], false);
  for (size_t axis = 1; axis < size(); ++axis) {
    const Id above = a_.wide_integer(spv::OpIMul, number, a_.widen(extents_[axis], false));
    number = a_.wide_integer(spv::OpIAdd, above, a_.widen(at[axis], false));
  }
  return number;
}

}  // namespace qd::codegen::spirv
