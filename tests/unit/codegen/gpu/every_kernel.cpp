#include "tests/unit/codegen/gpu/every_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "runtime/ir/calls.h"
#include "runtime/passes/pipeline.h"
#include "tests/random_kernels/random_control_flow.h"
#include "tests/random_kernels/random_kernel.h"
#include "tests/unit/codegen/operation_kernels.h"

namespace qd::codegen::gpu::testing {

namespace fs = std::filesystem;

namespace {

uint32_t wanted() {
  const char* text = std::getenv("QD_GPU_KERNELS");
  return text ? static_cast<uint32_t>(std::atoi(text)) : 1;
}

}  // namespace

instrument::CoverageMap make_ready(ir::Kernel& kernel, const passes::Plan& plan) {
  instrument::CoverageMap map;
  auto lower = [&](ir::Kernel& lowered) { map = instrument::lower_probes(lowered, passes::LaunchCounts::Device); };
  if (kernel.body != ir::BlockId::None) {
    passes::run(kernel, {.plan = plan, .lower_probes = lower});
  } else {
    lower(kernel);
  }
  return map;
}

void every_operator(const Check& check) {
  using namespace codegen::testing;
  for (ir::Type type : kTypes) {
    const std::string name(ir::name(type));
    check(ir::parse(kernel_text(type, operations(type), atomics(type), 4)), "every operator of " + name);
  }
}

void random_kernels(uint32_t part, const Check& check) {
  for (uint32_t seed = part * wanted(); seed < (part + 1) * wanted(); ++seed) {
    ir::Kernel kernel = qd::testing::random_kernel(seed, {.draws = seed % 3 == 2, .regions = seed % 2 != 0});
    make_ready(kernel, passes::kGpuPlan);
    check(kernel, fmt::format("random kernel {}", seed));
    kernel = qd::testing::random_control_flow(seed, {.asserts = seed % 2 != 0, .nests = seed % 4 >= 2});
    make_ready(kernel, passes::kGpuPlan);
    check(kernel, fmt::format("random control flow {}", seed));
  }
}

void golden_kernels(bool recursive, const Check& check) {
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
    if (!ir::verify(kernel).empty()) continue;
    if (!recursive && std::ranges::count(ir::recursive_routines(kernel), true) > 0) continue;
    make_ready(kernel, passes::kGpuPlan);
    check(kernel, entry.path().string());
  }
}

}  // namespace qd::codegen::gpu::testing
