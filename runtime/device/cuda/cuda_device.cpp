#include "runtime/device/cuda/cuda_device.h"

#include <array>
#include <string>

#include <fmt/format.h>

#include "runtime/codegen/nvptx/nvptx_target.h"
#include "runtime/device/cuda/cubin.h"
#include "runtime/device/gpu/gpu_device.h"

namespace qd::device {
namespace {

using namespace gpu;

/// Oldest version of CUDA: the driver must know PTX 7.8 (NvptxTarget).
constexpr int kOldestVersion = 11080;
constexpr int kOldestCapability = 75;

/// Numbers of CUdevice_attribute.
constexpr Attributes kAttributes{
    .max_threads = 1, .shared_bytes = 8, .subgroup_size = 10, .multiprocessors = 16, .integrated = 18, .pools = 115};
constexpr int kCapabilityMajor = 75, kCapabilityMinor = 76;

std::string version_text(int version) { return fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10); }

Driver open() {
  static constexpr std::array<const char*, 2> libraries{"libcuda.so.1", "libcuda.so"};
  Driver driver = open_driver("cuda", "QD_CUDA_DRIVER", libraries, false, "CUDA 11.8");
  int version = 0;
  driver.driver_version(&version);
  if (version < kOldestVersion) {
    throw NotAvailable("cuda", fmt::format("{} is a driver for {}, and one for CUDA 11.8 or later is needed",
                                           driver.library, version_text(version)));
  }
  return driver;
}

const Driver& driver() { return opened_driver("cuda", "CUDA", open); }

Properties properties(const Driver& driver, int number) {
  const DeviceQuery gpu(driver, number);
  Properties found = gpu.properties(kAttributes);
  found.compute_capability = 10 * gpu.attribute(kCapabilityMajor) + gpu.attribute(kCapabilityMinor);
  found.processor = fmt::format("sm_{}", found.compute_capability);
  return found;
}

std::string lacks(const Properties& properties) {
  if (properties.compute_capability >= kOldestCapability) return {};
  return fmt::format("its compute capability is {}.{}, and 7.5 or later is needed", properties.compute_capability / 10,
                     properties.compute_capability % 10);
}

std::unique_ptr<codegen::Target> target(const Properties& properties, uint32_t stack_bytes) {
  return std::make_unique<codegen::NvptxTarget>(
      codegen::NvptxDevice{.compute_capability = properties.compute_capability, .stack_bytes = stack_bytes});
}

constexpr Kind kKind{.driver = driver,
                     .properties = properties,
                     .lacks = lacks,
                     .target = target,
                     .image = cubin,
                     .api_version = version_text,
                     .features = ir::kAllFeatures,
                     .api = "CUDA"};

}  // namespace

const gpu::Kind& cuda_kind() { return kKind; }

std::unique_ptr<Device> cuda_device(const DeviceOptions& options) { return gpu::device(kKind, options); }

std::string why_no_cuda(const std::string& device) { return why_not(kKind, device); }

std::vector<DeviceInfo> cuda_devices() {
  try {
    return devices(kKind);
  } catch (const std::runtime_error&) {  // there is no driver
    return {};
  }
}

}  // namespace qd::device
