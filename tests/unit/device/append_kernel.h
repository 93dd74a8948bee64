// A kernel whose launches leave their order in memory.
#pragma once

#include <memory>

#include "runtime/device/device.h"
#include "runtime/passes/pipeline.h"

namespace qd::device::testing {

/// x[0] = x[0] * 10 + digit
constexpr const char* kAppend = R"(kernel append
param 0 digit i32
array 0 x i32 rank 1 parameter
function 0 "/project/append.py" append 4
location 0 function 0 line 5 col 4

body {
  %0 = const i32 0 @0
  %1 = const i32 10 @0
  %2 = arg i32 0 @0
  %3 = element_ptr i32 0 [%0] @0
  %4 = load i32 %3 @0
  %5 = mul i32 %4, %1 @0
  %6 = add i32 %5, %2 @0
  store %3, %6 @0
}
)";

/// That kernel, loaded on a device. Its array is an i32, its parameter the digit.
inline std::unique_ptr<Executable> append_kernel(Device& device) {
  ir::Kernel kernel = ir::parse(kAppend);
  passes::PassOptions options;
  options.plan = device.target().plan();
  passes::run(kernel, options);
  return device.load(device.target().compile(kernel, {}), kernel);
}

}  // namespace qd::device::testing
