// Copies of kernels have the meaning of the originals.
#include "runtime/ir/clone.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/ir/walk.h"
#include "tests/random_kernels/interpret.h"
#include "tests/random_kernels/random_kernel.h"

namespace qd::testing {
namespace {

using ::testing::IsEmpty;

/// The kernel's tables, and copies of its blocks.
ir::Kernel clone(const ir::Kernel& kernel) {
  ir::Kernel copy = kernel;
  copy.insts.clear();
  copy.operands.clear();
  copy.blocks.clear();
  ir::Cloner cloner(kernel, copy);
  copy.body = cloner.block(kernel.body);
  for (ir::Routine& routine : copy.routines) routine.body = cloner.block(routine.body);
  return copy;
}

TEST(Clone, OfAKernelMeansTheSame) {
  for (uint32_t seed = 0; seed < 300; seed++) {
    SCOPED_TRACE(seed);
    const ir::Kernel kernel = random_kernel(seed);
    const ir::Kernel copy = clone(kernel);
    ASSERT_THAT(ir::verify(copy), IsEmpty()) << print(kernel) << print(copy);
    const Launch launch = random_launch(kernel, seed);
    ASSERT_TRUE(interpret(copy, launch).outcome == interpret(kernel, launch).outcome) << print(kernel) << print(copy);
    ASSERT_EQ(print(clone(copy)), print(copy));
  }
}

constexpr std::string_view kLoop = R"(kernel k
function 0 "/k.py" k 1
loop 0 serial
probe 0 function 0 -1 -> 2
body {
  %0 = const i32 4
  probe 0
  %1 = for 0 [%0, %0) {
    %2 = loop_index i32 %1 0
    %3 = neg i32 %2
  }
}
)";

TEST(Clone, WithinAKernelUsesWhatWasNotCopied) {
  ir::Kernel kernel = ir::parse(kLoop);
  ir::Cloner cloner(kernel, kernel);
  const ir::InstId copy = cloner.inst(static_cast<ir::InstId>(1));
  kernel[kernel.body].push_back(copy);
  EXPECT_THAT(ir::verify(kernel), IsEmpty());
  const std::string text = print(kernel);
  EXPECT_THAT(text, ::testing::EndsWith(
                        "  %5 = for 0 [%0, %0) {\n    %6 = loop_index i32 %5 0\n    %7 = neg i32 %6\n  }\n}\n"));
}

TEST(EraseInsts, ClosesTheGaps) {
  ir::Kernel kernel = ir::parse(
      "kernel k body { %0 = const i32 1 %1 = const i32 4 %2 = for 0 [%1, %1) { %3 = loop_index i32 %2 0 %4 = neg i32 "
      "%3 } }");
  ir::erase_insts(kernel, [](const ir::Inst& inst) { return inst.op == ir::Op::Const && inst.imm == 1; });
  EXPECT_EQ(
      print(kernel),
      print(ir::parse(
          "kernel k body { %0 = const i32 4 %1 = for 0 [%0, %0) { %2 = loop_index i32 %1 0 %3 = neg i32 %2 } }")));
}

}  // namespace
}  // namespace qd::testing
