// Outcome of a launch on a device with memory of its own: results, counters, messages, and how it ended.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/abi/device_launch.h"
#include "runtime/device/device.h"
#include "runtime/device/launches/loaded_kernel.h"

namespace qd::device {

/// Report of one launch. The device notes the tasks that it has enqueued, and calls finish() when all of them are over.
class LaunchReport {
 public:
  /// Begins a report. Throws std::overflow_error when a loop has too many iterations.
  LaunchReport(const LoadedKernel& kernel, const Invocation& invocation);

  /// Whether the host must learn the task in which an assert failed: LaunchBufferLayout::failed is filled in behind
  /// each task.
  bool follows_failures() const { return follows_failures_; }
  const Invocation& invocation() const { return invocation_; }

  void began(uint32_t task) { began_.push_back(task); }
  size_t began_count() const { return began_.size(); }
  /// Forgets the last tasks, which did not take place.
  void resize_began(size_t count) { began_.resize(count); }

  /// Notes that the launch is to end early; it does when its running tasks end by themselves. finish() reports it.
  void stop(LaunchOutcome::Status status, std::string error) { stopped_ = {status, std::move(error)}; }
  bool stopped() const { return stopped_.has_value(); }
  /// Reads the results of the launch. `loops_ended`: the error when the driver has ended loops of it.
  void finish(const LaunchBuffer& buffer, const std::string& loops_ended = {});
  /// Ends the report of a launch that did not come to its end.
  void end(LaunchOutcome::Status status, const std::string& error);

 private:
  void leave_out_skipped(const LaunchBuffer& buffer);
  void add_counters(const LaunchBuffer& buffer);

  const LoadedKernel& kernel_;
  const Invocation invocation_;
  const bool follows_failures_;
  struct Stopped {
    LaunchOutcome::Status status;
    std::string error;
  };
  std::optional<Stopped> stopped_;
  std::vector<uint32_t> began_;  // the tasks that were enqueued, in their order
};

/// Adds the prints and warnings to the outcome, and then the failed assert, if there is one. `first_warning`: whether a
/// warning of this format is to be told.
void read_messages(const DeviceMessages& messages, const std::function<bool(uint32_t format)>& first_warning,
                   LaunchOutcome& outcome);

}  // namespace qd::device
