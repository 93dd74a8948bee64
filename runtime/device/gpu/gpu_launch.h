// A launch on a GPU: it enqueues its tasks as the schedule says, and reads what they have left.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/device/gpu/gpu_executable.h"
#include "runtime/device/gpu/graph_conditions.h"
#include "runtime/device/gpu/stream_clock.h"
#include "runtime/device/launches/launch_report.h"

namespace qd::device::gpu {

/// What a stream has for its launches.
struct StreamParts {
  Handle stream = nullptr;
  std::shared_ptr<EventPool> events;
  std::vector<Handle> beside = {};  // streams for sections of a fork
  uint64_t seed = 0;                // of random numbers
  /// On which steps with a condition are captured, while `stream` is.
  std::unique_ptr<StreamParts> body = nullptr;
};

class GpuLaunch {
 public:
  /// Throws OutOfMemory, CallFailed.
  GpuLaunch(const GpuExecutable& executable, const Invocation& invocation, const void* stream);

  /// Enqueues the tasks, and the copies of what they leave. `reach` waits for what was enqueued so far, which is done
  /// where the schedule depends on conditions, and returns whether the launch goes on. Throws CallFailed.
  void enqueue(StreamParts& parts, const std::function<bool()>& reach);
  /// After enqueue() has failed: the launch ends, with this error, when the stream has come to what was enqueued of it.
  /// Throws CallFailed.
  void fail(StreamParts& parts, const std::string& error);
  const std::string& kernel() const { return executable_.kernel().name(); }
  /// Where the launch ends in its stream; null until enqueue() is over.
  const std::shared_ptr<Mark>& end_mark() const { return end_; }
  /// Whether the host has got all that the launch leaves. Of kernels that leave nothing it is not known.
  bool has_left() const { return !is_quiet() && memory_->left_room().over(); }

  /// Lets the launch end early; it does when what runs of it ends by itself. Throws CallFailed.
  void stop(LaunchOutcome::Status status, std::string error);
  bool stopped() const { return report_.stopped(); }
  /// Whether the other launch ends early with this one, because it is told in the same memory.
  bool ends_with(const GpuLaunch& other) const { return memory_ == other.memory_; }
  /// For a launch that ends early with another one.
  void note_stop(LaunchOutcome::Status status, std::string error) { report_.stop(status, std::move(error)); }
  /// Fills in what the launch leaves, when it is over.
  void finish(StreamClock& clock);
  /// The launch did not come to its end.
  void end(LaunchOutcome::Status status, const std::string& error) { report_.end(status, error); }

 private:
  bool is_quiet() const { return executable_.kernel().room().is_quiet(); }
  bool steps(StreamParts& parts, const ir::Schedule& schedule, const std::function<bool()>& reach);
  // steps that are one call of the driver (repeated_steps.cpp)
  std::span<const ir::Step> repeatable(std::span<const ir::Step> steps) const;
  RepeatedSteps& repeated(std::span<const ir::Step> steps);
  bool repeat(StreamParts& parts, std::span<const ir::Step> steps);
  void enqueue_step(StreamParts& parts, const ir::Step& step);
  GraphConditions::Condition condition_of(const ir::Step& step) const;

  void sections(StreamParts& parts, const ir::Step& fork);
  void task(StreamParts& parts, Handle stream, uint32_t number, const uint64_t* temps = nullptr);
  uint64_t groups(uint32_t task, const uint64_t* temps) const;
  void copy_left(Handle stream);
  void take_times(StreamClock& clock);
  void copy_messages(std::byte* to);

  const GpuExecutable& executable_;
  Gpu& gpu_;
  LaunchReport report_;
  std::shared_ptr<LaunchMemory> memory_;
  bool is_filled_ = false;  // the device's memory holds what the launch gets
  struct Measured {
    uint32_t task;
    std::shared_ptr<Mark> begin, end;
  };
  std::vector<Measured> measured_;
  std::shared_ptr<Mark> end_;
};

}  // namespace qd::device::gpu
