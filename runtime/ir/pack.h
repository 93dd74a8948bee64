// A kernel in bytes, at any stage: for keys of caches, and to keep kernels in files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/ir/kernel.h"

namespace qd::ir {

/// Every field of the kernel: kernels with the same bytes are the same. The bytes are those of this build on this
/// computer.
std::string pack(const Kernel& kernel);

/// The kernel of pack(). Nothing when the bytes are none; what was packed by this build is valid IR when the kernel
/// was, other bytes need ir::verify.
std::optional<Kernel> unpack(std::string_view bytes);

}  // namespace qd::ir
