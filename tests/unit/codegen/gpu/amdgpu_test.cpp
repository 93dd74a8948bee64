// All kernels compile for AMD's GPUs, to code objects with the kernels and arguments that a launcher expects.
#include "runtime/codegen/amdgpu/amdgpu_target.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/codegen/gpu/code_object.h"
#include "tests/unit/codegen/gpu/every_kernel.h"

namespace qd::codegen {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kProcessors[] = {"gfx906", "gfx90a", "gfx942", "gfx1030", "gfx1100"};

class Amdgpu : public ::testing::TestWithParam<const char*> {
 protected:
  void TearDown() override { fmt::print("{} code objects for {}\n", objects_, GetParam()); }
  gpu::testing::Check check() {
    return [this](const ir::Kernel& kernel, const std::string& name) {
      if (HasFailure()) return;
      const Binary binary = target_.compile(kernel, {.fast_math = objects_ % 2 != 0});
      const amdgpu::testing::CodeObject object = amdgpu::testing::read(binary.code);
      EXPECT_EQ(object.error, "") << name;
      EXPECT_TRUE(object.is_shared);
      EXPECT_EQ(object.processor, GetParam());
      EXPECT_EQ(object.symbols.size(), 2 * kernel.tasks.size()) << name;
      EXPECT_EQ(object.entry_errors.size(), kernel.tasks.size()) << name;
      EXPECT_THAT(object.entry_errors, Each(0)) << name;
      EXPECT_EQ(object.unloaded_symbols, 0) << name;
      ++objects_;
    };
  }

  const AmdgpuTarget target_{GetParam()};
  int objects_ = 0;
};

TEST_P(Amdgpu, CompilesEveryOperator) { gpu::testing::every_operator(check()); }
TEST_P(Amdgpu, CompilesRandomKernels) {
  gpu::testing::random_kernels(static_cast<uint32_t>(std::ranges::find(kProcessors, GetParam()) - kProcessors),
                               check());
}
TEST_P(Amdgpu, CompilesGoldenKernels) {
  gpu::testing::golden_kernels(false, check());
  EXPECT_GT(objects_, 30);
}

TEST_P(Amdgpu, TellsTheArgumentsOfKernels) {
  ir::Kernel kernel = ir::parse(
      "kernel double\narray 0 x f32 rank 1 parameter\nloop 0 parallel\n"
      "task parallel t loop %0 [0, shape 0 0) block_dim 128 {\n  body {\n    %1 = loop_index i32 %0 0\n"
      "    %2 = element_ptr f32 0 [%1]\n    %3 = load f32 %2\n    %4 = add f32 %3, %3\n    store %2, %4\n  }\n}\n");
  const amdgpu::testing::CodeObject object = amdgpu::testing::read(target_.compile(kernel, {}).code);
  EXPECT_THAT(object.symbols, ElementsAre("double_0", "double_0.kd"));
  for (const char* row : {".name:           double_0", ".symbol:         double_0.kd", ".kernarg_segment_size: 28",
                          ".max_flat_workgroup_size: 128", "address_space:  global", ".offset:         24"})
    EXPECT_THAT(object.metadata, HasSubstr(row));
  EXPECT_THAT(object.metadata,
              HasSubstr(std::string_view(GetParam()) < "gfx9" ? ".wavefront_size: 32" : ".wavefront_size: 64"));
  EXPECT_THAT(object.metadata, Not(HasSubstr("hidden_")));
  ++objects_;
}

INSTANTIATE_TEST_SUITE_P(Processor, Amdgpu, ::testing::ValuesIn(kProcessors));

TEST(AmdgpuTarget, KnowsItsProcessors) {
  EXPECT_THROW(AmdgpuTarget("gfx1"), std::runtime_error);
  EXPECT_THROW(AmdgpuTarget("sm_75"), std::runtime_error);
}

}  // namespace
}  // namespace qd::codegen
