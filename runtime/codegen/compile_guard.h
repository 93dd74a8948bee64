// Compile guard: the end of the process, and forks, wait for compilations.
#pragma once

namespace qd::codegen {

/// Guard of a thread that compiles, or loads compiled code. LLVM is destroyed when the process ends, while other
/// threads may go on for a while. So the end waits for the threads that compile, and a thread that wants to begin a
/// compilation after that waits for the end. A fork waits for compilations too: its child would find locks held by
/// threads that the child does not have, LLVM's, and those of function-local variables that are being initialised.
class CompileGuard {
 public:
  CompileGuard();
  ~CompileGuard();
  CompileGuard(const CompileGuard&) = delete;
  CompileGuard& operator=(const CompileGuard&) = delete;
};

/// Registers the waiting of forks and of the end, see CompileGuard; without this call the first compilation does. A
/// fork takes first the locks that were registered last (pthread_atfork). So code that holds a lock of its own while it
/// compiles calls this before it registers that lock.
void wait_at_forks();

}  // namespace qd::codegen
