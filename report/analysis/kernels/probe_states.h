// Probe states of kernel lines and branches: hit, not hit, or not measured, with the reason.
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

/// State of a line or branch of a kernel, ordered from the most known about it to the least.
enum class ProbeState : uint8_t {
  Hit,
  NotHit,       // compiled code has it, and no launch or call reached it
  LeftOut,      // not measured: QD_COVERAGE_MAX_PROBES left it out
  NotHeld,      // not measured: the kernel was compiled, and no variant has it: a static condition, or unreachable
  Failed,       // not measured: the kernel does not compile
  NotCompiled,  // the kernel was never launched, or called; a func: no launched kernel calls it
};

/// "hit", "not hit", "not measured", "not compiled".
const char* name(ProbeState state);
/// Reason why it is not measured: "cap", "static", "error"; else empty.
const char* reason(ProbeState state);

/// A kernel or func of a source, with its compiled probes.
struct KernelProbes {
  KernelDefinition source;              // without its syntax tree
  std::map<std::string, Probes> archs;  // by device, in logical lines; none: never compiled
  bool ran = false;                     // some line of its body was executed

  /// True when some variant compiled for the device, or for any.
  bool compiled(const std::string& arch) const;
  bool compiled() const;
  /// True when a call would have to reach it, not a launch: it is a function of another producer, such as Numba.
  bool is_called() const;
  /// True when it is such a function, and was compiled ahead of a call that never came.
  bool never_called() const;
  /// State of a line (negative `from`) or a branch edge that no launch reached: on one device, or the best known state
  /// of all devices.
  ProbeState unreached(const Arc& arc, const std::string& on) const;
  ProbeState unreached(const Arc& arc) const;
  /// Reason in words: "no compiled variant has it (static condition)".
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

/// True when the data has the record of compiled functions: kernels were measured, and the data was not combined by a
/// program that does not know our tables.
bool has_kernel_tables(const CoverageData& data);
/// Reason why the data lacks that record, as a text for the user.
std::string why_no_kernel_tables(const CoverageData& data);

}  // namespace qd::report
