// Transfers of a launch: the host gives it one piece of memory, and gets one back. The input has been copied before the
// first task begins, unless it is there from the launch before. The output is copied behind the last task, unless that
// hands it over (codegen/gpu/hand_over.cpp).
#include "runtime/device/gpu/gpu_launch.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/abi/task_arguments.h"
#include "runtime/device/seeds.h"

namespace qd::device::gpu {
namespace {

/// Largest number of threads of a task for each multiprocessor: as many as it can hold. With more iterations, threads
/// run several each, which saves the work of each thread at its begin and its end. On an H200, 4 times as many made
/// short tasks 1 to 4 % slower, and up to 70 % with coverage.
constexpr uint64_t kThreadsOfMultiprocessor = 2048;
/// The least number of groups that this is, for large groups: some end earlier than others.
constexpr uint64_t kGroupsOfMultiprocessor = 8;

}  // namespace

GpuLaunch::GpuLaunch(const GpuExecutable& executable, const Invocation& invocation, const void* stream)
    : executable_(executable), gpu_(executable.gpu()), report_(executable.kernel(), invocation) {
  if (is_quiet()) memory_ = executable_.shared_memory(stream, invocation);
  is_filled_ = memory_ != nullptr;
  if (is_filled_) return;
  memory_ = executable_.new_memory(invocation);
  const LaunchBufferLayout& layout = executable_.kernel().buffer_layout();
  const std::optional<uint32_t> last = executable_.hands_over();
  hands_over_ = last && !invocation.kept && groups(*last, nullptr) > 0;
  is_filled_ = std::exchange(memory_->is_filled, false) && hands_over_;
  const uint32_t over = 1, none = 0;
  if (!is_filled_) {
    const uint64_t left = hands_over_ ? reinterpret_cast<uint64_t>(memory_->left()) : 0;
    memory_->given_buffer().fill(invocation, executable_.kernel().kept_temps(), 0, left);
    // The device hands the flag back with all the rest.
    if (!hands_over_) std::memcpy(memory_->given() + layout.over, &over, sizeof over);
  }
  std::memcpy(memory_->left(), &none, sizeof none);
  if (is_quiet()) executable_.share(stream, memory_);
}

void GpuLaunch::enqueue(StreamParts& parts, const std::function<bool()>& reach) {
  const LaunchBufferLayout& layout = executable_.kernel().buffer_layout();
  const bool with_others = report_.invocation().with_others;
  if (with_others) order(gpu_, parts.events, kDefaultStream, parts.stream);
  if (!is_filled_) {
    gpu_.require("copy_to_device",
                 gpu_.driver().copy_to_device(memory_->address(), memory_->given(), layout.filled, parts.stream));
    is_filled_ = true;
  }
  steps(parts, executable_.kernel().schedule(), reach);
  if (!is_quiet() && !hands_over_) copy_left(parts.stream);
  end_ = std::make_shared<DriverEvent>(parts.events, parts.stream);
  if (with_others) gpu_.require("stream_wait", gpu_.driver().stream_wait(kDefaultStream, end_->handle(), 0));
}

void GpuLaunch::fail(StreamParts& parts, const std::string& error) {
  report_.stop(LaunchOutcome::Status::Lost, error);
  executable_.stop_sharing(*memory_);
  hands_over_ = false;
  std::memset(memory_->left(), 0,
              executable_.kernel().buffer_layout().filled - executable_.kernel().buffer_layout().over);
  end_ = std::make_shared<DriverEvent>(parts.events, parts.stream);
}

void GpuLaunch::copy_left(Handle stream) {
  const LaunchBufferLayout& layout = executable_.kernel().buffer_layout();
  gpu_.require("copy_to_host", gpu_.driver().copy_to_host(memory_->left(), memory_->address() + layout.over,
                                                          layout.filled - layout.over, stream));
}

/// Enqueues steps. Returns whether the launch goes on.
bool GpuLaunch::steps(StreamParts& parts, const ir::Schedule& schedule, const std::function<bool()>& reach) {
  const LaunchBuffer buffer = memory_->left_buffer();
  auto catch_up = [&] {
    copy_left(parts.stream);
    return reach() && !buffer.failed();
  };
  for (size_t i = 0; i < schedule.size(); ++i) {
    const std::span<const ir::Step> together = repeatable(std::span(schedule).subspan(i));
    if (!together.empty() && repeat(parts, together)) {
      i += together.size() - 1;
      continue;
    }
    const ir::Step& step = schedule[i];
    switch (step.kind) {
      case ir::Step::Kind::Run: {
        const bool waits = executable_.tasks()[step.task].waits;
        if (waits && !catch_up()) return false;
        task(parts, parts.stream, step.task, waits ? buffer.temps() : nullptr);
        break;
      }
      case ir::Step::Kind::DoWhile:
        do {
          if (!steps(parts, step.sections[0], reach) || !catch_up()) return false;
        } while (buffer.holds(step.condition));
        break;
      case ir::Step::Kind::If:
        if (!catch_up() || !steps(parts, step.sections[buffer.holds(step.condition) ? 0 : 1], reach)) return false;
        break;
      case ir::Step::Kind::Fork:
        if (executable_.is_plain(step)) {
          sections(parts, step);
          break;
        }
        for (const ir::Schedule& section : step.sections) {
          if (!steps(parts, section, reach)) return false;
        }
        break;
    }
  }
  return true;
}

/// Enqueues a fork: the first section on the stream itself, the others on streams beside it.
void GpuLaunch::sections(StreamParts& parts, const ir::Step& fork) {
  const Driver& driver = gpu_.driver();
  const size_t others = std::min(parts.beside.size(), fork.sections.size() - 1);
  std::unique_ptr<DriverEvent> begin;
  if (others > 0) begin = std::make_unique<DriverEvent>(parts.events, parts.stream);
  std::vector<bool> used(others, false);
  for (size_t i = 0; i < fork.sections.size(); ++i) {
    const size_t lane = i % (others + 1);
    Handle stream = lane == 0 ? parts.stream : parts.beside[lane - 1];
    if (lane > 0 && !used[lane - 1]) {
      gpu_.require("stream_wait", driver.stream_wait(stream, begin->handle(), 0));
      used[lane - 1] = true;
    }
    for (const ir::Step& step : fork.sections[i]) task(parts, stream, step.task);
  }
  for (size_t i = 0; i < others; ++i) {
    if (!used[i]) continue;
    const DriverEvent end(parts.events, parts.beside[i]);
    gpu_.require("stream_wait", driver.stream_wait(parts.stream, end.handle(), 0));
  }
}

uint64_t GpuLaunch::groups(uint32_t number, const uint64_t* temps) const {
  const codegen::gpu::TaskShape& shape = executable_.tasks()[number].shape;
  const LoadedKernel::Task& task = executable_.kernel().tasks()[number];
  if (!task.parallel) return 1;
  const uint64_t most = gpu_.properties().multiprocessors *
                        std::max(kGroupsOfMultiprocessor, kThreadsOfMultiprocessor / shape.group_size);
  const std::optional<int64_t> iterations = LoadedKernel::iterations(task, report_.invocation(), temps);
  if (!iterations) return most;
  const uint64_t all = (static_cast<uint64_t>(*iterations) + shape.group_size - 1) / shape.group_size;
  return shape.one_round ? all : std::min(all, most);
}

void GpuLaunch::task(StreamParts& parts, Handle stream, uint32_t number, const uint64_t* temps) {
  const codegen::gpu::TaskShape& shape = executable_.tasks()[number].shape;
  const uint64_t groups = this->groups(number, temps);
  const bool measures = report_.invocation().times != nullptr;
  Measured measured{number, nullptr, nullptr};
  if (measures) measured.begin = std::make_shared<DriverEvent>(parts.events, stream, true);
  if (groups > 0) {
    uint64_t launch = memory_->address(), seed = shape.draws ? next_seed(parts.seed) : 0;
    uint32_t group_stride = shape.group_size, step = static_cast<uint32_t>(groups * shape.group_size);
    uint32_t rounds = shape.one_round ? 1 : UINT32_MAX;
    void* arguments[] = {&launch, &seed, &group_stride, &step, &rounds};
    gpu_.require("launch",
                 gpu_.driver().launch(executable_.tasks()[number].function, static_cast<unsigned>(groups), 1, 1,
                                      shape.group_size, 1, 1, 0, stream, arguments, nullptr),
                 "task " + std::to_string(number));
  }
  if (measures) {
    measured.end = std::make_shared<DriverEvent>(parts.events, stream, true);
    measured_.push_back(std::move(measured));
  }
  report_.began(number);
  if (!report_.follows_failures()) return;
  const LaunchBufferLayout& layout = executable_.kernel().buffer_layout();
  const Address buffer = memory_->address();
  gpu_.require("copy_on_device",
               gpu_.driver().copy_on_device(buffer + layout.failed + number * sizeof(uint32_t),
                                            buffer + layout.messages + offsetof(DeviceMessages, failed), 4, stream));
}

void GpuLaunch::stop(LaunchOutcome::Status status, std::string error) {
  if (stopped()) return;
  report_.stop(status, std::move(error));
  executable_.stop_sharing(*memory_);
  const uint32_t stopped = kStopped;
  const LaunchBufferLayout& layout = executable_.kernel().buffer_layout();
  gpu_.copy_now(memory_->address() + layout.messages + offsetof(DeviceMessages, failed), &stopped, sizeof stopped);
}

void GpuLaunch::finish(StreamClock& clock) {
  std::string problem;
  try {
    if (hands_over_) take_output();
    take_times(clock);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  const LaunchBufferLayout& layout = executable_.kernel().buffer_layout();
  if (is_quiet()) {
    report_.finish(memory_->given_buffer());
  } else if (const LaunchBuffer left = memory_->left_buffer(); left.messages().next == 0 && !left.assert_failed()) {
    report_.finish(left);
  } else {
    std::vector<uint64_t> copy((layout.size + 7) / 8);
    try {
      copy_messages(reinterpret_cast<std::byte*>(copy.data()));
    } catch (const std::exception& error) {
      problem = error.what();
    }
    report_.finish(LaunchBuffer(layout, reinterpret_cast<std::byte*>(copy.data()), memory_->address()));
  }
  if (!problem.empty()) end(LaunchOutcome::Status::Lost, problem);
}

/// Finds the output that the launch has handed over. A launch that was stopped leaves the memory in an unknown state.
void GpuLaunch::take_output() {
  const LaunchBuffer left = memory_->left_buffer();
  const LaunchBufferLayout& layout = executable_.kernel().buffer_layout();
  if (!left.over())
    gpu_.copy_now(memory_->left(), memory_->address() + layout.over, layout.filled - layout.over);
  else
    memory_->is_filled = !stopped() && !left.failed();
}

void GpuLaunch::take_times(StreamClock& clock) {
  const std::vector<Measured> measured = std::exchange(measured_, {});
  for (const Measured& row : measured) {
    const int64_t begin = clock.time_of(gpu_, row.begin);
    report_.invocation().times->push_back({row.task, begin, clock.time_of(gpu_, row.end) - begin});
  }
}

/// Copies the launch's output, and behind it the words of messages. Only these are read from the device's own
/// memory, because there are none as a rule. When that fails, there are no messages.
void GpuLaunch::copy_messages(std::byte* to) {
  const LaunchBufferLayout& layout = executable_.kernel().buffer_layout();
  std::memcpy(to + layout.over, memory_->left(), layout.messages - layout.over);
  const size_t failure = layout.tells_failures ? kFailWords : 0;
  gpu_.copy_now(to + layout.messages, memory_->address() + layout.messages,
                sizeof(DeviceMessages) + (layout.message_words + failure) * sizeof(uint64_t));
}

}  // namespace qd::device::gpu
