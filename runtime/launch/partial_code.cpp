// Partial code: the time to compile it, and the counters that it keeps.
#include "runtime/launch/partial_code.h"

#include <algorithm>

namespace qd {
namespace {

/// Number of launches between two reads of the clock. When launches have brought nothing new for kLong, a compilation
/// is worth it.
constexpr uint64_t kLaunchesBetween = 64;
constexpr std::chrono::milliseconds kLong{50};
/// Largest number of such compilations of a kernel. A kernel whose arcs are taken one by one is not compiled for each
/// of them.
constexpr size_t kMaxForms = 4;

bool covers(const std::vector<bool>& counted, const std::vector<bool>& open) {
  for (size_t i = 0; i < open.size(); ++i) {
    if (open[i] && !counted[i]) return false;
  }
  return true;
}

}  // namespace

void PartialCode::launched(const VariantObserver& observer, uint64_t epoch) {
  const bool at_once = forms_->config().coverage_switch == CleanCodeSwitch::PartlyToo;
  if (!at_once && (launches_.fetch_add(1, std::memory_order_relaxed) + 1) % kLaunchesBetween != 0) return;
  if (busy_.exchange(true, std::memory_order_acquire)) return;
  open_ = observer.open_counters(epoch);
  const auto open_count = static_cast<size_t>(std::ranges::count(open_, true));
  bool compile = open_count > 0 && (at_once || long_enough(open_count, epoch));
  if (compile && !compiled_.empty() && covers(compiled_.back()->counted, open_)) {
    compiled_.back()->valid_in.store(epoch, std::memory_order_release);
    compile = static_cast<size_t>(std::ranges::count(compiled_.back()->counted, true)) > open_count;
  }
  if (!compile || open_count == open_.size() || (!at_once && compiled_.size() == kMaxForms)) {
    busy_.store(false, std::memory_order_release);
    return;
  }
  epoch_ = epoch;
  if (at_once) {
    run_now(*this);
  } else {
    run_in_background(weak_from_this());
  }
}

bool PartialCode::long_enough(size_t open, uint64_t epoch) {
  const auto now = std::chrono::steady_clock::now();
  if (epoch != epoch_ || open != open_count_) {
    epoch_ = epoch;
    open_count_ = open;
    since_ = now;
  }
  return now - since_ >= kLong;
}

void PartialCode::run() {
  try {
    compiled_.push_back(
        std::unique_ptr<Form>(new Form{open_, forms_->compile({forms_->instruments(), open_}), epoch_}));
    form_.store(compiled_.back().get(), std::memory_order_release);
  } catch (const std::exception&) {
    // The code that counts everything does the same, only more slowly.
  }
  busy_.store(false, std::memory_order_release);
}

}  // namespace qd
