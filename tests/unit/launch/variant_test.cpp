// Launches of kernels that are written as IR.
#include "runtime/launch/variant.h"

#include <gtest/gtest.h>

#include "runtime/back_ends/back_ends.h"
#include "runtime/launch/program.h"

namespace qd {
namespace {

constexpr const char* kSaxpy = R"(kernel saxpy
param 0 a f32
array 0 x f32 rank 1 parameter
array 1 y f32 rank 1 parameter
function 0 "/project/saxpy.py" saxpy 4
location 0 function 0 line 5 col 4
location 1 function 0 line 6 col 8
loop 0 parallel

body {
  %0 = const i32 0 @0
  %2 = shape i32 0 0 @0
  %5 = arg f32 0 @1
  %6 = for 0 [%0, %2) @0 {
    %7 = loop_index i32 %6 0 @0
    %8 = element_ptr f32 0 [%7] @1
    %9 = load f32 %8 @1
    %10 = mul f32 %5, %9 @1
    %11 = element_ptr f32 1 [%7] @1
    %12 = atomic add f32 %11, %10 @1
  }
}
)";

FieldUse no_field(uint64_t) { throw std::logic_error("no field"); }

TEST(Variant, Saxpy) {
  Launcher launcher(back_ends::make("cpu", {.threads = 2}));
  Variant variant(ir::parse(kSaxpy), "", Config{}, launcher.device(), nullptr, no_field);
  const int n = 1'000'003;
  std::vector<float> x(n), y(n, 1.0f);
  for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i);
  ArraySlot arrays[2] = {{x.data(), {n}}, {y.data(), {n}}};
  float a = 2.0f;
  uint64_t params[1] = {std::bit_cast<uint32_t>(a)};
  variant.run(launcher, arrays, params, nullptr);
  for (int i = 0; i < n; ++i) ASSERT_EQ(y[i], 2.0f * static_cast<float>(i) + 1.0f) << i;
}

}  // namespace
}  // namespace qd
