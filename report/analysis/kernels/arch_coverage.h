// Coverage of a file by arch: the share that ran in host code, and on each device, of the lines that can run there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "report/analysis/analysis_parts.h"
#include "report/data/producers.h"

namespace qd::report {

/// Archs on which some lines of the data ran, in some contexts: the host first, then devices by name. Empty when no
/// kernel ran, or was compiled, on any device: then everything is the host's, and there is nothing to tell apart. No
/// value of `chosen`: all contexts.
std::vector<std::string> measured_archs(const CoverageData& data,
                                        const std::optional<std::set<ContextId>>& chosen = std::nullopt);

/// Bodies of the kernels and funcs of a file, sorted. If another program has combined the data, it has no record of
/// compiled functions; then those that ran on a device count as kernels, as far as the analysis has regions.
LineRanges kernel_bodies(const Analysis& analysis, const FileData& data, const std::vector<std::string>& contexts);

/// Coverage of a file on one arch, of the lines that the arch can run: bodies of kernels and funcs on a device, all
/// other lines in the host. Lines that did run there always count, and so does the whole of a kernel that ran as plain
/// Python in the host.
struct ArchCoverage {
  std::string arch;
  std::shared_ptr<const Analysis> analysis;  // of the execution on this arch, with all lines
  LineRanges lines;                          // the lines that the arch can run; empty: none

  bool is_host() const { return arch == kHostArch; }
  /// Numbers of the lines that the arch can run.
  AnalysisPart part() const;
};

/// One entry for each of `archs`, which measured_archs() gave. `analysis` was made of `data` and outlives the result. A
/// file without kernels is the host's alone.
std::vector<ArchCoverage> arch_coverage(const Analysis& analysis, const FileData& data,
                                        const std::vector<std::string>& contexts,
                                        const std::vector<std::string>& archs);

/// Statements of kernels that ran on some devices, and never on others on which something was measured.
struct ArchGap {
  std::vector<std::string> on, never;  // devices
  std::vector<int32_t> lines;          // sorted

  /// "covered on cpu, never on vulkan".
  std::string words() const;
};

/// Returns every such statement once. `required`: the only devices whose gaps matter; empty: all devices.
std::vector<ArchGap> arch_gaps(const std::vector<ArchCoverage>& archs, const std::vector<std::string>& required = {});

}  // namespace qd::report
