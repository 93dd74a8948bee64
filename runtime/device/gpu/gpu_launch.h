// A launch on a GPU: it enqueues its tasks by the schedule, and reads their results and messages.
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

/// Parts of a stream that its launches use.
struct StreamParts {
  Handle stream = nullptr;
  std::shared_ptr<EventPool> events;
  std::vector<Handle> beside = {};  // streams for sections of a fork
  uint64_t seed = 0;                // of random numbers
  /// Stream on which steps with a condition are captured, while `stream` is.
  std::unique_ptr<StreamParts> body = nullptr;
};

class GpuLaunch {
 public:
  /// Prepares a launch. Throws OutOfMemory, CallFailed.
  GpuLaunch(const GpuExecutable& executable, const Invocation& invocation, const void* stream);

  /// Enqueues the tasks, and the copies of their results. `reach` waits for the work that was enqueued so far, if the
  /// schedule depends on conditions, and returns whether the launch goes on. Throws CallFailed.
  void enqueue(StreamParts& parts, const std::function<bool()>& reach);
  /// Ends the launch after enqueue() has failed, with this error, when the stream has come to the part that was
  /// enqueued. Throws CallFailed.
  void fail(StreamParts& parts, const std::string& error);
  const std::string& kernel() const { return executable_.kernel().name(); }
  /// The event in its stream at which the launch ends; null until enqueue() is over.
  const std::shared_ptr<DriverEvent>& end_event() const { return end_; }
  /// Whether the host has got all results of the launch. Of kernels without any it is not known.
  bool has_left() const { return !is_quiet() && memory_->left_buffer().over(); }

  /// Makes the launch end early; it does when its running tasks end by themselves. Throws CallFailed.
  void stop(LaunchOutcome::Status status, std::string error);
  bool stopped() const { return report_.stopped(); }
  /// Whether the other launch ends early with this one, because both read the same flag in memory.
  bool ends_with(const GpuLaunch& other) const { return memory_ == other.memory_; }
  /// Notes that the launch ends early with another one.
  void note_stop(LaunchOutcome::Status status, std::string error) { report_.stop(status, std::move(error)); }
  /// Reads the results and messages of the launch, when it is over.
  void finish(StreamClock& clock);
  /// Ends a launch that did not come to its end.
  void end(LaunchOutcome::Status status, const std::string& error) { report_.end(status, error); }

 private:
  bool is_quiet() const { return executable_.kernel().buffer_layout().is_quiet(); }
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
  void take_output();
  void take_times(StreamClock& clock);
  void copy_messages(std::byte* to);

  const GpuExecutable& executable_;
  Gpu& gpu_;
  LaunchReport report_;
  std::shared_ptr<LaunchMemory> memory_;
  bool is_filled_ = false;   // the device's memory holds the input of the launch
  bool hands_over_ = false;  // the launch writes its output to the host's memory itself
  struct Measured {
    uint32_t task;
    std::shared_ptr<DriverEvent> begin, end;
  };
  std::vector<Measured> measured_;
  std::shared_ptr<DriverEvent> end_;
};

}  // namespace qd::device::gpu
