// Parts of a range of few iterations that take long: whole vectors of iterations where these run together.
#include "runtime/device/cpu/chunks.h"

#include <gtest/gtest.h>

#include "runtime/codegen/cpu/host_target.h"
#include "runtime/passes/pipeline.h"

namespace qd::device {
namespace {

/// for i in x: while x[i] > 1: x[i] //= 2
constexpr const char* kHalved = R"(kernel halved
array 0 x i32 rank 1 parameter

task parallel t loop %0 [0, shape 0 0)CHOICE {
  body {
    loop {
      %2 = loop_index i32 %0 0
      %3 = element_ptr i32 0 [%2]
      %4 = load i32 %3
      %5 = const i32 1
      %6 = gt u1 %4, %5
      if %6 {
      } else {
        break
      }
      %9 = const i32 2
      %10 = floor_div i32 %4, %9
      store %3, %10
    }
  }
}
)";

CpuExecutable::LoadedTask halved(const std::string& choice) {
  std::string text = kHalved;
  text.replace(text.find("CHOICE"), 6, choice);
  const ir::Kernel kernel = ir::parse(text);
  return CpuExecutable(codegen::host_target().compile(kernel, {}), kernel).tasks()[0];
}

TEST(Chunks, AreWholeVectorsOfIterations) {
  LaunchContext context{};
  CpuExecutable::LoadedTask alone = halved(" vectorize no"), together = halved(" vectorize yes");
  EXPECT_EQ(alone.lanes, 1);
  EXPECT_GE(together.lanes, 8);
  alone.cost = together.cost = 20'000;  // 2 microseconds
  for (int64_t iterations : {40, 256, 1000}) {
    EXPECT_LT(chunk_of(alone, iterations, 2, context), together.lanes * 2);
    const int64_t chunk = chunk_of(together, iterations, 2, context);
    EXPECT_EQ(chunk % together.lanes, 0) << chunk << " of " << iterations;
    EXPECT_LT(chunk, iterations);
  }
  EXPECT_EQ(chunk_of(alone, 256, 2, context), 4);
  EXPECT_EQ(chunk_of(together, 256, 2, context), together.lanes);
}

}  // namespace
}  // namespace qd::device
