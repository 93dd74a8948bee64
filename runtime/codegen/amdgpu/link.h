// Linker of AMD code objects, from the object file that LLVM writes.
#pragma once

#include <string>
#include <string_view>

namespace qd::codegen::amdgpu {

/// A shared library with the same code, as amdhsa loads it, of one relocatable ELF file for AMDGPU. Its dynamic symbols
/// are the kernels and their descriptors. Throws std::logic_error when the file has parts that our code never has: data
/// that can be written, references to other files or to absolute addresses.
std::string link(std::string_view object);

}  // namespace qd::codegen::amdgpu
