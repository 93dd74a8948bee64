// A launch on the Vulkan device that is here, with its memory as plain data, as tests/random_kernels/interpret.h has
// it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "runtime/codegen/spirv/spirv_target.h"
#include "runtime/device/vulkan/vulkan_device.h"
#include "tests/random_kernels/interpret.h"

namespace qd::device::testing {

/// Multiplier for the amount of work in a test: the environment variable QD_VULKAN_TIMES, or 1.
inline uint32_t times() {
  const char* text = std::getenv("QD_VULKAN_TIMES");
  return text ? static_cast<uint32_t>(std::max(1, std::atoi(text))) : 1;
}

/// The device, opened once, with the validation layer switched on where it is installed.
class VulkanRuns {
 public:
  /// Empty, or why there is no device.
  static const std::string& reason();
  static VulkanRuns& here();

  struct How {
    const codegen::Target* target = nullptr;    // null: the device's own
    std::vector<uint64_t>* counters = nullptr;  // gets what the kernel counts
  };
  /// Runs a kernel that is cut into tasks and has no probes.
  qd::testing::Outcome run(const ir::Kernel& kernel, const qd::testing::Launch& launch, const How& how);
  qd::testing::Outcome run(const ir::Kernel& kernel, const qd::testing::Launch& launch) {
    return run(kernel, launch, {});
  }
  /// A kernel behind all passes, with its probes as counters.
  ir::Kernel lowered(ir::Kernel kernel) const;

  Device& device() { return *device_; }
  /// A driver that runs on the processor. Its divisions and roots of f32 are rounded once, which Vulkan does not
  /// promise.
  bool is_lavapipe() const { return is_lavapipe_; }

 private:
  VulkanRuns();
  std::unique_ptr<Device> device_;
  bool is_lavapipe_ = false;
};

/// Skips its tests where there is no device.
template <class Base = ::testing::Test>
class OnVulkan : public Base {
 protected:
  void SetUp() override {
    if (!VulkanRuns::reason().empty()) GTEST_SKIP() << VulkanRuns::reason();
  }
};

}  // namespace qd::device::testing
