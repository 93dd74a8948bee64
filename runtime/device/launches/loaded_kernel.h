// Properties of a kernel that the host needs to launch it on a device with memory of its own.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/device/launches/launch_buffer.h"

namespace qd::device {

/// Properties of the kernel that the code was compiled from; it does not need that kernel any more.
class LoadedKernel {
 public:
  struct Task {
    bool parallel = false;
    bool loops = false;                       // iterations have loops
    bool blocks = false;                      // groups are blocks of threads
    bool large = false;                       // there may be more than ir::kMostIterations
    std::vector<ir::Bound> bounds = {};       // as in ir::Task, like the fields that follow
    uint32_t start_counter = ir::kNoCounter;  // the host counts these two
    uint32_t trip_counter = ir::kNoCounter;
  };

  explicit LoadedKernel(const ir::Kernel& kernel);

  const std::string& name() const { return name_; }
  const std::vector<Task>& tasks() const { return tasks_; }
  const ir::Schedule& schedule() const { return schedule_; }
  /// Whether the host has to read conditions while a launch runs.
  bool has_conditions() const { return has_conditions_; }
  /// Whether a temp is 0 or 1 behind each write: all stored values are truth values.
  bool is_truth(uint32_t temp) const { return truths_[temp]; }
  /// Whether the host counts starts of tasks, or their iterations.
  bool counts_starts() const { return counts_starts_; }
  /// Whether asserts can fail, and tasks come behind them.
  bool may_stop() const { return may_stop_; }
  const LaunchBufferLayout& buffer_layout() const { return buffer_layout_; }
  uint32_t kept_temps() const { return kept_temps_; }
  uint32_t begin_counter() const { return begin_counter_; }
  uint32_t end_counter() const { return end_counter_; }
  ir::AtomicOp combine_rule(uint32_t counter) const { return rules_[counter]; }
  /// Whether this is the first call for this format. Thread-safe.
  bool first_warning(uint32_t format) const { return !warned_[format].exchange(true); }

  /// Number of iterations of a parallel task in a launch; nothing when only the device knows. `temps`: those of the
  /// launch, if the host has them.
  static std::optional<int64_t> iterations(const Task& task, const Invocation& invocation,
                                           const uint64_t* temps = nullptr);

 private:
  std::string name_;
  std::vector<Task> tasks_;
  ir::Schedule schedule_;
  bool has_conditions_;
  std::vector<bool> truths_;  // by temp
  bool counts_starts_ = false;
  bool may_stop_;
  LaunchBufferLayout buffer_layout_;
  uint32_t kept_temps_, begin_counter_, end_counter_;
  std::vector<ir::AtomicOp> rules_;              // of counters
  std::unique_ptr<std::atomic<bool>[]> warned_;  // by format
};

}  // namespace qd::device
