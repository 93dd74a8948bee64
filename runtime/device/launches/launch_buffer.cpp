// Layout of a buffer: its parts follow each other, and those that begin as zeros lie together.
#include "runtime/device/launches/launch_buffer.h"

#include <algorithm>
#include <cstring>

#include "runtime/ir/calls.h"

namespace qd::device {
namespace {

/// Number of words for prints and warnings of a launch.
constexpr uint32_t kMessageWords = 1u << 17;

size_t take(size_t& end, size_t size) {
  const size_t begin = end;
  end += (size + 15) / 16 * 16;
  return begin;
}

}  // namespace

LaunchBufferLayout::LaunchBufferLayout(const ir::Kernel& kernel)
    : array_count(kernel.arrays.size()),
      param_count(kernel.params.size()),
      result_count(kernel.results.size()),
      temp_count(kernel.global_temps),
      counter_count(kernel.counters) {
  const uint16_t effects = ir::effects_of(kernel);
  message_words = (effects & ir::kTells) ? kMessageWords : 0;
  tells_failures = (effects & ir::kFaults) != 0;
  size_t end = sizeof(DeviceLaunch);
  arrays = take(end, array_count * sizeof(ArraySlot));
  params = take(end, param_count * sizeof(uint64_t));
  over = take(end, sizeof(uint32_t));
  failed = take(end, kernel.tasks.size() * sizeof(uint32_t));
  bool repeats = false;
  ir::walk_steps(kernel.schedule, [&](const ir::Step& step, int) { repeats |= step.kind == ir::Step::Kind::DoWhile; });
  if (repeats) {
    groups = take(end, kernel.tasks.size() * sizeof(GroupCounts));
    passes = take(end, kMostPasses * sizeof(uint32_t));
  }
  results = take(end, result_count * sizeof(uint64_t));
  temps = take(end, temp_count * sizeof(uint64_t));
  counters = take(end, counter_count * sizeof(uint64_t));
  messages = take(end, sizeof(DeviceMessages) + (message_words + (tells_failures ? kFailWords : 0)) * sizeof(uint64_t));
  filled = messages + sizeof(DeviceMessages);
  size = end;
}

void LaunchBuffer::fill(const Invocation& invocation, uint32_t kept_temps, uint64_t tables, uint64_t left) const {
  const DeviceLaunch launch{.arrays = address_ + layout_.arrays,
                            .params = address_ + layout_.params,
                            .results = address_ + layout_.results,
                            .temps = address_ + layout_.temps,
                            .counters = layout_.counter_count > 0 ? address_ + layout_.counters : 0,
                            .messages = address_ + layout_.messages,
                            .tables = tables,
                            .output = address_ + layout_.over,
                            .left = left,
                            .groups_over = 0,
                            .unused = 0};
  std::memcpy(host_, &launch, sizeof launch);
  if (layout_.array_count > 0)
    std::memcpy(host_ + layout_.arrays, invocation.arrays, layout_.array_count * sizeof(ArraySlot));
  std::copy_n(invocation.params, layout_.param_count, words(layout_.params));
  std::memset(host_ + layout_.over, 0, layout_.messages - layout_.over);
  if (invocation.kept) std::copy_n(invocation.kept, kept_temps, words(layout_.temps));
  const DeviceMessages none{.failed = 0, .lost = 0, .next = 0, .capacity = layout_.message_words};
  std::memcpy(host_ + layout_.messages, &none, sizeof none);
}

}  // namespace qd::device
