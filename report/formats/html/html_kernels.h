// Kernel rows: the kernels and funcs of a file, for the index of the HTML report.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/analysis/kernels/arch_coverage.h"

namespace qd::report {

/// Kind of a function: 0: func; 1: kernel, which is launched; 2: kernel of another producer, which is called.
int kernel_kind(const KernelProbes& function);
/// State of a kernel or func: 0: ran; 1: compiled, and not reached by a launch; 2: does not compile; 3: never launched,
/// or of a func: not called by a launched kernel.
int kernel_state(const KernelProbes& function);

struct KernelRows {
  std::string rows;  // JSON; html_kernels.cpp gives the layout
  int32_t n = 0;
};

/// `archs`: arch_coverage() of `analysis`, which was made with kernels of `data`. Empty when the data has no record of
/// compiled functions. `gradients`: their numbers are part of the rows. Thread-safe.
KernelRows kernel_rows(const Analysis& analysis, const FileData& data, const std::vector<std::string>& contexts,
                       const std::vector<ArchCoverage>& archs, bool gradients);

}  // namespace qd::report
