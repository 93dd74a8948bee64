// NVIDIA's assembler takes all PTX that is made.
#include "runtime/codegen/nvptx/nvptx_target.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/gpu_kernels/assembler.h"
#include "tests/unit/codegen/gpu/every_kernel.h"

namespace qd::codegen {
namespace {

/// The oldest GPU, and the newest one that LLVM knows.
class Nvptx : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!assembler_.missing().empty()) GTEST_SKIP() << assembler_.missing();
  }
  void TearDown() override {
    if (!IsSkipped()) fmt::print("{} modules for sm_{}\n", modules_, GetParam());
  }
  gpu::testing::Check check() {
    return [this](const ir::Kernel& kernel, const std::string& name) {
      if (HasFailure()) return;
      const Binary binary = target_.compile(kernel, {.fast_math = modules_ % 2 != 0});
      const std::string errors = assembler_.errors(binary.code, fmt::format("sm_{}", GetParam()));
      ASSERT_EQ(errors, "") << name << "\n" << ir::print(kernel) << binary.code;
      ++modules_;
    };
  }

  const qd::testing::Assembler assembler_;
  const NvptxTarget target_{{.compute_capability = GetParam()}};
  int modules_ = 0;
};

TEST_P(Nvptx, AssemblesEveryOperator) { gpu::testing::every_operator(check()); }
TEST_P(Nvptx, AssemblesRandomKernels) { gpu::testing::random_kernels(check()); }
TEST_P(Nvptx, AssemblesGoldenKernels) {
  gpu::testing::golden_kernels(true, check());
  EXPECT_GT(modules_, 30);
}

TEST_P(Nvptx, AssemblerFindsWhatIsWrong) {
  EXPECT_THAT(assembler_.errors(".version 7.8\n.target sm_75\n.address_size 64\nadd.s32 a, b;\n", "sm_75"),
              ::testing::HasSubstr("add"));
}

/// Symbol cudaGraphSetConditional: nvJitLink has it without a library of the toolkit, as CUDA's driver does.
TEST_P(Nvptx, SetsConditionsOfGraphs) {
  const Binary setter = target_.condition_setter();
  const std::string processor = fmt::format("sm_{}", GetParam()), name = "cudaGraphSetConditional";
  EXPECT_EQ(setter.symbols.size(), 1u);
  EXPECT_EQ(assembler_.errors(setter.code, processor), "") << setter.code;
  std::string other = setter.code;
  for (size_t at = 0; (at = other.find(name, at)) != std::string::npos; at += name.size()) other[at] = 'k';
  EXPECT_THAT(assembler_.errors(other, processor), ::testing::HasSubstr("kudaGraphSetConditional"));
}

INSTANTIATE_TEST_SUITE_P(ComputeCapability, Nvptx, ::testing::Values(75, 90));

TEST(NvptxTarget, TakesTheNewestProcessorThatRunsThere) {
  auto processor = [](int capability) { return NvptxTarget({.compute_capability = capability}).processor(); };
  EXPECT_EQ(processor(75), "sm_75, stack 8192");
  EXPECT_EQ(processor(86), "sm_86, stack 8192");
  EXPECT_EQ(processor(121), "sm_90, stack 8192");
  EXPECT_THROW(processor(70), std::runtime_error);
}

}  // namespace
}  // namespace qd::codegen
