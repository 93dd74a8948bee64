#include "tests/simulated_driver/driver/module.h"

#include <fmt/format.h>

#include <bit>
#include <cstdio>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "tests/simulated_driver/checks/access_checker.h"
#include "tests/simulated_driver/driver/block_memory.h"
#include "tests/simulated_driver/driver/calls.h"
#include "tests/simulated_driver/driver/faults.h"
#include "tests/simulated_driver/driver/protection.h"
#include "tests/simulated_driver/driver/settings.h"
#include "tests/simulated_driver/threads/fibres.h"

namespace qd::simulated {
namespace {

using TaskOfGpu = void (*)(uint64_t launch, uint64_t seed, uint32_t group_stride, uint32_t step, uint32_t rounds);

/// Says what has been found, on standard error or in the file that the environment names.
Result tell(const AccessChecker& checker) {
  const std::string path = settings_of_environment().checks_file;
  const std::unique_ptr<FILE, int (*)(FILE*)> file(path.empty() ? nullptr : std::fopen(path.c_str(), "a"), std::fclose);
  for (const auto& lines : {checker.outside(), checker.races()})
    for (const std::string& line : lines) fmt::print(file ? file.get() : stderr, "simulated device: {}\n", line);
  if (file) return Result::Success;
  return !checker.outside().empty() ? Result::IllegalAddress
         : !checker.races().empty() ? Result::LaunchFailed
                                    : Result::Success;
}

}  // namespace

Module::Module(const void* memory) {
  const std::optional<Image> image = unpack(memory);
  if (!image) throw std::runtime_error("no image of the simulated devices");
  std::vector<std::string> names;
  for (const KernelFacts& kernel : image->kernels) names.push_back(kernel.name);
  std::vector<std::pair<std::string_view, void*>> own;
  for (const auto& functions : {functions_of_fibres(), functions_of_checks(), functions_of_conditions()})
    own.insert(own.end(), functions.begin(), functions.end());
  code_ = device::load(image->object, names, own);
  for (size_t i = 0; i < names.size(); ++i)
    functions_.push_back({image->kernels[i], image->subgroup_size, code_->functions()[i]});
}

const KernelFunction* Module::function(const std::string& name) const {
  for (const KernelFunction& function : functions_) {
    if (function.facts.name == name) return &function;
  }
  return nullptr;
}

Result run_kernel(const KernelFunction& function, const KernelArguments& arguments, uint32_t groups,
                  const MemoryMap& memory) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const auto code = std::bit_cast<TaskOfGpu>(function.code);
  const auto body = [&](uint32_t) {
    code(arguments.launch, arguments.seed, arguments.group_stride, arguments.step, arguments.rounds);
  };
  const std::function<void(uint32_t)> thread = std::cref(body);
  std::optional<AccessChecker> checker;
  if (function.facts.checked) checker.emplace(function.facts.name, function.facts.block_bytes, memory);
  try {
    const Opened opened;
    const Result result = guarded([&] {
      for (uint32_t group = 0; group < groups; ++group) {
        char* const block_memory = new_block_memory(function.facts.block_bytes);
        run_group({group, function.facts.threads, function.subgroup_size, block_memory}, thread);
      }
    });
    if (result != Result::Success) forget_group();
    const Result wrong = checker ? tell(*checker) : Result::Success;
    return result != Result::Success ? result : wrong;
  } catch (const std::runtime_error& error) {
    fmt::print(stderr, "simulated device: {}: {}\n", function.facts.name, error.what());
    return Result::LaunchFailed;
  }
}

}  // namespace qd::simulated
