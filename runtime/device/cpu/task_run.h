// Runs launches on the CPU: all their tasks, one of them, or the sections of a fork.
#pragma once

#include <cstdint>

#include "runtime/device/cpu/cpu_executable.h"
#include "runtime/device/cpu/cpu_launch.h"
#include "runtime/device/cpu/thread_pool.h"

namespace qd::device {

/// State that all launches of a stream share.
struct CpuState {
  ThreadPool& pool;  // the device's
  uint64_t random_seed;
  std::atomic<uint64_t> launches = 0;  // launches so far of tasks that draw random numbers
};

/// A running task: state that all threads share that run parts of it.
class TaskRun {
 public:
  /// Starts the task: adds starts and iterations to its counters. `section`: as ThreadState::section. `beside`: tasks
  /// of other sections run at the same time. Throws std::overflow_error when there are too many iterations.
  TaskRun(CpuState& state, CpuLaunch& launch, uint32_t number, uint32_t section, bool beside);

  /// Number of iterations of the task, and of a part of it on this many threads.
  int64_t iterations() const { return iterations_; }
  int64_t chunk(int threads) const;
  bool parallel() const { return task_.parallel; }
  /// Whether the task may run so long that its launch needs a Watch, to end early.
  bool may_last() const { return may_last_; }
  /// Runs iterations [begin, end) on this thread; of a serial task [0, 1) is everything.
  void run_part(int64_t begin, int64_t end);
  /// Runs all iterations of a parallel task on the pool, and waits for them.
  void run_on(ThreadPool& pool);
  /// The same, and tells the trial of the task's forms how long it took.
  void run_measured_on(ThreadPool& pool);
  bool is_measured() const { return is_measured_; }

 private:
  const CpuExecutable::LoadedTask& task_;
  CpuLaunch& launch_;
  const int64_t iterations_;
  const bool is_measured_;  // for the trial of the task's forms
  const bool is_other_;     // whether it runs in the other form
  const CpuExecutable::Form& form_;
  const bool may_last_;
  const uint32_t section_;
  const bool beside_;
  uint64_t seed_ = 0;
};

/// Runs a task on the pool, and waits for it.
void run_task(CpuState& state, CpuLaunch& launch, uint32_t number, uint32_t section = 0);

/// Runs the sections of a Fork, and waits for them. On one thread, or when tasks are measured, they take turns.
void run_sections(CpuState& state, CpuLaunch& launch, const ir::Step& fork);

/// Runs the tasks in the order of the schedule, parallel ones on the pool, and waits for them. Thread-safe.
void run(CpuState& state, const CpuExecutable& executable, const Invocation& invocation);

}  // namespace qd::device
