// What is known of the lines and branches of kernels: reached, not reached, or not measured, and why.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/analysis/kernels/kernel_definitions.h"
#include "report/data/coverage_data.h"

namespace qd::report {

struct SourceAnalysis;

/// Of a line or branch of a kernel. The earlier, the more is known.
enum class ProbeState : uint8_t {
  Hit,
  NotHit,       // compiled code has it, and no launch reached it
  LeftOut,      // not measured: QD_COVERAGE_MAX_PROBES left it out
  NotHeld,      // not measured: the kernel was compiled, and no variant has it: a static condition, or unreachable
  Failed,       // not measured: the kernel does not compile
  NotCompiled,  // nobody launched the kernel, and no kernel that was launched calls the func
};

/// "hit", "not hit", "not measured", "not compiled".
const char* name(ProbeState state);
/// Why it is not measured: "cap", "static", "error"; else empty.
const char* reason(ProbeState state);

/// A kernel or func of a source, with what was compiled of it.
struct KernelProbes {
  KernelDefinition source;              // without its syntax tree
  std::map<std::string, Probes> archs;  // by device, in logical lines; none: never compiled
  bool ran = false;                     // some line of its body was executed

  /// True when some variant compiled for the device, or for any.
  bool compiled(const std::string& arch) const;
  bool compiled() const;
  /// Of something that no launch reached: a line (negative `from`) or a branch edge, on one device, or on that which
  /// says most.
  ProbeState unreached(const Arc& arc, const std::string& on) const;
  ProbeState unreached(const Arc& arc) const;
  /// The reason for people: "no compiled variant has it (static condition)".
  std::string explain(ProbeState state) const;
};

/// The kernels and funcs of a source: those that are decorated as such, and those that were compiled as such.
struct FileKernels {
  std::vector<KernelProbes> functions;  // by first line
  std::vector<std::string> stale;       // names of those that were compiled from a source that has changed since

  /// The innermost one whose body holds a line, or null.
  const KernelProbes* at(int32_t line) const;
};

FileKernels file_kernels(const SourceAnalysis& source, const FileData& data);

/// True when the data say what was compiled: kernels were measured, and nothing that does not know our tables combined
/// them.
bool has_kernel_tables(const CoverageData& data);
/// Why they do not, for the user.
std::string why_no_kernel_tables(const CoverageData& data);

/// The device of a context: "cpu" of "test|run|qd:cpu"; empty for host code.
std::string arch_of_context(const std::string& context);

}  // namespace qd::report
