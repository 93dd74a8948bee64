// Every module that is emitted is one that Vulkan 1.2 allows, before and after the optimiser.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "instrument/lower_probes.h"
#include "runtime/codegen/spirv/emit.h"
#include "runtime/codegen/spirv/tools.h"
#include "runtime/ir/calls.h"
#include "runtime/passes/pipeline.h"
#include "tests/random_kernels/random_control_flow.h"
#include "tests/random_kernels/random_kernel.h"
#include "tests/unit/codegen/operation_kernels.h"

namespace qd::codegen::spirv {
namespace {

namespace fs = std::filesystem;
using ir::Type;

uint32_t kernels() {
  const char* wanted = std::getenv("QD_SPIRV_KERNELS");
  return wanted ? static_cast<uint32_t>(std::atoi(wanted)) : 100;
}

/// A device with everything, and one with no more than it must have, which runs on the processor, with the flaws of
/// drivers.
const SpirvDevice kRich{.name = "rich",
                        .subgroup_sums = true,
                        .wide_shared_atomics = true,
                        .f32_atomic_add = true,
                        .f64_atomic_add = true,
                        .clock = true,
                        .fused_f32 = true,
                        .fused_f64 = true,
                        .denormals_f32 = true,
                        .denormals_f64 = true,
                        .nearest_f32 = true,
                        .nearest_f64 = true,
                        .signed_zero_f32 = true,
                        .signed_zero_f64 = true};
const SpirvDevice kPoor{.name = "poor", .bound_arrays = 3, .loop_limit = 65535};

/// Returns the number of modules that are valid.
int check(const ir::Kernel& kernel, bool optimise, const std::string& name) {
  int found = 0;
  for (const SpirvDevice* device : {&kRich, &kPoor}) {
    const KernelCode all = emit(kernel, *device, {.fast_math = device == &kRich});
    for (size_t i = 0; i < all.tasks.size(); ++i) {
      const TaskCode& code = all.tasks[i];
      std::string error = invalid(code.words);
      if (error.empty() && !code.bound.empty()) error = invalid(code.bound_words);
      if (error.empty() && optimise) {
        error = invalid(optimised(code.usual_words()));
        if (!error.empty()) error = "optimised: " + error;
      }
      EXPECT_EQ(error, "") << name << ", " << kernel.tasks[i].name << " for a " << device->name << " device\n"
                           << disassembly(code.usual_words());
      found += error.empty();
      if (!error.empty()) return found;
    }
  }
  return found;
}

void run_passes(ir::Kernel& kernel) {
  passes::run(kernel, {.plan = SpirvTarget(kRich).plan(), .lower_probes = [](ir::Kernel& lowered) {
                         instrument::lower_probes(lowered, passes::LaunchCounts::Device);
                       }});
}

TEST(Validation, OfEveryOperator) {
  int modules = 0;
  for (Type type : codegen::testing::kTypes) {
    const auto operations = codegen::testing::operations(type);
    const auto atomics = codegen::testing::atomics(type);
    const std::string text = codegen::testing::kernel_text(type, operations, atomics, 4);
    modules += check(ir::parse(text), true, std::string(ir::name(type)));
    if (!HasFailure()) continue;
    // Search for the invalid operation.
    for (const codegen::testing::Operation& op : operations)
      check(ir::parse(codegen::testing::kernel_text(type, {op}, {}, 4)), false, op.text);
    for (const std::string& atomic : atomics)
      check(ir::parse(codegen::testing::kernel_text(type, {}, {atomic}, 4)), false, atomic);
    break;
  }
  fmt::print("{} modules are valid\n", modules);
}

TEST(Validation, OfRandomKernels) {
  int modules = 0;
  for (uint32_t seed = 0; seed < kernels() && !HasFailure(); ++seed) {
    ir::Kernel kernel = qd::testing::random_kernel(seed, {.draws = seed % 3 == 2, .regions = seed % 2 != 0});
    run_passes(kernel);
    modules += check(kernel, seed % 10 == 0, fmt::format("random kernel {}", seed));
  }
  fmt::print("{} modules are valid\n", modules);
}

TEST(Validation, OfRandomControlFlow) {
  int modules = 0;
  for (uint32_t seed = 0; seed < kernels() && !HasFailure(); ++seed) {
    ir::Kernel kernel = qd::testing::random_control_flow(seed, {.asserts = seed % 2 != 0, .nests = seed % 4 >= 2});
    instrument::lower_probes(kernel, passes::LaunchCounts::Device);
    modules += check(kernel, seed % 10 == 0, fmt::format("random control flow {}", seed));
  }
  fmt::print("{} modules are valid\n", modules);
}

TEST(Validation, OfGoldenKernels) {
  int modules = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(QD_SOURCE_DIR) / "tests" / "ir")) {
    if (entry.path().extension() != ".ir") continue;
    std::ifstream file(entry.path());
    std::string text{std::istreambuf_iterator<char>(file), {}};
    ir::Kernel kernel;
    try {
      kernel = ir::parse(text.substr(0, text.find("\n---") + 1));
    } catch (const std::runtime_error&) {
      continue;  // the file is a test of that error
    }
    bool recursive = !ir::verify(kernel).empty();
    for (bool routine : ir::recursive_routines(kernel)) recursive |= routine;
    if (recursive) continue;
    if (kernel.body != ir::BlockId::None) {
      run_passes(kernel);
    } else {
      instrument::lower_probes(kernel, passes::LaunchCounts::Device);
    }
    modules += check(kernel, true, entry.path().string());
  }
  EXPECT_GT(modules, 50);
  fmt::print("{} modules are valid\n", modules);
}

}  // namespace
}  // namespace qd::codegen::spirv
