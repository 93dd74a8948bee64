// Trial of two forms of a task, on the program's own launches: the faster one is kept.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace qd::device {

/// The forms take turns, in groups of four runs: first, other, other, first. Within a group the times of an iteration
/// are compared, so neither a machine that gets slower nor launches that differ by turns count for one form.
/// Thread-safe, and without a lock that a fork could leave locked in the child.
class FormTrial {
 public:
  using Time = std::chrono::nanoseconds;

  /// Whether the first form has run so long that a compilation of the other one pays. True once, until dropped().
  bool wants_other() { return wants_other_.load(std::memory_order_relaxed) && wants_other_.exchange(false); }
  /// The other form is there: the trial begins.
  void begin() {
    is_other_.store(true, std::memory_order_release);  // a first run, of which the time does not count
    state_.store(State::Running, std::memory_order_release);
  }
  /// There is no other form. It may be asked for again.
  void dropped() { state_.store(State::Alone, std::memory_order_release); }

  /// Whether the next run is one of the other form.
  bool is_other() const { return is_other_.load(std::memory_order_acquire); }
  /// Whether runs need no time any more.
  bool is_over() const { return is_over_.load(std::memory_order_acquire); }
  /// Notes the time of a run. Runs without iterations say nothing, nor does one that ends while another one is noted.
  void note(bool is_other, int64_t iterations, Time time);

  /// The ratio of the other form's time to that of the first one, when the trial is over.
  std::optional<double> ratio() const { return is_over() ? std::optional(ratio_) : std::nullopt; }

 private:
  enum class State { Alone, Asking, Running };

  void note_alone(Time time);
  void note_in_trial(bool is_other, double each);
  void judge();

  std::atomic<State> state_ = State::Alone;
  std::atomic<bool> wants_other_ = false;
  std::atomic<bool> is_other_ = false;
  std::atomic<bool> is_over_ = false;

  std::atomic<bool> busy_ = false;  // the thread that sets it owns the members below
  Time alone_{0};                   // of runs of the first form so far
  bool is_warm_ = false;            // the other form has run
  size_t runs_ = 0;                 // of the group
  double balance_ = 0;              // of the group: logarithms of the other form's times less those of the first one's
  std::vector<double> ratios_;      // of the groups
  double ratio_ = 1;
};

}  // namespace qd::device
