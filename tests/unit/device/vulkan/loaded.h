// Kernels from text, loaded on a device.
#pragma once

#include <chrono>

#include "tests/unit/device/append_kernel.h"

namespace qd::device::testing {

struct Loaded {
  enum class Form { Whole, Tasks };  // as the front end leaves it, or cut into tasks

  Loaded(Device& device, const char* text, Form form = Form::Whole) : kernel(ir::parse(text)) {
    passes::PassOptions options;
    options.plan = device.target().plan();
    if (form == Form::Whole) passes::run(kernel, options);
    executable = device.load(device.target().compile(kernel, {}), kernel);
  }
  ir::Kernel kernel;
  std::unique_ptr<Executable> executable;
};

inline void wait(Stream& stream) {
  while (!stream.record()->wait_for(std::chrono::hours(1))) continue;
}

}  // namespace qd::device::testing
