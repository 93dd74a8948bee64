// The end of a trial: the median of enough groups of runs, or a few groups that agree by far.
#include "runtime/device/cpu/form_trial.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace qd::device {
namespace {

/// Time in the first form after which a compilation of the other one, which takes about as long, may pay.
constexpr FormTrial::Time kBefore = std::chrono::milliseconds(30);
/// Runs of a group, each with whether it is one of the other form.
constexpr std::array kTurns{false, true, true, false};
/// Number of groups of a trial; and number after which it ends if all of them agree by far.
constexpr size_t kGroups = 5;
constexpr size_t kFewGroups = 2;
constexpr double kFar = 1.4;
/// Largest ratio for which the other form takes the place of the first one.
constexpr double kWorthAChange = 0.95;

}  // namespace

void FormTrial::note(bool is_other, int64_t iterations, Time time) {
  if (iterations <= 0 || busy_.exchange(true, std::memory_order_acquire)) return;
  const State state = state_.load(std::memory_order_acquire);
  if (state == State::Alone) note_alone(time);
  // Runs from several threads may come when the group needs a run of the other kind.
  if (state == State::Running && !is_over() && is_other == this->is_other())
    note_in_trial(is_other, std::max(static_cast<double>(time.count()), 1.0) / static_cast<double>(iterations));
  busy_.store(false, std::memory_order_release);
}

void FormTrial::note_alone(Time time) {
  alone_ += time;
  if (alone_ < kBefore) return;
  alone_ = Time(0);
  state_.store(State::Asking, std::memory_order_relaxed);
  wants_other_.store(true, std::memory_order_relaxed);
}

void FormTrial::note_in_trial(bool is_other, double each) {
  if (is_warm_) {
    balance_ += is_other ? std::log(each) : -std::log(each);
    ++runs_;
  }
  is_warm_ = true;
  if (runs_ == kTurns.size()) {
    ratios_.push_back(std::exp(balance_ / 2));
    runs_ = 0;
    balance_ = 0;
    judge();
    if (is_over()) return;
  }
  is_other_.store(kTurns[runs_], std::memory_order_release);
}

void FormTrial::judge() {
  std::ranges::sort(ratios_);
  const bool agree = ratios_.size() >= kFewGroups && (ratios_.front() > kFar || ratios_.back() < 1 / kFar);
  if (!agree && ratios_.size() < kGroups) return;
  ratio_ = ratios_[ratios_.size() / 2];
  is_other_.store(ratio_ <= kWorthAChange, std::memory_order_release);
  is_over_.store(true, std::memory_order_release);
}

}  // namespace qd::device
