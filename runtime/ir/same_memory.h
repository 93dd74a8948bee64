// Memory of arrays: which of a kernel's arrays may be the same memory, wholly or in part.
#pragma once

#include "runtime/ir/kernel.h"

namespace qd::ir {

/// Whether two arrays of a kernel may have elements in common. A parameter may be another parameter (`f(x, x.T)`), and
/// a field that the kernel names as well (`f(field)`). Two fields never have, and nothing has with the stack of a
/// gradient.
inline bool may_be_same_memory(const Kernel& kernel, uint32_t array, uint32_t other) {
  const Array::Kind a = kernel.arrays[array].kind, b = kernel.arrays[other].kind;
  if (array == other) return true;
  if (a == Array::Kind::Stack || b == Array::Kind::Stack) return false;
  return a == Array::Kind::Parameter || b == Array::Kind::Parameter;
}

}  // namespace qd::ir
