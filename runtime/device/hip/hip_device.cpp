#include "runtime/device/hip/hip_device.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "runtime/codegen/amdgpu/amdgpu_target.h"
#include "runtime/device/gpu/gpu_device.h"

namespace qd::device {
namespace {

using namespace gpu;

/// Numbers of hipDeviceAttribute_t, those of ROCm since 4.4.
constexpr Attributes kAttributes{
    .max_threads = 56, .shared_bytes = 74, .subgroup_size = 87, .multiprocessors = 63, .integrated = 16, .pools = 88};

std::string version_text(int version) {
  return fmt::format("HIP {}.{}", version / 10'000'000, version / 100'000 % 100);
}

Driver open() {
  static constexpr std::array<const char*, 4> libraries{"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6",
                                                        "libamdhip64.so.5"};
  return open_driver("amdgpu", "QD_HIP_DRIVER", libraries, true, "ROCm 5.2");
}

const Driver& driver() { return opened_driver("amdgpu", "HIP", open); }

/// hipDeviceProp_t is another struct in ROCm 6 than before. In both, the name of the processor is the only text that
/// begins with "gfx" behind the device's name, which takes 256 bytes. "gfx90a:sramecc+:xnack-" is gfx90a.
std::string processor_in(const std::vector<char>& properties) {
  constexpr std::string_view begin = "gfx";
  const auto found = std::search(properties.begin() + 256, properties.end(), begin.begin(), begin.end());
  if (found == properties.end()) return {};
  const std::string text(&*found);
  return text.substr(0, text.find(':'));
}

Properties properties(const Driver& driver, int number) {
  const DeviceQuery gpu(driver, number);
  Properties found = gpu.properties(kAttributes);
  if (found.name.empty()) found.name = "AMD GPU";
  std::vector<char> all(16 << 10);
  gpu.require("device_properties", driver.device_properties(all.data(), gpu.device()));
  found.processor = processor_in(all);
  return found;
}

std::string lacks(const Properties& properties) {
  if (driver().simulated_target) return {};
  try {
    (void)codegen::AmdgpuTarget(properties.processor);
    return {};
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

std::unique_ptr<codegen::Target> target(const Properties& properties, uint32_t) {
  return std::make_unique<codegen::AmdgpuTarget>(properties.processor);
}

std::string image(const Driver&, const Properties&, const KeptBytes&, const std::string& code) { return code; }

constexpr Kind kKind{.driver = driver,
                     .properties = properties,
                     .lacks = lacks,
                     .target = target,
                     .image = image,
                     .api_version = version_text,
                     .features = static_cast<ir::Features>(ir::kAllFeatures & ~ir::features(ir::Feature::Recursion)),
                     .api = "HIP"};

}  // namespace

std::unique_ptr<Device> hip_device(const DeviceOptions& options) { return gpu::device(kKind, options); }

std::string why_no_hip(const std::string& device) { return why_not(kKind, device); }

std::vector<DeviceInfo> hip_devices() {
  try {
    return devices(kKind);
  } catch (const std::runtime_error&) {  // there is no driver
    return {};
  }
}

}  // namespace qd::device
