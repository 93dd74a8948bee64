// Memory of a GPU that this and other libraries of the process use.
#pragma once

#include <memory>

#include "runtime/device/exchange.h"
#include "runtime/device/gpu/driver_event.h"

namespace qd::device::gpu {

class GpuExchange : public Exchange {
 public:
  explicit GpuExchange(std::shared_ptr<EventPool> events) : gpu_(*events->gpu()), events_(std::move(events)) {}

  int dlpack_type() const override;
  int number() const override { return gpu_.properties().number; }
  std::string why_not(uint64_t address) override;
  void order(DriverStream earlier, DriverStream later) override;

 private:
  Gpu& gpu_;
  const std::shared_ptr<EventPool> events_;
};

}  // namespace qd::device::gpu
