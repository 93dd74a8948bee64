// Loaded code of the simulated devices, and how a kernel of it runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/device/cpu/loader.h"
#include "tests/simulated_driver/checks/memory_map.h"
#include "tests/simulated_driver/driver/image.h"
#include "tests/simulated_driver/driver/results.h"

namespace qd::simulated {

class Module;

struct KernelFunction {
  KernelFacts facts;
  uint32_t subgroup_size;
  TaskFunction code;  // in truth one that takes KernelArguments
};

/// The parameters of each kernel (runtime/abi/task_arguments.h).
struct KernelArguments {
  uint64_t launch, seed;
  uint32_t group_stride, step, rounds;
};

class Module {
 public:
  /// Throws std::runtime_error when the image is wrong.
  explicit Module(const void* image);
  /// Null: there is none of that name. Lives as long as the module.
  const KernelFunction* function(const std::string& name) const;
  const std::vector<KernelFunction>& functions() const { return functions_; }

 private:
  std::unique_ptr<device::LoadedObject> code_;
  std::vector<KernelFunction> functions_;
};

/// Runs all groups, one after the other, with their shared memory filled with 0xCD. One kernel runs at a time. To be
/// called by a thread of a device. `memory`: the device's, for code that is checked; races and wrong addresses go to
/// standard error, and fail the launch.
Result run_kernel(const KernelFunction& function, const KernelArguments& arguments, uint32_t groups,
                  const MemoryMap& memory);

}  // namespace qd::simulated
