// A line on a terminal that says how far a long piece of work has come.
#pragma once

#include <cstddef>
#include <string>

namespace qd::cli {

/// "Combining [########            ] 400/1000" on standard error while there is a terminal, and nothing once it is gone.
class ProgressBar {
 public:
  /// Not `wanted`, or no terminal: nothing is shown.
  ProgressBar(std::string label, bool wanted);
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Few pieces of work are not worth a bar.
  void show(size_t done, size_t of);
  /// Makes room for another message. The next show() draws it again.
  void clear();

 private:
  std::string label_;
  bool wanted_, colored_;
  size_t drawn_ = 0;  // steps that the line on the terminal shows, counted from 1; 0: none
};

}  // namespace qd::cli
