// A kernel as bytes, at any stage: for keys of caches, and to keep kernels in files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/ir/kernel.h"

namespace qd::ir {

/// Packs every field of the kernel. Kernels with the same bytes are the same. Only this build on this computer can read
/// the bytes.
std::string pack(const Kernel& kernel);

/// The kernel that was packed. Nothing when the bytes are not of pack(). Bytes that this build packed from a valid
/// kernel give a valid kernel; other bytes need ir::verify.
std::optional<Kernel> unpack(std::string_view bytes);

}  // namespace qd::ir
