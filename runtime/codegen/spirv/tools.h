// Validator, disassembler and optimiser of SPIRV-Tools.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace qd::codegen::spirv {

/// The reason why the module is none that Vulkan 1.2 allows; empty when it is one.
std::string invalid(std::span<const uint32_t> words);
/// Disassembles a module in the form of spirv-dis, with names for common types.
std::string disassembly(std::span<const uint32_t> words);
/// Optimises a module by spirv-opt's passes for speed. Throws std::logic_error when they cannot read it.
std::vector<uint32_t> optimised(std::span<const uint32_t> words);

}  // namespace qd::codegen::spirv
