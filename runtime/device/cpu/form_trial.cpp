// The end of a trial: the median of enough groups of runs, or a few groups that agree by far.
#include "runtime/device/cpu/form_trial.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace qd::device {
namespace {

/// Time in the first form after which a compilation of the other one, which takes about as long, may pay.
constexpr FormTrial::Time kBefore = std::chrono::milliseconds(30);
/// Which runs of a group are those of the other form.
constexpr std::array kTurns{false, true, true, false};
/// Number of groups of a trial; and number after which it ends if all of them agree by far.
constexpr size_t kGroups = 5;
constexpr size_t kFewGroups = 2;
constexpr double kFar = 1.4;
/// Largest ratio for which the other form takes the place of the first one.
constexpr double kWorthAChange = 0.95;

}  // namespace

void FormTrial::begin() {
  std::lock_guard lock(mutex_);
  state_ = State::Running;
  is_other_.store(true, std::memory_order_release);  // a first run, of which the time does not count
}

void FormTrial::dropped() {
  std::lock_guard lock(mutex_);
  state_ = State::Alone;
  alone_ = Time(0);
}

void FormTrial::note(bool is_other, int64_t iterations, Time time) {
  if (iterations <= 0) return;
  std::lock_guard lock(mutex_);
  if (state_ == State::Alone) {
    alone_ += time;
    if (alone_ < kBefore) return;
    state_ = State::Asking;
    wants_other_.store(true, std::memory_order_relaxed);
  }
  // Runs from several threads may come at a time at which the group needs a run of the other kind.
  if (state_ != State::Running || ratio_ || is_other != is_other_.load(std::memory_order_relaxed)) return;
  if (is_warm_) {
    const double each = std::max(static_cast<double>(time.count()), 1.0) / static_cast<double>(iterations);
    balance_ += is_other ? std::log(each) : -std::log(each);
    ++runs_;
  }
  is_warm_ = true;
  if (runs_ == kTurns.size()) {
    ratios_.push_back(std::exp(balance_ / 2));
    runs_ = 0;
    balance_ = 0;
    judge();
    if (ratio_) return;
  }
  is_other_.store(kTurns[runs_], std::memory_order_release);
}

void FormTrial::judge() {
  std::ranges::sort(ratios_);
  const bool agree = ratios_.size() >= kFewGroups && (ratios_.front() > kFar || ratios_.back() < 1 / kFar);
  if (!agree && ratios_.size() < kGroups) return;
  ratio_ = ratios_[ratios_.size() / 2];
  is_other_.store(*ratio_ <= kWorthAChange, std::memory_order_release);
  is_over_.store(true, std::memory_order_relaxed);
}

std::optional<double> FormTrial::ratio() const {
  std::lock_guard lock(mutex_);
  return ratio_;
}

}  // namespace qd::device
