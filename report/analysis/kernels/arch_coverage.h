// How much of a file ran in host code, and on each device, of what can run there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "report/analysis/analysis_parts.h"

namespace qd::report {

/// How host code is called among devices.
inline constexpr const char* kHostArch = "host";

/// "cpu" of "test|run|qd:cpu"; "host" where a context names no device.
std::string named_arch(const std::string& context);

/// Where something of the data ran, in some contexts: the host first, then devices by name. Empty when nothing ran, and
/// nothing was compiled, on any device: then everything is the host's, and there is nothing to tell apart. No value of
/// `chosen`: all contexts.
std::vector<std::string> measured_archs(const CoverageData& data,
                                        const std::optional<std::set<ContextId>>& chosen = std::nullopt);

/// The bodies of the kernels and funcs of a file, sorted. If another program has combined the data, it does not say
/// what was compiled; then the functions that ran on a device count as kernels, as far as the analysis has regions.
LineRanges kernel_bodies(const Analysis& analysis, const FileData& data, const std::vector<std::string>& contexts);

/// What one arch ran of a file, of the lines that it can run: bodies of kernels and funcs on a device, all other lines
/// in the host. What did run there always counts, and so does the whole of a kernel that ran as plain Python in the
/// host.
struct ArchCoverage {
  std::string arch;
  std::shared_ptr<const Analysis> analysis;  // of what ran there, of all lines
  LineRanges lines;                          // that it can run; empty: none

  bool is_host() const { return arch == kHostArch; }
  /// The numbers of the lines that it can run.
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

/// Every such statement once. `required`: the only devices of which it matters that a statement never ran there; none:
/// all do.
std::vector<ArchGap> arch_gaps(const std::vector<ArchCoverage>& archs, const std::vector<std::string>& required = {});

}  // namespace qd::report
