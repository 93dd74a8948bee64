// State of a thread for a part of a task, and the counts of the part.
#include "runtime/device/cpu/task_run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <new>

#include "runtime/device/cpu/chunks.h"
#include "runtime/device/seeds.h"
#include "runtime/device/stack_end.h"
#include "runtime/device/task_clock.h"
#include "runtime/ir/counters.h"
#include "runtime/ir/iterations.h"

namespace qd::device {
namespace {

constexpr size_t kInlineCounts = 64;
/// Work of a task, in tenths of nanoseconds, above which two looks at the clock do not matter.
constexpr int64_t kWorthAClock = 20'000;

struct ThreadRoom {
  ThreadState state;
  uint64_t words[kInlineCounts];
};
static_assert(offsetof(ThreadRoom, words) == sizeof(ThreadState));

/// Combines the counts of a part with the counters of the launch. `alone`: no other part runs at the same time.
void take_in(uint64_t* counters, const uint64_t* words, const ir::CounterRanges& ranges, bool alone) {
  for (const auto& [rule, first, size, word] : ranges) {
    for (uint32_t i = 0; i < size; ++i) {
      uint64_t& counter = counters[first + i];
      const uint64_t value = words[word + i];
      if (alone) {
        counter = ir::combined(rule, counter, value);
        continue;
      }
      uint64_t before = __atomic_load_n(&counter, __ATOMIC_RELAXED), after;
      do after = ir::combined(rule, before, value);
      while (after != before &&
             !__atomic_compare_exchange_n(&counter, &before, after, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    }
  }
}

}  // namespace

TaskRun::TaskRun(CpuState& state, CpuLaunch& launch, uint32_t number, uint32_t section, bool beside)
    : task_(launch.executable.tasks()[number]),
      launch_(launch),
      iterations_(iterations_of(task_, launch.context)),
      is_measured_(task_.other && iterations_ > kWorthAClock / task_.cost && !task_.other->trial.is_over()),
      is_other_(task_.other && (is_measured_ || task_.other->trial.is_over()) && task_.other->trial.is_other()),
      form_(is_other_ ? task_.other->form : task_.form),
      may_last_(launch.poll && device::may_last(task_, iterations_)),
      section_(section),
      beside_(beside) {
  ir::require_countable(iterations_);
  if (uint64_t* counters = launch.context.counters) {  // this launch's own, and no task's
    if (task_.start_counter != ir::kNoCounter) ++counters[task_.start_counter];
    if (task_.trip_counter != ir::kNoCounter) counters[task_.trip_counter] += static_cast<uint64_t>(iterations_);
  }
  if (may_last_ && !launch.watch) launch.watch.emplace();
  if (task_.random) {
    uint64_t seed = state.random_seed * kSeedStep + state.launches.fetch_add(1, std::memory_order_relaxed);
    seed_ = next_seed(seed);
  }
  ++launch.outcome.tasks;
}

int64_t TaskRun::chunk(int threads) const { return chunk_of(task_, iterations_, threads, launch_.context); }

void TaskRun::run_part(int64_t begin, int64_t end) {
  const CpuExecutable& executable = launch_.executable;
  // Tasks beside one whose assert fails still run to their end: their iterations have been counted.
  if ((beside_ ? launch_.interrupted : launch_.failed).load(std::memory_order_relaxed)) return;
  ThreadRoom room;
  std::unique_ptr<uint64_t[]> more_room;
  ThreadState* thread = &room.state;
  uint64_t* routine_words = room.words;
  const size_t n_routine_words = task_.calls ? executable.routine_counters().words() : 0;
  if (n_routine_words > kInlineCounts) {
    more_room.reset(new uint64_t[sizeof(ThreadState) / sizeof(uint64_t) + n_routine_words]);
    thread = new (more_room.get()) ThreadState;
    routine_words = more_room.get() + sizeof(ThreadState) / sizeof(uint64_t);
  }
  std::fill_n(routine_words, n_routine_words, 0);
  ThreadState& state = *thread;
  state.section = section_;
  if (task_.recursive) state.stack_end = stack_end();
  std::array<uint64_t, kInlineCounts> inline_counts;
  std::unique_ptr<uint64_t[]> more_counts;
  state.counts = inline_counts.data();
  if (const size_t words = task_.counters.words(); words > kInlineCounts) {
    more_counts.reset(new uint64_t[words]);
    state.counts = more_counts.get();
  }
  if (task_.random && parallel()) {
    state.random[0] = seed_;
  } else if (task_.random) {
    std::ranges::copy(random_state(seed_, 0), std::begin(state.random));
  }
  if (!may_last_ && !CodeCall::inside()) {
    form_.function(&launch_.context, thread, begin, end);
  } else if (!CodeCall(*form_.code, CpuLaunch::visit, &launch_)
                  .run(form_.function, &launch_.context, thread, begin, end)) {
    return;
  }
  const bool alone = begin == 0 && end == iterations_ && !beside_;
  take_in(launch_.context.counters, state.counts, task_.counters, alone);
  if (n_routine_words > 0) take_in(launch_.context.counters, routine_words, executable.routine_counters(), alone);
}

void TaskRun::run_on(ThreadPool& pool) {
  if (iterations_ == 0) return;
  const ThreadPool::Waiting waiting{CpuLaunch::visit, &launch_};
  auto part = [](void* data, int64_t begin, int64_t end) { static_cast<TaskRun*>(data)->run_part(begin, end); };
  pool.run(iterations_, chunk(pool.threads()), part, this, may_last_ ? &waiting : nullptr);
}

void TaskRun::run_measured_on(ThreadPool& pool) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  run_on(pool);
  if (!launch_.over()) task_.other->trial.note(is_other_, iterations_, Clock::now() - begin);
}

void run_task(CpuState& state, CpuLaunch& launch, uint32_t number, uint32_t section) {
  const TaskClock clock(launch.times, number);
  TaskRun run(state, launch, number, section, false);
  if (!run.parallel()) {
    run.run_part(0, 1);
  } else if (run.is_measured()) {
    run.run_measured_on(state.pool);
  } else {
    run.run_on(state.pool);
  }
}

}  // namespace qd::device
