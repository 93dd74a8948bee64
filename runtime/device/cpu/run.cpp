// Runs a launch: the tasks of a kernel in order, parallel ones on the thread pool.
#include "runtime/device/cpu/run.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <new>
#include <optional>
#include <thread>

#include "runtime/device/cpu/chunks.h"
#include "runtime/device/cpu/code_call.h"
#include "runtime/device/cpu/watch.h"
#include "runtime/device/seeds.h"
#include "runtime/device/stack_end.h"
#include "runtime/device/task_clock.h"

namespace qd::device {
namespace {

constexpr size_t kInlineTemps = 64;
constexpr size_t kInlineCounts = 64;

struct ThreadRoom {
  ThreadState state;
  uint64_t words[kInlineCounts];
};
static_assert(offsetof(ThreadRoom, words) == sizeof(ThreadState));

struct Launch {
  Launch(const CpuExecutable& executable, const Invocation& invocation)
      : executable(executable), poll(invocation.poll), times(invocation.times), outcome(*invocation.outcome) {}

  LaunchContext context{};
  const CpuExecutable& executable;
  LaunchPoll* const poll;
  std::vector<TaskTime>* const times;  // null: nobody asks
  const std::thread::id thread = std::this_thread::get_id();
  std::optional<Watch> watch;
  std::atomic<bool> failed = false;  // true too when the launch was interrupted: tasks need not go on
  std::atomic<bool> interrupted = false;
  std::mutex mutex;  // of what follows
  LaunchOutcome& outcome;
  std::optional<Message> failure;
  std::thread::id failed_thread;

  /// A CodeCall::Visit. Threads of the pool leave the code when the launch has been interrupted; the launching thread
  /// asks whether it is to be.
  static bool visit(void* data) {
    Launch& launch = *static_cast<Launch*>(data);
    if (!launch.interrupted.load(std::memory_order_relaxed) && launch.poll &&
        launch.thread == std::this_thread::get_id() && Watch::due() && launch.poll->wants_end()) {
      launch.interrupted.store(true, std::memory_order_relaxed);
      launch.failed.store(true, std::memory_order_relaxed);
    }
    return launch.interrupted.load(std::memory_order_relaxed);
  }

  static Launch& of(LaunchContext* context) { return *static_cast<Launch*>(context->launcher); }
  Message message(Message::Kind kind, uint32_t format, const uint64_t* values) const {
    return {kind, format, {values, values + executable.values_of(format)}, {}};
  }
  void note(Message message) {
    std::lock_guard lock(mutex);
    outcome.messages.push_back(std::move(message));
  }
  static void print(LaunchContext* context, uint32_t format, const uint64_t* values) {
    Launch& launch = of(context);
    launch.note(launch.message(Message::Kind::Print, format, values));
    CodeCall::visit_here();
  }
  static void warn(LaunchContext* context, uint32_t format, const uint64_t* values) {
    Launch& launch = of(context);
    if (launch.executable.first_warning(format)) launch.note(launch.message(Message::Kind::Warn, format, values));
  }
  static void fail(LaunchContext* context, uint32_t format, const uint64_t* values) {
    Launch& launch = of(context);
    std::lock_guard lock(launch.mutex);
    if (launch.failed.exchange(true)) return;
    launch.failure = launch.message(Message::Kind::Fail, format, values);
    launch.failed_thread = std::this_thread::get_id();
  }
  static void called_from(LaunchContext* context, uint64_t place) {
    Launch& launch = of(context);
    std::lock_guard lock(launch.mutex);
    if (launch.failed_thread == std::this_thread::get_id()) launch.failure->calls.push_back(place);
  }
};

/// What all threads that run parts of a task share.
struct TaskRun {
  const CpuExecutable::LoadedTask& task;
  Launch& launch;
  int64_t iterations;
  uint64_t seed;
  bool may_last;
};

/// Adds what a part has counted to the counters of the launch. `alone`: no other part runs at the same time.
void take_in(uint64_t* counters, const uint64_t* words, const ir::CounterRange& counts, const ir::CounterRange& records,
             bool alone) {
  for (uint32_t i = 0; i < counts.size; ++i) {
    uint64_t& counter = counters[counts.first + i];
    if (alone) {
      counter += words[i];
    } else if (words[i] != 0) {
      __atomic_fetch_add(&counter, words[i], __ATOMIC_RELAXED);
    }
  }
  for (uint32_t i = 0; i < records.size; ++i) {
    const uint64_t bits = words[counts.size + i];
    uint64_t* seen = counters + records.first + i;
    if (bits & ~__atomic_load_n(seen, __ATOMIC_RELAXED)) __atomic_fetch_or(seen, bits, __ATOMIC_RELAXED);
  }
}

/// A ThreadPool::Part: runs one part of a range.
void run_part(void* data, int64_t begin, int64_t end) {
  TaskRun& run = *static_cast<TaskRun*>(data);
  Launch& launch = run.launch;
  const CpuExecutable& executable = launch.executable;
  if (launch.failed.load(std::memory_order_relaxed)) return;
  ThreadRoom room;
  std::unique_ptr<uint64_t[]> more_room;
  ThreadState* thread = &room.state;
  uint64_t* routine_words = room.words;
  const size_t n_routine_words =
      run.task.calls ? executable.routine_counters().size + executable.routine_records().size : 0;
  if (n_routine_words > kInlineCounts) {
    more_room.reset(new uint64_t[sizeof(ThreadState) / sizeof(uint64_t) + n_routine_words]);
    thread = new (more_room.get()) ThreadState;
    routine_words = more_room.get() + sizeof(ThreadState) / sizeof(uint64_t);
  }
  std::fill_n(routine_words, n_routine_words, 0);
  ThreadState& state = *thread;
  if (run.task.recursive) state.stack_end = stack_end();
  std::array<uint64_t, kInlineCounts> inline_counts;
  std::unique_ptr<uint64_t[]> more_counts;
  state.counts = inline_counts.data();
  if (const size_t words = run.task.counters.size + run.task.records.size; words > kInlineCounts) {
    more_counts.reset(new uint64_t[words]);
    state.counts = more_counts.get();
  }
  if (run.task.random) {
    // The seed depends on the part only: a part draws the same random numbers on whichever thread it runs.
    uint64_t seed = run.seed ^ (static_cast<uint64_t>(begin) << 20);
    for (uint64_t& word : state.random) word = next_seed(seed);
  }
  if (!run.may_last && !CodeCall::inside()) {
    run.task.function(&launch.context, thread, begin, end);
  } else if (!CodeCall(executable.code(), Launch::visit, &launch)
                  .run(run.task.function, &launch.context, thread, begin, end)) {
    return;
  }
  const bool alone = begin == 0 && end == run.iterations;
  take_in(launch.context.counters, state.counts, run.task.counters, run.task.records, alone);
  if (n_routine_words > 0)
    take_in(launch.context.counters, routine_words, executable.routine_counters(), executable.routine_records(), alone);
}

void run_iterations(CpuState& state, const CpuExecutable::LoadedTask& task, int64_t iterations, Launch& launch) {
  TaskRun run{task, launch, iterations, 0, launch.poll && may_last(task, iterations)};
  if (run.may_last && !launch.watch) launch.watch.emplace();
  if (task.random)
    run.seed = state.random_seed * 0x9e3779b97f4a7c15u + state.launches.fetch_add(1, std::memory_order_relaxed);
  if (!task.parallel) {
    run_part(&run, 0, 1);
  } else if (iterations > 0) {
    const ThreadPool::Waiting waiting{Launch::visit, &launch};
    state.pool.run(iterations, chunk_of(task, iterations, state.pool.threads(), launch.context), run_part, &run,
                   run.may_last ? &waiting : nullptr);
  }
}

/// Runs a task, and adds to the counters what belongs to its start.
void run_task(CpuState& state, uint32_t number, Launch& launch) {
  const CpuExecutable::LoadedTask& task = launch.executable.tasks()[number];
  const TaskClock clock(launch.times, number);
  uint64_t* counters = launch.context.counters;
  const int64_t iterations = iterations_of(task, launch.context);
  if (counters) {  // this launch's own, and no task's
    if (task.start_counter != ir::kNoCounter) ++counters[task.start_counter];
    if (task.trip_counter != ir::kNoCounter) counters[task.trip_counter] += static_cast<uint64_t>(iterations);
  }
  run_iterations(state, task, iterations, launch);
  ++launch.outcome.tasks;
}

void run_steps(CpuState& state, const ir::Schedule& steps, Launch& launch) {
  for (const ir::Step& step : steps) {
    if (launch.failed.load(std::memory_order_relaxed)) return;
    switch (step.kind) {
      case ir::Step::Kind::Run: run_task(state, step.task, launch); break;
      case ir::Step::Kind::DoWhile:
        do run_steps(state, step.sections[0], launch);
        while (!launch.failed.load(std::memory_order_relaxed) &&
               static_cast<int32_t>(launch.context.temps[step.condition]) != 0);
        break;
      case ir::Step::Kind::If:
        run_steps(state, step.sections[static_cast<int32_t>(launch.context.temps[step.condition]) != 0 ? 0 : 1],
                  launch);
        break;
      case ir::Step::Kind::Fork:
        for (const ir::Schedule& section : step.sections) run_steps(state, section, launch);
        break;
    }
  }
}

}  // namespace

void run(CpuState& state, const CpuExecutable& executable, const Invocation& invocation) {
  std::array<uint64_t, kInlineTemps> inline_temps;
  std::vector<uint64_t> more_temps;
  uint64_t* temps = inline_temps.data();
  if (executable.temps() > kInlineTemps) {
    more_temps.resize(executable.temps());
    temps = more_temps.data();
  }
  std::fill_n(temps, executable.temps(), 0);
  if (invocation.kept) std::copy_n(invocation.kept, executable.kept_temps(), temps);

  LaunchOutcome& outcome = *invocation.outcome;
  Launch launch(executable, invocation);
  launch.context = {invocation.arrays,   invocation.params,  invocation.results, temps,
                    invocation.counters, Launch::print,      Launch::fail,       &launch,
                    Launch::warn,        Launch::called_from};
  if (executable.schedule().empty()) {
    const auto tasks = static_cast<uint32_t>(executable.tasks().size());
    for (uint32_t task = 0; task < tasks; ++task) {
      if (launch.failed.load(std::memory_order_relaxed)) break;
      run_task(state, task, launch);
    }
  } else {
    run_steps(state, executable.schedule(), launch);
  }
  launch.watch.reset();
  if (invocation.kept) std::copy_n(temps, executable.kept_temps(), invocation.kept);
  if (!launch.failed.load()) {
    if (invocation.counters && executable.end_counter() != ir::kNoCounter)
      ++invocation.counters[executable.end_counter()];
    return;
  }
  outcome.status = launch.interrupted.load() ? LaunchOutcome::Status::Interrupted : LaunchOutcome::Status::Failed;
  if (launch.failure) outcome.messages.push_back(*std::move(launch.failure));
}

}  // namespace qd::device
