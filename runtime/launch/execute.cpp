// A launch: the tasks of a kernel in order, the parallel ones on the thread pool.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <new>
#include <optional>
#include <thread>

#include "runtime/device/cpu/code_call.h"
#include "runtime/launch/code.h"
#include "runtime/launch/format.h"
#include "runtime/launch/program.h"
#include "runtime/launch/stack_end.h"

namespace qd {
namespace {

/// In tenths of nanoseconds: less work than this is not worth waking a thread, and no part of a range is smaller.
constexpr int64_t kWorthThreads = 60'000;
constexpr int64_t kWorthChunk = 20'000;
constexpr int64_t kChunksPerThread = 4;
constexpr int64_t kChunksPerThreadUneven = 32;
/// Parts begin at multiples of this: whole cache lines and vectors.
constexpr int64_t kChunkStep = 64;
/// A task that surely takes no longer need not be interrupted.
constexpr int64_t kShort = 10'000'000;
constexpr size_t kInlineTemps = 64;
constexpr size_t kInlineCounts = 64;
/// Of a recursion, at each end.
constexpr size_t kShownCalls = 8;

struct ThreadRoom {
  ThreadState state;
  uint64_t words[kInlineCounts];
};
static_assert(offsetof(ThreadRoom, words) == sizeof(ThreadState));

/// Steele, Lea and Flood's SplitMix64, https://prng.di.unimi.it/splitmix64.c
uint64_t next_seed(uint64_t& state) {
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

struct Code::Launch {
  LaunchContext context{};
  const Code* code = nullptr;
  LaunchPoll* poll = nullptr;
  const std::thread::id thread = std::this_thread::get_id();
  std::optional<Watch> watch;
  std::atomic<bool> failed = false;  // or interrupted: tasks need not go on
  std::atomic<bool> interrupted = false;
  std::mutex mutex;  // of what follows
  uint32_t failed_format = 0;
  std::vector<uint64_t> failed_values;
  std::thread::id failed_thread;
  std::vector<uint64_t> failed_calls;  // that led there, innermost first
  std::string printed;
  std::vector<std::pair<std::string, std::string>> warnings;  // line and kind; text

  /// device::CodeCall::Visit: threads of the pool leave the code when the launch is interrupted; the launching thread finds out.
  static bool visit(void* data) {
    Launch& launch = *static_cast<Launch*>(data);
    if (!launch.interrupted.load(std::memory_order_relaxed) && launch.poll && launch.thread == std::this_thread::get_id() && Watch::due() && launch.poll->wants_end()) {
      launch.interrupted.store(true, std::memory_order_relaxed);
      launch.failed.store(true, std::memory_order_relaxed);
    }
    return launch.interrupted.load(std::memory_order_relaxed);
  }

  static Launch& of(LaunchContext* context) { return *static_cast<Launch*>(context->launcher); }
  static void print(LaunchContext* context, uint32_t format, const uint64_t* values) {
    Launch& launch = of(context);
    std::string text = format_text(launch.code->kernel_.formats[format], values);
    {
      std::lock_guard lock(launch.mutex);
      launch.printed += text;
    }
    std::string().swap(text);
    device::CodeCall::visit_here();
  }
  static void warn(LaunchContext* context, uint32_t format, const uint64_t* values) {
    Launch& launch = of(context);
    if (launch.code->warned_[format].load(std::memory_order_relaxed) || launch.code->warned_[format].exchange(true)) return;
    const ir::Kernel& kernel = launch.code->kernel_;
    const ir::Location& location = launch.code->kernel_.locations[launch.code->location_of(format)];
    std::string_view message = kernel.formats[format].pieces[0];
    std::string place = fmt::format("{}:{}:{}", kernel.functions[location.function].file, location.line, message.substr(0, message.find(':')));
    std::string text = launch.code->failure(format, values);
    std::lock_guard lock(launch.mutex);
    launch.warnings.emplace_back(std::move(place), std::move(text));
  }
  static void fail(LaunchContext* context, uint32_t format, const uint64_t* values) {
    Launch& launch = of(context);
    std::lock_guard lock(launch.mutex);
    if (launch.failed.exchange(true)) return;
    launch.failed_format = format;
    launch.failed_thread = std::this_thread::get_id();
    launch.failed_values.assign(values, values + launch.code->kernel_.formats[format].types.size());
  }
  static void called_from(LaunchContext* context, uint64_t place) {
    Launch& launch = of(context);
    std::lock_guard lock(launch.mutex);
    if (launch.failed_thread == std::this_thread::get_id()) launch.failed_calls.push_back(place);
  }
};

int64_t Code::iterations(const ir::Task& task, const LaunchContext& context) const {
  if (task.kind == ir::Task::Kind::Serial) return 1;
  auto value = [&](const ir::Bound& bound) -> int64_t {
    switch (bound.kind) {
      case ir::Bound::Kind::Const: return bound.value;
      case ir::Bound::Kind::Temp: return static_cast<int32_t>(context.temps[bound.value]);
      case ir::Bound::Kind::Shape: return context.arrays[bound.value].shape[bound.axis];
      case ir::Bound::Kind::Param: return static_cast<int32_t>(context.params[bound.value]);
    }
    return 0;
  };
  int64_t product = 1;
  for (size_t i = 0; i + 1 < task.bounds.size(); i += 2) product *= std::max<int64_t>(0, value(task.bounds[i + 1]) - value(task.bounds[i]));
  return product;
}

int64_t Code::chunk(size_t index, int64_t iterations, int threads, const LaunchContext& context) const {
  const Task& task = tasks_[index];
  if (threads == 1 || iterations < kWorthThreads / task.cost) return iterations;
  const int64_t parts = threads * (task.uniform ? kChunksPerThread : kChunksPerThreadUneven);
  int64_t size = std::max((iterations + parts - 1) / parts, kWorthChunk / task.cost);
  // Whole rows of the last axis where parts are that large.
  const std::vector<ir::Bound>& bounds = kernel_.tasks[index].bounds;
  int64_t step = kernel_.tasks[index].block_dim;
  if (bounds.size() > 2) {
    ir::Task last;
    last.kind = ir::Task::Kind::Parallel;
    last.bounds.assign(bounds.end() - 2, bounds.end());
    step = this->iterations(last, context);
  }
  if (step <= 1 || step > size) step = size >= 4 * kChunkStep ? kChunkStep : 1;
  return (size + step - 1) / step * step;
}

void Code::run_task(size_t index, int64_t iterations, Machine& machine, Launch& launch) const {
  struct Run {
    const Task& task;
    Launch& launch;
    int64_t iterations;
    uint64_t seed;
    const Code& code;
    bool may_last;
  };
  const Task& task = tasks_[index];
  Run run{task, launch, iterations, 0, *this, launch.poll && (task.loops || iterations > kShort / task.cost)};
  if (run.may_last && !launch.watch) launch.watch.emplace();
  if (task.random) run.seed = machine.random_seed * 0x9e3779b97f4a7c15u + machine.launches.fetch_add(1, std::memory_order_relaxed);
  auto part = [](void* data, int64_t begin, int64_t end) {
    Run& run = *static_cast<Run*>(data);
    if (run.launch.failed.load(std::memory_order_relaxed)) return;
    ThreadRoom room;
    std::unique_ptr<uint64_t[]> more_room;
    ThreadState* thread = &room.state;
    uint64_t* routine_words = room.words;
    const size_t n_routine_words = run.task.calls ? run.code.routine_counters_.size + run.code.routine_records_.size : 0;
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
      // The same numbers for the same part of the range, whichever thread runs it.
      uint64_t seed = run.seed ^ (static_cast<uint64_t>(begin) << 20);
      for (uint64_t& word : state.random) word = next_seed(seed);
    }
    if (!run.may_last && !device::CodeCall::inside()) {
      run.task.function(&run.launch.context, thread, begin, end);
    } else if (!device::CodeCall(*run.code.code_, Launch::visit, &run.launch).run(run.task.function, &run.launch.context, thread, begin, end)) {
      return;
    }
    uint64_t* counters = run.launch.context.counters;
    auto take_in = [&](const uint64_t* words, const ir::CounterRange& counts, const ir::CounterRange& records) {
      for (uint32_t i = 0; i < counts.size; ++i) {
        uint64_t& counter = counters[counts.first + i];
        if (begin == 0 && end == run.iterations) {
          counter += words[i];  // no other part is there
        } else if (words[i] != 0) {
          __atomic_fetch_add(&counter, words[i], __ATOMIC_RELAXED);
        }
      }
      for (uint32_t i = 0; i < records.size; ++i) {
        const uint64_t bits = words[counts.size + i];
        uint64_t* seen = counters + records.first + i;
        if (bits & ~__atomic_load_n(seen, __ATOMIC_RELAXED)) __atomic_fetch_or(seen, bits, __ATOMIC_RELAXED);
      }
    };
    take_in(state.counts, run.task.counters, run.task.records);
    if (n_routine_words > 0) take_in(routine_words, run.code.routine_counters_, run.code.routine_records_);
  };
  if (kernel_.tasks[index].kind == ir::Task::Kind::Serial) {
    part(&run, 0, 1);
  } else if (iterations > 0) {
    const device::ThreadPool::Waiting waiting{Launch::visit, &launch};
    machine.pool.run(iterations, chunk(index, iterations, machine.pool.threads(), launch.context), part, &run, run.may_last ? &waiting : nullptr);
  }
}

int Code::launch(Machine& machine, ArraySlot* arrays, const uint64_t* params, uint64_t* results, LaunchPoll* poll, VariantObserver* observer,
                 const VariantObserver::Counters& counted) const {
  uint64_t* counters = counted.words.data();
  for (size_t i = 0; i < fields_.size(); ++i) arrays[field_rows_[i]] = fields_[i];
  std::array<uint64_t, kInlineTemps> inline_temps;
  std::vector<uint64_t> more_temps;
  uint64_t* temps = inline_temps.data();
  if (kernel_.global_temps > kInlineTemps) {
    more_temps.resize(kernel_.global_temps);
    temps = more_temps.data();
  }
  std::fill_n(temps, kernel_.global_temps, 0);

  Launch launch;
  launch.code = this;
  launch.poll = poll;
  launch.context = {arrays, params, results, temps, counters, Launch::print, Launch::fail, &launch, Launch::warn, Launch::called_from};
  auto add = [&](uint32_t counter, int64_t amount) {
    if (counters && counter != ir::kNoCounter) counters[counter] += static_cast<uint64_t>(amount);  // this launch's own, and no task's
  };
  int ran = 0;
  for (size_t i = 0; i < tasks_.size() && !launch.failed.load(std::memory_order_relaxed); ++i) {
    const ir::Task& task = kernel_.tasks[i];
    const int64_t count = iterations(task, launch.context);
    add(task.start_counter, 1);
    add(task.trip_counter, count);
    run_task(i, count, machine, launch);
    ++ran;
  }
  launch.watch.reset();
  const bool failed = launch.failed.load(), interrupted = launch.interrupted.load();
  if (!failed) add(kernel_.end_counter, 1);
  if (observer) interrupted ? observer->launch_left(counted.id) : observer->launch_done(counted.id, counted.words);
  if (!launch.printed.empty() && machine.print) machine.print(launch.printed);
  for (auto& [place, warning] : launch.warnings) {
    if (machine.warn && machine.first(std::move(place))) machine.warn(warning);
  }
  if (interrupted) throw KernelInterrupted(fmt::format("kernel {} was interrupted", kernel_.name));
  if (failed) throw KernelAssertionError(failure(launch.failed_format, launch.failed_values.data(), launch.failed_calls));
  return ran;
}

uint32_t Code::location_of(uint32_t format) const {
  return std::ranges::find_if(kernel_.insts, [&](const ir::Inst& inst) { return (inst.op == ir::Op::Assert || inst.op == ir::Op::Warn) && inst.aux == format; })->location;
}

std::string Code::trace(uint32_t at) const {
  std::string text;
  for (; at < kernel_.locations.size(); at = kernel_.locations[at].caller) {
    const ir::Location& location = kernel_.locations[at];
    const ir::Function& function = kernel_.functions[location.function];
    text += fmt::format("\n{}:{} in {}", function.file, location.line, function.name);
  }
  return text;
}

/// "(kernel=NAME) MESSAGE", then where it is, unless the message is whole; then what called that, innermost first. `calls`: of routines.
std::string Code::failure(uint32_t format, const uint64_t* values, const std::vector<uint64_t>& calls) const {
  std::string text = format_text(kernel_.formats[format], values);
  if (!kernel_.formats[format].whole) {
    text = fmt::format("(kernel={}) {}", kernel_.name, text);
    text += trace(location_of(format));
  }
  for (size_t i = 0; i < calls.size(); ++i) {
    if (calls.size() > 2 * kShownCalls && i == kShownCalls) {
      text += fmt::format("\n... {} more calls", calls.size() - 2 * kShownCalls);
      i = calls.size() - kShownCalls;
    }
    text += trace(std::ranges::find_if(kernel_.insts, [&](const ir::Inst& inst) { return inst.op == ir::Op::Call && inst.imm == calls[i]; })->location);
  }
  return text;
}

}  // namespace qd
