#include "runtime/device/gpu/gpu_exchange.h"

#include <fmt/format.h>

namespace qd::device::gpu {
namespace {

// Numbers of DLPack's DLDeviceType.
constexpr int kDlCuda = 2;
constexpr int kDlRocm = 10;

}  // namespace

int GpuExchange::dlpack_type() const { return gpu_.driver().is_hip ? kDlRocm : kDlCuda; }

/// Checks an address by the driver. Without such a query all pass: a wrong one is a fault in the kernel then.
std::string GpuExchange::why_not(uint64_t address) {
  if (!gpu_.usable()) return gpu_.lost_error();
  if (!gpu_.driver().pointer_attribute) return {};
  const Gpu::Current current(gpu_);
  int device = 0;
  const Result result = gpu_.driver().pointer_attribute(&device, kDeviceOfPointer, address);
  if (is_sticky(result)) gpu_.require("pointer_attribute", result);
  if (result != kSuccess) {
    return fmt::format("{:#x} is no memory that {} knows: {}", address, gpu_.kind().api,
                       CallFailed(gpu_.driver(), "pointer_attribute", result, {}).what());
  }
  if (device == number()) return {};
  return fmt::format("it is on GPU {}, and kernels run on GPU {}", device, number());
}

void GpuExchange::order(DriverStream earlier, DriverStream later) {
  if (!gpu_.usable()) throw std::runtime_error(gpu_.lost_error());
  if (earlier == later) return;
  const Gpu::Current current(gpu_);
  gpu::order(gpu_, events_, reinterpret_cast<Handle>(earlier), reinterpret_cast<Handle>(later));
}

}  // namespace qd::device::gpu
