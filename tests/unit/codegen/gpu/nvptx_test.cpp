// NVIDIA's assembler takes all PTX that is made.
#include "runtime/codegen/nvptx/nvptx_target.h"

#include <regex>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/codegen/nvptx/ptxas_faults.h"
#include "tests/gpu_kernels/assembler.h"
#include "tests/unit/codegen/gpu/every_kernel.h"

namespace qd::codegen {
namespace {

/// An instruction that ptxas may get wrong (ptxas_faults.h); empty: there is none.
std::string faulty_instruction(const std::string& ptx) {
  static const std::regex faulty(R"(\t(setp\.(lt|le|gt|ge)\.u\d+|(neg|abs)\.s16)\b)");
  std::smatch found;
  return std::regex_search(ptx, found, faulty) ? found.str(1) : "";
}

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
      ASSERT_EQ(faulty_instruction(binary.code), "") << name;
      ++modules_;
    };
  }

  const qd::testing::Assembler assembler_;
  const NvptxTarget target_{{.compute_capability = GetParam()}};
  int modules_ = 0;
};

TEST_P(Nvptx, AssemblesEveryOperator) { gpu::testing::every_operator(check()); }
TEST_P(Nvptx, AssemblesRandomKernels) { gpu::testing::random_kernels(GetParam() == 75 ? 0 : 1, check()); }
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

TEST(PtxasFaults, InstructionsOfTheSameMeaning) {
  const std::string others =
      "\tsetp.lt.s32 \t%p1, %r1, %r2;\n\tneg.s32 \t%r1, %r2;\n// setp.lt.u32\n\tabs.f32 \t%f1, %f2;\n";
  EXPECT_EQ(nvptx::without_ptxas_faults(others), others);
  EXPECT_EQ(nvptx::without_ptxas_faults("\tsetp.lt.u32 \t%p1, %r1, %r2;\n\tsetp.ge.u16 \t%p2, %rs1, 5;\n"),
            "\tsetp.lo.u32 \t%p1, %r1, %r2;\n\tsetp.hs.u16 \t%p2, %rs1, 5;\n");
  EXPECT_EQ(nvptx::without_ptxas_faults("\tsetp.gt.u64 \t%p1, %rd1, %rd2;\n\tsetp.le.u32 \t%p1, %r1, %r2;"),
            "\tsetp.hi.u64 \t%p1, %rd1, %rd2;\n\tsetp.ls.u32 \t%p1, %r1, %r2;");
  EXPECT_EQ(nvptx::without_ptxas_faults("\tneg.s16 \t%rs2, %rs1;\n"), "\tmul.lo.s16 \t%rs2, %rs1, -1;\n");
  EXPECT_EQ(nvptx::without_ptxas_faults("\tabs.s16 \t%rs2, %rs1;\n"),
            "\t{ .reg .b32 %wide; cvt.s32.s16 %wide, %rs1; abs.s32 %wide, %wide; cvt.u16.u32 %rs2, %wide; }\n");
}

TEST(NvptxTarget, TakesTheNewestProcessorThatRunsThere) {
  auto processor = [](int capability) { return NvptxTarget({.compute_capability = capability}).processor(); };
  EXPECT_EQ(processor(75), "sm_75, stack 8192");
  EXPECT_EQ(processor(86), "sm_86, stack 8192");
  EXPECT_EQ(processor(121), "sm_90, stack 8192");
  EXPECT_THROW(processor(70), std::runtime_error);
}

}  // namespace
}  // namespace qd::codegen
