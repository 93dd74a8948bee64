// The kernels and funcs of a file, as the page of the HTML report lists them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/analysis/kernels/arch_coverage.h"

namespace qd::report {

/// What became of a kernel or func: 0: ran; 1: compiled, and no launch reached it; 2: does not compile; 3: never
/// launched, or of a func: no kernel that was launched calls it.
int kernel_state(const KernelProbes& function);

struct KernelRows {
  std::string rows;  // JSON; html_kernels.cpp gives the layout
  int32_t n = 0;
};

/// `archs`: arch_coverage() of `analysis`, which was made with kernels of `data`. Nothing when the data does not say
/// what was compiled. May run in several threads at once.
KernelRows kernel_rows(const Analysis& analysis, const FileData& data, const std::vector<std::string>& contexts,
                       const std::vector<ArchCoverage>& archs);

}  // namespace qd::report
