// Parts are large enough to be worth a thread, small enough that all threads end at about the same time, and begin at
// cache lines. They are no shorter than a vector of iterations.
#include "runtime/device/cpu/chunks.h"

#include <algorithm>

#include "runtime/ir/iterations.h"

namespace qd::device {
namespace {

/// Thresholds of work, in tenths of nanoseconds: a task with less than kWorthThreads runs on one thread, and a part of
/// a range has kWorthChunk or more.
constexpr int64_t kWorthThreads = 60'000;
constexpr int64_t kWorthChunk = 20'000;
constexpr int64_t kChunksPerThread = 4;
constexpr int64_t kChunksPerThreadUneven = 32;
/// Iterations of a part that adds to elements anywhere.
constexpr int64_t kWorthArrays = 1 << 16;
/// Step of the begin of larger parts, in iterations, so that parts are whole cache lines and vectors.
constexpr int64_t kChunkStep = 64;
/// Work of a task, in tenths of nanoseconds, below which it need not be interrupted.
constexpr int64_t kShort = 10'000'000;

int64_t value_of(const ir::Bound& bound, const LaunchContext& context) {
  switch (bound.kind) {
    case ir::Bound::Kind::Const: return bound.value;
    case ir::Bound::Kind::Temp: return ir::bound_in_word(bound, context.temps[bound.value]);
    case ir::Bound::Kind::Shape: return context.arrays[bound.value].shape[bound.axis];
    case ir::Bound::Kind::Param: return ir::bound_in_word(bound, context.params[bound.value]);
  }
  return 0;
}

int64_t product_of(std::span<const ir::Bound> bounds, const LaunchContext& context) {
  return ir::iterations(bounds, [&](const ir::Bound& bound) { return value_of(bound, context); });
}

}  // namespace

int64_t iterations_of(const CpuExecutable::LoadedTask& task, const LaunchContext& context) {
  return task.parallel ? product_of(task.bounds, context) : 1;
}

int64_t work_of(const CpuExecutable::LoadedTask& task, int64_t iterations) {
  return iterations > kWorthThreads / task.cost ? kWorthThreads : iterations * task.cost;
}

bool worth_threads(int64_t work) { return work >= kWorthThreads; }

int64_t chunk_of(const CpuExecutable::LoadedTask& task, int64_t iterations, int threads, const LaunchContext& context) {
  if (threads == 1 || iterations < kWorthThreads / task.cost) return iterations;
  int64_t parts = threads * (task.uniform ? kChunksPerThread : kChunksPerThreadUneven);
  // A long part has more use of arrays of its own, which it clears at its begin and adds up at its end.
  if (task.uniform && task.scatters) parts = std::max<int64_t>(threads, std::min(parts, iterations / kWorthArrays));
  const int64_t size = std::max((iterations + parts - 1) / parts, kWorthChunk / task.cost);
  // Parts of that size consist of whole rows of the last axis.
  int64_t step = task.bounds.size() > 2 ? product_of(std::span(task.bounds).last(2), context) : task.block_dim;
  if (step <= 1 || step > size) step = size >= 4 * kChunkStep ? kChunkStep : task.lanes;
  return (size + step - 1) / step * step;
}

bool may_last(const CpuExecutable::LoadedTask& task, int64_t iterations) {
  return task.loops || iterations > kShort / task.cost;
}

}  // namespace qd::device
