// What SPIRV-Tools do with a module.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace qd::codegen::spirv {

/// Why the module is none that Vulkan 1.2 allows; empty when it is one.
std::string invalid(std::span<const uint32_t> words);
/// As spirv-dis prints it, with names for common types.
std::string disassembly(std::span<const uint32_t> words);
/// What spirv-opt's passes for speed make of it. Throws std::logic_error when they cannot read it.
std::vector<uint32_t> optimised(std::span<const uint32_t> words);

}  // namespace qd::codegen::spirv
