// What is known about kernels besides coverage.py's lines and arcs: which probes the compiled code has, and how
// conditions were evaluated.
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

/// A kernel or func that was compiled for one device, or could not be.
struct KernelFunction {
  int32_t first_line = 0;  // first decorator, or `def`: its arcs begin at -first_line
  std::string name;
  bool is_kernel = false;  // else a func
  std::string arch;        // as qd.init names it: cpu, cuda, ...
  auto operator<=>(const KernelFunction&) const = default;
};

/// Whether an arc of a kernel says that a line was executed. Other arcs are branch edges, which line data does not
/// have.
inline bool is_line(const Arc& arc) { return arc.from < 0; }

/// What tells the variants of a kernel or a func apart.
struct VariantName {
  std::string arguments;  // "n=3, x=f32 ndarray of 1 dimension"; empty where all are alike
  std::string kernel =
      {};  // of a func: the kernel that has it inlined; with its file where that is another: "step (a.py)"
  auto operator<=>(const VariantName&) const = default;
};

/// A kernel or func as it was compiled for some arguments, and what its launches reached in all contexts.
struct KernelVariant {
  uint64_t launches = 0;   // of a kernel; 0 also where nobody has noted them
  std::set<Arc> measured;  // the arcs that its code can take; none for a kernel where there is nothing to tell apart
  std::set<Arc> taken;     // some of these
};

/// The compiled code of one KernelFunction, all of its variants together.
struct Probes {
  std::set<Arc> measured;        // arcs that some variant can take and reports
  std::set<Arc> left_out;        // arcs that QD_COVERAGE_MAX_PROBES left out; may be in `measured` by another variant
  std::set<std::string> errors;  // why variants did not compile: the first line of each message
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

/// An expression whose conditions were measured, by where it stands in the file (the key of FileData::decisions).
struct MeasuredDecision {
  int32_t first_line = 0;                                // of the function it is in
  std::string kind;                                      // if, while, assert, ternary, value: what its outcome decides
  std::vector<SourceRange> conditions;                   // from left to right
  std::map<uint32_t, std::set<Evaluation>> evaluations;  // by ContextId; none: compiled, never evaluated
};

}  // namespace qd::report
