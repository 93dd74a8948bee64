// Compilations and the end of the process.
#pragma once

namespace qd::codegen {

/// A compilation, on the stack of the thread that compiles. LLVM is destroyed when the process ends, while other
/// threads may go on for a while: the end waits for those that compile, and those that would begin to wait for the end.
/// A fork waits likewise: the child would find LLVM's locks held by threads that it does not have.
class BeforeTheEnd {
 public:
  BeforeTheEnd();
  ~BeforeTheEnd();
  BeforeTheEnd(const BeforeTheEnd&) = delete;
  BeforeTheEnd& operator=(const BeforeTheEnd&) = delete;
};

/// From now on forks wait as BeforeTheEnd says; else from the first compilation on. A fork takes the locks first that
/// were registered last (pthread_atfork): who holds one of its own while it compiles calls this before it registers
/// that.
void wait_at_forks();

}  // namespace qd::codegen
