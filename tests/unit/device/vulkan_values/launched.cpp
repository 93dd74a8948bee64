// Loads a kernel, gives it memory of the device, launches it and takes everything back.
#include "tests/unit/device/vulkan_values/launched.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "instrument/lower_probes.h"
#include "runtime/device/reference/scalar.h"
#include "runtime/passes/pipeline.h"

namespace qd::device::testing {
namespace {

/// The validation layer is asked for before the loader is opened.
[[maybe_unused]] const int validation = setenv("QD_VULKAN_VALIDATION", "1", 0);

std::string text_of(const Message& message) {
  std::string text = fmt::format("{} {}", message.kind == Message::Kind::Warn ? "warn" : "format", message.format);
  for (uint64_t value : message.values) text += fmt::format(" {:#x}", value);
  return text;
}

}  // namespace

const std::string& VulkanRuns::reason() {
  static const std::string reason = why_no_vulkan();
  return reason;
}

VulkanRuns& VulkanRuns::here() {
  static auto& runs = *new VulkanRuns;
  return runs;
}

VulkanRuns::VulkanRuns() : device_(vulkan_device({})) {
  is_lavapipe_ = device_->target().processor().find("llvmpipe") != std::string::npos;
}

ir::Kernel VulkanRuns::lowered(ir::Kernel kernel) const {
  passes::run(kernel, {.plan = device_->target().plan(), .lower_probes = [](ir::Kernel& probed) {
                         instrument::lower_probes(probed, passes::LaunchCounts::Device);
                       }});
  return kernel;
}

qd::testing::Outcome VulkanRuns::run(const ir::Kernel& kernel, const qd::testing::Launch& launch, const How& how) {
  const codegen::Target& target = how.target ? *how.target : device_->target();
  const auto executable = device_->load(target.compile(kernel, {.fast_math = false}), kernel);
  std::vector<std::shared_ptr<Memory>> memories;
  std::vector<ArraySlot> slots;
  for (size_t i = 0; i < launch.arrays.size(); ++i) {
    const auto size = static_cast<size_t>(ir::size_in_bytes(kernel.arrays[i].type));
    const auto& memory = memories.emplace_back(device_->allocate(launch.arrays[i].size() * size));
    auto* bytes = static_cast<char*>(memory->map(Memory::Access::Write));
    for (size_t k = 0; k < launch.arrays[i].size(); ++k) std::memcpy(bytes + k * size, &launch.arrays[i][k], size);
    memory->unmap();
    ArraySlot& slot = slots.emplace_back(ArraySlot{memory->address(), {}});
    std::ranges::copy(launch.shapes[i], slot.shape);
  }
  qd::testing::Outcome outcome;
  LaunchOutcome left;
  outcome.results.resize(kernel.results.size());
  if (how.counters) how.counters->assign(kernel.counters, 0);
  device_->stream().run(*executable, {.arrays = slots.data(),
                                      .params = launch.params.data(),
                                      .results = outcome.results.data(),
                                      .counters = how.counters ? how.counters->data() : nullptr,
                                      .outcome = &left});
  const auto event = device_->stream().record();
  while (!event->wait_for(std::chrono::hours(1))) continue;
  EXPECT_EQ(left.error, "");
  outcome.failed = left.status == LaunchOutcome::Status::Failed;
  if (outcome.failed) outcome.results.clear();
  for (size_t i = 0; i < outcome.results.size(); ++i)
    outcome.results[i] = reference::canonical(kernel.results[i], outcome.results[i]);
  for (const Message& message : left.messages) {
    if (message.kind != Message::Kind::Fail) outcome.prints.push_back(text_of(message));
  }
  for (size_t i = 0; i < memories.size(); ++i) {
    const ir::Type type = kernel.arrays[i].type;
    const auto size = static_cast<size_t>(ir::size_in_bytes(type));
    const auto* bytes = static_cast<const char*>(memories[i]->map(Memory::Access::Read));
    std::vector<uint64_t>& words = outcome.arrays.emplace_back(launch.arrays[i].size());
    for (size_t k = 0; k < words.size(); ++k) {
      std::memcpy(&words[k], bytes + k * size, size);
      words[k] = reference::canonical(type, words[k]);
    }
  }
  return outcome;
}

}  // namespace qd::device::testing
