// Up to CPython 3.13, a thread that asks for the GIL after the interpreter has begun to end is unwound, through
// destructors that want the GIL as well. From 3.14 on the thread waits; so it does here for all versions.
#include "runtime/python/gil.h"

#include <cxxabi.h>
#include <unistd.h>

namespace qd::python {
namespace {

/// The state of this thread while it has released the GIL by a GilRelease. The thread can take the GIL back with it
/// even when the interpreter has ended.
__attribute__((tls_model("initial-exec"))) thread_local PyThreadState* released = nullptr;

void take_back(PyThreadState* state) {
  try {
    PyEval_RestoreThread(state);
  } catch (abi::__forced_unwind&) {
    wait_for_end();
  }
}

}  // namespace

void wait_for_end() {
  for (;;) ::pause();
}

GilRelease::GilRelease() : before_(released) { released = PyEval_SaveThread(); }

GilRelease::~GilRelease() {
  take_back(released);
  released = before_;
}

GilAcquire::GilAcquire() : released_(released) {
  released = nullptr;
  if (released_) {
    take_back(released_);
    return;
  }
  try {
    state_ = PyGILState_Ensure();
  } catch (abi::__forced_unwind&) {
    wait_for_end();
  }
}

GilAcquire::~GilAcquire() {
  if (released_) {
    PyEval_SaveThread();
  } else {
    PyGILState_Release(state_);
  }
  released = released_;
}

}  // namespace qd::python
