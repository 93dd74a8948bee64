// The front end's kernels from one run to the next.
#pragma once

#include "runtime/frontend/frontend.h"
#include "runtime/launch/entry_files.h"

namespace qd {

/// What the caches did when a kernel was compiled last.
struct CacheObservations {
  bool key_generated = false;  // the kernel may be kept: no argument is an object of one process alone
  bool validated = false;      // one is kept for the answers that the environment gives now
  bool loaded = false;         // and it was taken: the front end did not run
  bool stored = false;         // the front end ran, and what it gave is kept
  bool code_found = false;     // the machine code was in the offline cache
};

/// frontend::lower, or what it gave before, in any process, for the same source of the kernel and of every func, the
/// same captured values, arguments and options; with the files and lines of this process. `observed` gets all but
/// code_found.
ir::Kernel lower_or_find(EntryFiles& files, const frontend::FunctionSource& source, frontend::Environment& environment,
                         std::span<const frontend::Argument> arguments, const frontend::Options& options,
                         std::vector<frontend::Warning>& warnings, frontend::TemplateReads& reads,
                         CacheObservations& observed);

}  // namespace qd
