// What a launch on a device with memory of its own leaves for the host: results, counters, messages, and how it ended.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/device/launches/loaded_kernel.h"

namespace qd::device {

/// Of one launch. The device notes which tasks it has enqueued, and calls finish() when all of them are over.
class LaunchReport {
 public:
  /// Throws std::overflow_error when a loop has too many iterations.
  LaunchReport(const LoadedKernel& kernel, const Invocation& invocation);

  /// Whether the host must learn in which task an assert failed: RoomLayout::failed is filled in behind each task.
  bool follows_failures() const { return follows_failures_; }
  const Invocation& invocation() const { return invocation_; }

  void began(uint32_t task) { began_.push_back(task); }
  size_t began_count() const { return began_.size(); }
  /// Forgets the last ones, which did not take place.
  void resize_began(size_t count) { began_.resize(count); }

  /// The launch is to end early; it does when what runs of it ends by itself. finish() will say so.
  void stop(LaunchOutcome::Status status, std::string error) { stopped_ = {status, std::move(error)}; }
  bool stopped() const { return stopped_.has_value(); }
  /// Fills in what the launch leaves. `loops_ended`: what to say when the driver has ended loops of it.
  void finish(const LaunchRoom& room, const std::string& loops_ended = {});
  /// The launch did not come to its end.
  void end(LaunchOutcome::Status status, const std::string& error);

 private:
  void leave_out_skipped(const LaunchRoom& room);
  void add_counters(const LaunchRoom& room);

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

}  // namespace qd::device
