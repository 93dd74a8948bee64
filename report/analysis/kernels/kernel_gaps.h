// Kernel gaps: the missing lines and branches of kernels, grouped by the reason why they are missing.
#pragma once

#include <string>
#include <vector>

#include "report/analysis/analysis.h"

namespace qd::report {

/// The missing lines and branches of one kernel or func that are in the same state.
struct KernelGap {
  const KernelProbes* function = nullptr;
  ProbeState state = ProbeState::NotHit;
  std::vector<int32_t> lines;  // sorted
  std::vector<Arc> branches;   // of lines that ran, to lines that did

  /// Text of the gap: "20-22, 17->23". The statements of the file between two lines end a range.
  std::string formatted(const std::vector<int32_t>& statements) const;
};

/// All gaps of a file: by function, and of each function from the state about which most is known. They point into
/// `analysis`, which must have been made with kernels.
std::vector<KernelGap> kernel_gaps(const Analysis& analysis);

/// Lines as ranges, and branches. A range ends only at a statement that is not among the lines.
std::string format_lines(const std::vector<int32_t>& statements, const std::vector<int32_t>& lines,
                         const std::vector<Arc>& branches);

}  // namespace qd::report
