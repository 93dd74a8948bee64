// Serialisation of a kernel as bytes, at any stage: for keys of caches, and to keep kernels in files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/ir/kernel.h"

namespace qd::ir {

/// Packs every field of the kernel. Different kernels have different bytes. Only the same build on the same computer
/// can read them.
std::string pack(const Kernel& kernel);

/// Reads a packed kernel. Nothing when the bytes are not of pack(). Bytes that this build packed from a valid kernel
/// give a valid kernel; other bytes need ir::verify.
std::optional<Kernel> unpack(std::string_view bytes);

}  // namespace qd::ir
