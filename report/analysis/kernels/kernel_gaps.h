// The missing lines and branches of kernels, by what is known of them.
#pragma once

#include <string>
#include <vector>

#include "report/analysis/analysis.h"

namespace qd::report {

/// What is missing of one kernel or func and is in one state.
struct KernelGap {
  const KernelProbes* function = nullptr;
  ProbeState state = ProbeState::NotHit;
  std::vector<int32_t> lines;  // sorted
  std::vector<Arc> branches;   // of lines that ran, to lines that did

  /// "20-22, 17->23": the statements of the file between two lines end a range.
  std::string formatted(const std::vector<int32_t>& statements) const;
};

/// All of them, in the order of the functions, each from what is known best. They point into `analysis`, which was made
/// with kernels.
std::vector<KernelGap> kernel_gaps(const Analysis& analysis);

/// Lines as ranges, which only statements end that are not among them, and branches.
std::string format_lines(const std::vector<int32_t>& statements, const std::vector<int32_t>& lines,
                         const std::vector<Arc>& branches);

}  // namespace qd::report
