// Progress bar: a line on a terminal with the progress of a long piece of work.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace qd::cli {

/// Delay before a report shows its progress.
inline constexpr std::chrono::milliseconds kPatience{300};

/// A bar "Combining [########            ] 400/1000" on standard error if it is a terminal, which clear() removes. One
/// at a time.
class ProgressBar {
 public:
  /// Without `wanted` or a terminal, no bar is shown; nor before the work is older than `patience`.
  ProgressBar(std::string label, bool wanted, std::chrono::milliseconds patience = {});
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Draws the bar, unless there are few pieces of work.
  void show(size_t done, size_t of);
  /// Removes the bar for another message. The next show() draws it again.
  void clear();
  /// clear() of the bar that is shown, if there is one.
  static void make_room();

 private:
  std::string label_;
  bool wanted_, colored_;
  std::chrono::steady_clock::time_point from_;  // earliest time of the bar
  size_t drawn_ = 0;                            // number of steps in the drawn bar, counted from 1; 0: none is drawn
};

}  // namespace qd::cli
