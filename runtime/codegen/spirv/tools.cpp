#include "runtime/codegen/spirv/tools.h"

#include <stdexcept>

#include <spirv-tools/libspirv.hpp>
#include <spirv-tools/optimizer.hpp>

namespace qd::codegen::spirv {
namespace {

constexpr spv_target_env kEnvironment = SPV_ENV_VULKAN_1_2;

/// Collects the messages of the tools.
spvtools::MessageConsumer into(std::string& text) {
  return [&text](spv_message_level_t level, const char*, const spv_position_t&, const char* message) {
    if (level <= SPV_MSG_ERROR) text += std::string(text.empty() ? "" : "\n") + message;
  };
}

}  // namespace

std::string invalid(std::span<const uint32_t> words) {
  std::string text;
  spvtools::SpirvTools tools(kEnvironment);
  tools.SetMessageConsumer(into(text));
  if (tools.Validate(words.data(), words.size())) return "";
  return text.empty() ? "not valid" : text;
}

std::string disassembly(std::span<const uint32_t> words) {
  std::string text;
  const spvtools::SpirvTools tools(kEnvironment);
  if (!tools.Disassemble(std::vector<uint32_t>(words.begin(), words.end()), &text,
                         SPV_BINARY_TO_TEXT_OPTION_NO_HEADER | SPV_BINARY_TO_TEXT_OPTION_INDENT |
                             SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES))
    throw std::logic_error("a SPIR-V module that SPIRV-Tools cannot read");
  return text;
}

std::vector<uint32_t> optimised(std::span<const uint32_t> words) {
  std::string text;
  spvtools::Optimizer optimizer(kEnvironment);
  optimizer.SetMessageConsumer(into(text));
  optimizer.RegisterPerformancePasses();
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  std::vector<uint32_t> out;
  if (!optimizer.Run(words.data(), words.size(), &out, options))
    throw std::logic_error("SPIRV-Tools cannot optimise a module: " + text);
  return out;
}

}  // namespace qd::codegen::spirv
