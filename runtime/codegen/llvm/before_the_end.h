// Compilations and the end of the process.
#pragma once

namespace qd::codegen {

/// A compilation, on the stack of the thread that compiles. LLVM is destroyed when the process ends, while other threads may go on for a while: the end waits for those that
/// compile, and those that would begin to wait for the end. A fork waits likewise: the child would find LLVM's locks held by threads that it does not have.
class BeforeTheEnd {
 public:
  BeforeTheEnd();
  ~BeforeTheEnd();
  BeforeTheEnd(const BeforeTheEnd&) = delete;
  BeforeTheEnd& operator=(const BeforeTheEnd&) = delete;
};

}  // namespace qd::codegen
