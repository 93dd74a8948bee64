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

/// The state of a line or branch of a kernel. The further up in this list, the more is known about it.
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
  /// The state of a line (negative `from`) or a branch edge that no launch reached: on one device, or on the device
  /// about which most is known.
  ProbeState unreached(const Arc& arc, const std::string& on) const;
  ProbeState unreached(const Arc& arc) const;
  /// The reason for people: "no compiled variant has it (static condition)".
  std::string explain(ProbeState state) const;
};

/// The kernels and funcs of a source: those that are decorated as such, and those that were compiled as such.
struct FileKernels {
  std::vector<KernelProbes> functions;  // by first line
  std::vector<std::string> stale;       // names of those that were compiled from a source that has changed since

  /// The innermost kernel or func whose body holds a line, or null.
  const KernelProbes* at(int32_t line) const;
};

FileKernels file_kernels(const SourceAnalysis& source, const FileData& data);

/// Whether the data says what was compiled: kernels were measured, and the data was not combined by a program that does
/// not know our tables.
bool has_kernel_tables(const CoverageData& data);
/// Why the data does not say that, as a text for the user.
std::string why_no_kernel_tables(const CoverageData& data);

/// The device of a context: "cpu" of "test|run|qd:cpu"; empty for host code.
std::string arch_of_context(const std::string& context);

}  // namespace qd::report
