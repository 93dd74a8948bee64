#include "tests/simulated_driver/driver/simulated_target.h"

#include <fmt/format.h>

#include "runtime/codegen/gpu/compile.h"
#include "runtime/codegen/gpu/task_shape.h"
#include "tests/simulated_driver/driver/image.h"
#include "tests/simulated_driver/driver/settings.h"
#include "tests/simulated_driver/threads/fibres.h"
#include "tests/simulated_driver/threads/host_hardware.h"

namespace qd::simulated {
namespace {

class SimulatedTarget final : public codegen::Target {
 public:
  SimulatedTarget(std::string_view maker, uint32_t subgroup_size, uint32_t stack_bytes)
      : subgroup_size_(subgroup_size), stack_bytes_(stack_bytes) {
    const std::string name = fmt::format("simulated {}", maker);
    compiler_ = codegen::gpu::compiler_version(name.c_str());
    processor_ = fmt::format("{}, subgroups of {}, {}", name, subgroup_size, host_processor());
  }
  const std::string& compiler() const override { return compiler_; }
  const std::string& processor() const override { return processor_; }
  const passes::Plan& plan() const override {
    static constexpr passes::Plan plan{.blocks = true, .costs = false, .counts = passes::LaunchCounts::Device};
    return plan;
  }
  codegen::Binary compile(const ir::Kernel& kernel, const codegen::Options& options) const override {
    BlockBytes block_bytes;
    const HostHardware hardware(subgroup_size_, stack_bytes_, block_bytes);
    codegen::Binary binary = codegen::gpu::compile(kernel, options, hardware, llvm::CodeGenFileType::ObjectFile);
    Image image{subgroup_size_, {}, std::move(binary.code)};
    for (size_t i = 0; i < kernel.tasks.size(); ++i) {
      const std::string& name = binary.symbols[i];
      image.kernels.push_back({name, codegen::gpu::shape_of(kernel, kernel.tasks[i]).group_size, block_bytes[name]});
    }
    binary.code = pack(image);
    return binary;
  }

 private:
  uint32_t subgroup_size_, stack_bytes_;
  std::string compiler_, processor_;
};

}  // namespace

const codegen::Target* target_of(std::string_view maker) {
  // Never destroyed: the process may still compile when it ends.
  static const auto& cuda = *new SimulatedTarget("cuda", 32, kStackBytes);
  static const auto& hip = *new SimulatedTarget("hip", settings_of_environment().wave, 0);
  return maker == "cuda" ? &cuda : maker == "hip" ? &hip : nullptr;
}

}  // namespace qd::simulated
