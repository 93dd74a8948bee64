// Compiles for GPUs the kernels that tests have compiled for other devices: the front end left them in an offline
// cache. NVIDIA's assembler, if it is installed, checks the PTX.
//
//   gpu_kernels FOLDER TEXT    kernels in whose source's path the text occurs
#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "instrument/lower_probes.h"
#include "runtime/ir/features.h"
#include "runtime/ir/pack.h"
#include "runtime/launch/bytes.h"
#include "runtime/passes/pipeline.h"
#ifdef QD_CUDA
#include "runtime/codegen/nvptx/nvptx_target.h"
#include "tests/gpu_kernels/assembler.h"
#endif
#ifdef QD_HIP
#include "runtime/codegen/amdgpu/amdgpu_target.h"
#endif

namespace fs = std::filesystem;
using namespace qd;

namespace {

/// Size in bytes of the cache's head before an entry's bytes (launch/entry_files.cpp).
constexpr size_t kHead = 40;

/// The kernels, each once.
std::vector<ir::Kernel> kernels_in(const fs::path& folder, const std::string& text) {
  std::vector<ir::Kernel> kernels;
  std::set<std::string> seen;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".kernel") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (bytes.size() < kHead) continue;
    std::optional<ir::Kernel> kernel = ir::unpack(BytesIn(std::string_view(bytes).substr(kHead)).text());
    if (!kernel || kernel->functions.empty() || kernel->functions[0].file.find(text) == std::string::npos) continue;
    if (seen.insert(ir::print(*kernel)).second) kernels.push_back(*std::move(kernel));
  }
  return kernels;
}

struct Target {
  std::string name;
  size_t first, step;  // every step-th kernel from the first-th on
  const codegen::Target& target;
  ir::Features features;
  std::function<std::string(const std::string& code)> errors;  // errors in code; empty when there are none
};

struct Counts {
  std::atomic<int> compiled = 0, lacking = 0, failed = 0;
};

void check(const ir::Kernel& given, const Target& target, Counts& counts) {
  static std::mutex output;
  std::string wrong;
  try {
    if (ir::missing_feature(given, target.features)) {
      ++counts.lacking;
      return;
    }
    ir::Kernel kernel = given;
    auto lower = [](ir::Kernel& lowered) { instrument::lower_probes(lowered, passes::LaunchCounts::Device); };
    passes::run(kernel, {.plan = target.target.plan(), .lower_probes = lower});
    wrong = target.errors(target.target.compile(kernel, {}).code);
  } catch (const std::exception& error) {
    wrong = error.what();
  }
  ++(wrong.empty() ? counts.compiled : counts.failed);
  if (wrong.empty()) return;
  const std::lock_guard lock(output);
  fmt::print("FAILED {} of {}, line {}: {}\n", given.name, given.functions[0].file, given.functions[0].first_line,
             wrong);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: gpu_kernels FOLDER TEXT\n");
    return 2;
  }
  const std::vector<ir::Kernel> kernels = kernels_in(argv[1], argv[2]);
  std::vector<Target> targets;
#ifdef QD_CUDA
  const qd::testing::Assembler assembler;
  const codegen::NvptxTarget nvptx({});
  if (!assembler.missing().empty()) fmt::print("PTX is not assembled: {}\n", assembler.missing());
  targets.push_back({"sm_75", 0, 1, nvptx, ir::kAllFeatures, [&](const std::string& code) {
                       return assembler.missing().empty() ? assembler.errors(code, "sm_75") : std::string();
                     }});
#endif
#ifdef QD_HIP
  // Processors of AMD, one for each size of subgroups, in which alone they differ.
  const codegen::AmdgpuTarget gfx90a("gfx90a"), gfx1100("gfx1100");
  constexpr auto kNoRecursion = static_cast<ir::Features>(ir::kAllFeatures & ~ir::features(ir::Feature::Recursion));
  for (size_t first = 0; const codegen::AmdgpuTarget* target : {&gfx90a, &gfx1100})
    targets.push_back(
        {target->processor(), first++, 2, *target, kNoRecursion, [](const std::string&) { return std::string(); }});
#endif
  bool good = !kernels.empty();
  for (const Target& target : targets) {
    Counts counts;
    std::atomic<size_t> next = target.first;
    auto work = [&] {
      for (size_t i; (i = next.fetch_add(target.step)) < kernels.size();) check(kernels[i], target, counts);
    };
    std::thread other(work);
    work();
    other.join();
    good &= counts.failed == 0;
    fmt::print("{}: {} kernels compiled, {} need what it lacks, {} failed\n", target.name, counts.compiled.load(),
               counts.lacking.load(), counts.failed.load());
  }
  return good ? 0 : 1;
}
