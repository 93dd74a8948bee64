// Hits of kernels' probes, by device and context.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/analysis/analysis.h"

namespace qd::report {

/// Name of an arch in a report of probes: "python" for the host, which runs kernels as plain Python.
std::string_view probe_arch_name(const std::string& arch);

/// Order by these names.
struct ByProbeArch {
  bool operator()(const std::string& a, const std::string& b) const { return probe_arch_name(a) < probe_arch_name(b); }
};

/// A line or a branch edge of a kernel.
struct ProbeHits {
  Arc arc;                                               // (-first line, line) for a line
  ProbeState state = ProbeState::NotCompiled;            // over all devices
  std::map<std::string, ProbeState, ByProbeArch> archs;  // on each, the host too
  std::vector<ContextId> contexts;                       // in which it was reached, sorted
};

struct FunctionHits {
  const KernelProbes* function = nullptr;
  std::vector<std::string> archs;   // on which it was compiled, failed to compile, or ran; sorted by ByProbeArch
  std::vector<ProbeHits> lines;     // statements of its body, sorted
  std::vector<ProbeHits> branches;  // edges of lines with two exits or more, sorted; none in line data

  /// Number of probes that the code for a device has, of those that fired, and of those that the cap left out.
  struct Count {
    int32_t probes = 0, fired = 0, left_out = 0;
  };
  Count count(const std::string& arch) const;
};

/// Returns the functions of `analysis.kernels`, each with all its probes. `data` and `contexts` are those of the whole
/// data.
std::vector<FunctionHits> function_hits(const Analysis& analysis, const FileData& data,
                                        const std::vector<std::string>& contexts);

}  // namespace qd::report
