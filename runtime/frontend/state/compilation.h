// One compilation: the objects that every rule of the front end works on.
#pragma once

#include <optional>
#include <vector>

#include "runtime/frontend/interface/signature.h"
#include "runtime/frontend/state/captures.h"
#include "runtime/frontend/state/coverage_notes.h"
#include "runtime/frontend/state/made_objects.h"
#include "runtime/frontend/state/regions.h"
#include "runtime/frontend/state/reporter.h"
#include "runtime/frontend/state/routine_table.h"

namespace qd::frontend {

using syntax::Expr;
using syntax::Range;
using syntax::Stmt;
/// The statements of a function or under a header.
using Body = syntax::List<syntax::StmtPtr>;

/// Thrown after a diagnostic: the kernel is too large, so lowering stops.
struct TooLarge {};

/// State of a compilation. The rules are functions that take it as their first argument, by custom `c`. One that fails
/// has reported an error: it gives Poison for an Item, nothing for an optional, false for a bool. Ranges are those of
/// the source that messages point to.
struct Compilation {
  Compilation(const Options& options, std::vector<Warning>* warnings)
      : options(options),
        report(functions, warnings),
        build(functions),
        captures(options, build.kernel, report),
        notes(options, functions, build) {}
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  const Options& options;
  FunctionStack functions;  // the function that is being lowered, and its callers
  Reporter report;          // errors and warnings
  KernelBuilder build;      // owns the kernel
  ir::Kernel& kernel = build.kernel;
  Captures captures;                 // reads from outside
  CoverageNotes notes;               // probes and decisions
  MadeObjects objects;               // that the kernel makes of classes of the host
  std::vector<Branch> branches;      // around the present statement, the innermost last
  RoutineTable routines;             // funcs that are called at run time
  Regions regions;                   // of the schedule, around the present statement
  std::optional<ResultTree> result;  // of the kernel
  std::vector<uint32_t> stopped;     // arrays whose elements are constants for derivatives, into Kernel::arrays
  // Funcs whose recursion has no end, an error: not inlined again, as two calls in each would double the time a level.
  std::vector<const syntax::Stmt*> endless;
  int inlined = 0;          // funcs inlined so far
  int static_calls = 0;     // calls around the present statement that are under qd.static
  size_t n_statements = 0;  // lowered so far

  FunctionState& function() { return functions.back(); }
};

}  // namespace qd::frontend
