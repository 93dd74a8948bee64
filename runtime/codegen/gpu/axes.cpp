#include "runtime/codegen/gpu/axes.h"

namespace qd::codegen::gpu {

using llvm::Value;

void Axes::add(Value* begin, Value* end, ir::Type counts, bool small) {
  const bool is_signed = ir::is_signed(counts);
  Value* filled = is_signed ? b_.CreateICmpSLT(begin, end) : b_.CreateICmpULT(begin, end);
  begins_.push_back(begin);
  signed_.push_back(is_signed);
  filled_.push_back(filled);
  extents_.push_back(b_.CreateSelect(filled, b_.CreateSub(end, begin), llvm::ConstantInt::get(begin->getType(), 1)));
  may_wrap_.push_back(!small && ir::bit_width(counts) == 32);
}

void Axes::close() {
  Value* filled = filled_[0];
  for (size_t axis = 1; axis < size(); ++axis) filled = b_.CreateAnd(filled, filled_[axis]);
  first_extent_ = b_.CreateSelect(filled, extents_[0], llvm::ConstantInt::get(extents_[0]->getType(), 0));
}

Digits Axes::digits(Value* number) {
  Digits at(size());
  // The number has 32 bits, so each axis can be given it in its own.
  auto of_axis = [&](size_t axis) { return b_.CreateZExtOrTrunc(number, extents_[axis]->getType()); };
  for (size_t axis = size(); axis-- > 1;) {
    number = of_axis(axis);
    Value* quotient = b_.CreateUDiv(number, extents_[axis]);
    at[axis] = b_.CreateSub(number, b_.CreateMul(quotient, extents_[axis]));
    number = quotient;
  }
  at[0] = of_axis(0);
  return at;
}

/// Adds digits from the last to the first, with carries.
Digits Axes::sum(const Digits& at, const Digits& step) {
  Digits next(size());
  Value* carry = nullptr;
  for (size_t axis = size(); axis-- > 0;) {
    Value* digit = b_.CreateAdd(at[axis], step[axis]);
    if (carry) digit = b_.CreateAdd(digit, b_.CreateZExt(carry, digit->getType()));
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
  return b_.CreateIntCast(b_.CreateAdd(begins_[axis], at[axis]), b_.getInt64Ty(), signed_[axis]);
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
