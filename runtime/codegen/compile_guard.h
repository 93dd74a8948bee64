// Compile guard: the end of the process, and forks, wait for compilations, but not for ever.
#pragma once

#include <stdexcept>

namespace qd::codegen {

/// Guard of a thread that compiles, or loads compiled code. LLVM is destroyed when the process ends, while other
/// threads may go on for a while. So the end waits for the threads that compile, and a thread that wants to begin a
/// compilation after that waits for the end. A thread that does not come out of LLVM for long is stopped there for
/// ever. A fork waits for compilations too: its child would find locks held by threads that the child does not have,
/// LLVM's, and those of function-local variables that are being initialised.
class CompileGuard {
 public:
  /// Throws GivenUp instead of beginning an optional compilation that is not wanted any more.
  CompileGuard();
  ~CompileGuard();
  CompileGuard(const CompileGuard&) = delete;
  CompileGuard& operator=(const CompileGuard&) = delete;
};

/// Registers the waiting of forks and of the end, see CompileGuard; without this call the first compilation does. A
/// fork takes first the locks that were registered last (pthread_atfork). So code that holds a lock of its own while it
/// compiles calls this before it registers that lock.
void wait_at_forks();

/// Names a function that stops a thread which compiles, at the end of the process. It may be called several times.
void call_at_end(void (*stop)());

/// Lets the end of the process begin with the functions of call_at_end. LLVM has variables that it makes in the midst
/// of a compilation, tables of names for example, and exit() destroys what was made last first. So a wait that was
/// registered before them would come too late: the thread would look up names in a table that is freed. Called whenever
/// LLVM may have made such variables.
void end_before_variables_of_llvm();

/// Thrown by an optional compilation that was given up.
struct GivenUp : std::runtime_error {
  GivenUp() : std::runtime_error("the compilation is not wanted any more") {}
};

/// Makes the compilations of this thread optional, while it exists: nobody waits for their code. One thread of the
/// process may do so at a time.
class OptionalCompilations {
 public:
  OptionalCompilations();
  ~OptionalCompilations();
  OptionalCompilations(const OptionalCompilations&) = delete;
  OptionalCompilations& operator=(const OptionalCompilations&) = delete;
};

/// Gives up what the thread with optional compilations is compiling and would still compile. Waits until the thread
/// comes out of LLVM. Returns true if it does not come out for long: then the thread is stopped for ever, with all that
/// it holds.
bool end_optional_compilations();

/// Whether this thread's compilation was given up; then it ends with GivenUp at the next opportunity.
bool given_up();

}  // namespace qd::codegen
