// Data of kernels besides coverage.py's lines and arcs: the probes of their compiled code, and the evaluations of their
// conditions.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "report/data/arc.h"
#include "runtime/source/source_range.h"

namespace qd::report {

/// A kernel or func that was compiled for one device, or failed to compile.
struct KernelFunction {
  int32_t first_line = 0;  // first decorator, or `def`: its arcs begin at -first_line
  std::string name;
  bool is_kernel = false;  // else a func
  std::string arch;        // as qd.init names it: cpu, cuda, ...
  auto operator<=>(const KernelFunction&) const = default;
};

/// Whether an arc of a kernel stands for the execution of a line. Other arcs are branch edges, which line data does not
/// have.
inline bool is_line(const Arc& arc) { return arc.from < 0; }

/// Key of a variant of a kernel or a func.
struct VariantName {
  std::string arguments;  // "n=3, x=f32 ndarray of 1 dimension"; empty where all are alike
  std::string kernel =
      {};  // of a func: the kernel that has it inlined; with its file if that is another: "step (a.py)"
  auto operator<=>(const VariantName&) const = default;
};

/// A kernel or func as it was compiled for some arguments, with the hits of its launches in all contexts.
struct KernelVariant {
  uint64_t launches = 0;   // of a kernel; 0 also when they were not counted
  std::set<Arc> measured;  // the arcs that its code can take; empty for a kernel with one variant
  std::set<Arc> taken;     // a subset of these
};

/// The compiled code of one KernelFunction, all of its variants together.
struct Probes {
  std::set<Arc> measured;        // arcs that some variant can take and reports
  std::set<Arc> left_out;        // arcs that QD_COVERAGE_MAX_PROBES left out; may be in `measured` by another variant
  std::set<std::string> errors;  // compile errors of variants: the first line of each message
  std::map<VariantName, KernelVariant> variants = {};
  void merge(const Probes& other);
};

/// One way in which a decision was evaluated. `conditions` has a letter for each: T, F, or - where it was not
/// evaluated. `result` is T or F; - where only single conditions were recorded, because the decision has too many ways.
struct Evaluation {
  std::string conditions;
  char result = '-';
  auto operator<=>(const Evaluation&) const = default;
};

/// An expression whose conditions were measured, keyed by its range in the file (FileData::decisions).
struct MeasuredDecision {
  int32_t first_line = 0;                                // of the function it is in
  std::string kind;                                      // if, while, assert, ternary, value: the use of its outcome
  std::vector<SourceRange> conditions;                   // from left to right
  std::map<uint32_t, std::set<Evaluation>> evaluations;  // by ContextId; none: compiled, never evaluated
};

}  // namespace qd::report
