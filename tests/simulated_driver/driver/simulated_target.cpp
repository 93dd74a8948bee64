#include "tests/simulated_driver/driver/simulated_target.h"

#include <fmt/format.h>

#include <array>

#include "runtime/codegen/gpu/compile.h"
#include "runtime/codegen/gpu/task_shape.h"
#include "tests/simulated_driver/driver/image.h"
#include "tests/simulated_driver/driver/settings.h"
#include "tests/simulated_driver/threads/fibres.h"
#include "tests/simulated_driver/threads/host_hardware.h"

namespace qd::simulated {
namespace {

constexpr auto kObject = llvm::CodeGenFileType::ObjectFile;

class SimulatedTarget final : public codegen::Target {
 public:
  SimulatedTarget(std::string_view maker, uint32_t subgroup_size, uint32_t stack_bytes, bool checked)
      : subgroup_size_(subgroup_size), stack_bytes_(stack_bytes), checked_(checked), has_conditions_(maker == "cuda") {
    const std::string name = fmt::format("simulated {}", maker);
    compiler_ = codegen::gpu::compiler_version(name.c_str());
    processor_ =
        fmt::format("{}, subgroups of {}{}, {}", name, subgroup_size, checked_ ? ", checked" : "", host_processor());
  }
  const std::string& compiler() const override { return compiler_; }
  const std::string& processor() const override { return processor_; }
  const passes::Plan& plan() const override { return passes::kGpuPlan; }
  bool wants_lines() const override { return checked_; }
  codegen::Binary compile(const ir::Kernel& kernel, const codegen::Options& options) const override {
    BlockBytes block_bytes;
    const HostHardware hardware(subgroup_size_, stack_bytes_, block_bytes, checked_);
    codegen::Binary binary = codegen::gpu::compile(kernel, options, hardware, kObject);
    Image image{subgroup_size_, {}, std::move(binary.code)};
    for (size_t i = 0; i < kernel.tasks.size(); ++i) {
      const std::string& name = binary.symbols[i];
      image.kernels.push_back(
          {name, codegen::gpu::shape_of(kernel, kernel.tasks[i]).group_size, block_bytes[name], checked_});
    }
    binary.code = pack(image);
    return binary;
  }

  codegen::Binary condition_setter() const override {
    if (!has_conditions_) return {};
    BlockBytes block_bytes;
    const HostHardware hardware(subgroup_size_, stack_bytes_, block_bytes, checked_);
    codegen::Binary binary = codegen::gpu::condition_setter(hardware, kObject);
    binary.code = pack({subgroup_size_, {{binary.symbols[0], 1, 0, checked_}}, std::move(binary.code)});
    return binary;
  }

 private:
  uint32_t subgroup_size_, stack_bytes_;
  bool checked_;
  bool has_conditions_;  // in graphs
  std::string compiler_, processor_;
};

}  // namespace

const codegen::Target* target_of(std::string_view maker) {
  // Never destroyed: the process may still compile when it ends.
  static const auto& cuda =
      *new std::array{SimulatedTarget("cuda", 32, kStackBytes, false), SimulatedTarget("cuda", 32, kStackBytes, true)};
  static const uint32_t wave = settings_of_environment().wave;
  static const auto& hip =
      *new std::array{SimulatedTarget("hip", wave, 0, false), SimulatedTarget("hip", wave, 0, true)};
  const bool checked = settings_of_environment().checks;
  return maker == "cuda" ? &cuda[checked] : maker == "hip" ? &hip[checked] : nullptr;
}

}  // namespace qd::simulated
