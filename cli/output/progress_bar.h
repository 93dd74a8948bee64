// A line on a terminal that says how far a long piece of work has come.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace qd::cli {

/// How long a report may take before it shows how far it is.
inline constexpr std::chrono::milliseconds kPatience{300};

/// "Combining [########            ] 400/1000" on standard error while there is a terminal, and nothing once it is
/// gone. One at a time.
class ProgressBar {
 public:
  /// Not `wanted`, or no terminal: nothing is shown; nor is it as long as the work is younger than `patience`.
  ProgressBar(std::string label, bool wanted, std::chrono::milliseconds patience = {});
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Few pieces of work are not worth a bar.
  void show(size_t done, size_t of);
  /// Makes room for another message. The next show() draws it again.
  void clear();
  /// clear() of the bar that is shown, if there is one.
  static void make_room();

 private:
  std::string label_;
  bool wanted_, colored_;
  std::chrono::steady_clock::time_point from_;  // when it is worth a bar
  size_t drawn_ = 0;                            // steps that the line on the terminal shows, counted from 1; 0: none
};

}  // namespace qd::cli
