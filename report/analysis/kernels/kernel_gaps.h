// The missing lines and branches of kernels, grouped by why they are missing.
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

  /// "20-22, 17->23": the statements of the file between two lines end a range.
  std::string formatted(const std::vector<int32_t>& statements) const;
};

/// All gaps of a file: by function, and of each function from the state about which most is known. They point into
/// `analysis`, which must have been made with kernels.
std::vector<KernelGap> kernel_gaps(const Analysis& analysis);

/// Lines as ranges, which only statements end that are not among them, and branches.
std::string format_lines(const std::vector<int32_t>& statements, const std::vector<int32_t>& lines,
                         const std::vector<Arc>& branches);

}  // namespace qd::report
