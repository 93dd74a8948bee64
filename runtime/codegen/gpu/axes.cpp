#include "runtime/codegen/gpu/axes.h"

namespace qd::codegen::gpu {

using llvm::Value;

void Axes::add(Value* begin, Value* end, bool small) {
  Value* filled = b_.CreateICmpSLT(begin, end);
  begins_.push_back(begin);
  filled_.push_back(filled);
  extents_.push_back(b_.CreateSelect(filled, b_.CreateSub(end, begin), b_.getInt32(1)));
  may_wrap_.push_back(!small);
}

void Axes::close() {
  Value* filled = filled_[0];
  for (size_t axis = 1; axis < size(); ++axis) filled = b_.CreateAnd(filled, filled_[axis]);
  first_extent_ = b_.CreateSelect(filled, extents_[0], b_.getInt32(0));
}

Digits Axes::digits(Value* number) {
  Digits at(size());
  for (size_t axis = size(); axis-- > 1;) {
    Value* quotient = b_.CreateUDiv(number, extents_[axis]);
    at[axis] = b_.CreateSub(number, b_.CreateMul(quotient, extents_[axis]));
    number = quotient;
  }
  at[0] = number;
  return at;
}

/// As one adds by hand.
Digits Axes::sum(const Digits& at, const Digits& step) {
  Digits next(size());
  Value* carry = nullptr;
  for (size_t axis = size(); axis-- > 0;) {
    Value* digit = b_.CreateAdd(at[axis], step[axis]);
    if (carry) digit = b_.CreateAdd(digit, b_.CreateZExt(carry, b_.getInt32Ty()));
    Value* wraps = may_wrap_[axis] ? b_.CreateICmpULT(digit, at[axis]) : nullptr;
    if (axis > 0) {
      carry = b_.CreateICmpUGE(digit, extents_[axis]);
      if (wraps) carry = b_.CreateOr(carry, wraps);
      digit = b_.CreateSelect(carry, b_.CreateSub(digit, extents_[axis]), digit);
    } else if (wraps) {
      digit = b_.CreateSelect(wraps, b_.getInt32(UINT32_MAX), digit);  // out of range
    }
    next[axis] = digit;
  }
  return next;
}

Value* Axes::index(const Digits& at, size_t axis) {
  return b_.CreateSExt(b_.CreateAdd(begins_[axis], at[axis]), b_.getInt64Ty());
}

Value* Axes::number(const Digits& at) {
  llvm::Type* word = b_.getInt64Ty();
  Value* number = b_.CreateZExt(at[0], word);
  for (size_t axis = 1; axis < size(); ++axis) {
    Value* above = b_.CreateMul(number, b_.CreateZExt(extents_[axis], word));
    number = b_.CreateAdd(above, b_.CreateZExt(at[axis], word));
  }
  return number;
}

}  // namespace qd::codegen::gpu
