// Trial of two forms of a task, on the program's own launches: the faster one is kept.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace qd::device {

/// The forms take turns, in groups of four runs: first, other, other, first. Within a group the times of an iteration
/// are compared, so neither a machine that gets slower nor launches that differ by turns count for one form.
/// Thread-safe.
class FormTrial {
 public:
  using Time = std::chrono::nanoseconds;

  /// Whether the first form has run so long that a compilation of the other one pays. True once, until dropped().
  bool wants_other() { return wants_other_.load(std::memory_order_relaxed) && wants_other_.exchange(false); }
  /// The other form is there: the trial begins.
  void begin();
  /// There is no other form. It may be asked for again.
  void dropped();

  /// Whether the next run is one of the other form.
  bool is_other() const { return is_other_.load(std::memory_order_acquire); }
  /// Whether runs need no time any more.
  bool is_over() const { return is_over_.load(std::memory_order_relaxed); }
  /// Notes the time of a run. Runs without iterations say nothing.
  void note(bool is_other, int64_t iterations, Time time);

  /// The ratio of the other form's time to that of the first one, when the trial is over.
  std::optional<double> ratio() const;

 private:
  enum class State { Alone, Asking, Running };

  void judge();

  mutable std::mutex mutex_;  // guards the members below
  State state_ = State::Alone;
  Time alone_{0};               // of runs of the first form so far
  bool is_warm_ = false;        // the other form has run
  size_t runs_ = 0;             // of the group
  double balance_ = 0;          // of the group: logarithms of the other form's times less those of the first one's
  std::vector<double> ratios_;  // of the groups
  std::optional<double> ratio_;

  std::atomic<bool> wants_other_ = false;
  std::atomic<bool> is_other_ = false;
  std::atomic<bool> is_over_ = false;
};

}  // namespace qd::device
