// Cache of the front end's kernels, from one run to the next.
#pragma once

#include "runtime/frontend/frontend.h"
#include "runtime/launch/entry_files.h"

namespace qd {

/// Observations of the caches at the last compilation of a kernel.
struct CacheObservations {
  bool key_generated = false;  // the kernel could be kept: no argument is an object that only this process has
  bool validated = false;      // a kernel is kept for the answers that the environment gives now
  bool loaded = false;         // that kernel was used: the front end did not run
  bool stored = false;         // the front end ran, and its kernel is kept
  bool code_found = false;     // the machine code was in the offline cache
};

/// Lowers a kernel, or finds the result of an earlier frontend::lower, in any process, for the same source of the
/// kernel and of every func, the same captured values, arguments and options. Files and lines are those of this
/// process. Sets everything in `observed` except code_found.
ir::Kernel lower_or_find(EntryFiles& files, const frontend::FunctionSource& source, frontend::Environment& environment,
                         std::span<const frontend::ArgumentType> arguments, const frontend::Options& options,
                         std::vector<frontend::Warning>& warnings, frontend::TemplateReads& reads,
                         CacheObservations& observed);

}  // namespace qd
