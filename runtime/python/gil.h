// GIL: releases it, and takes it back. A thread that wants it back after the interpreter has begun to end waits for the
// end of the process.
#pragma once

#include <Python.h>

namespace qd::python {

/// Sleeps until the process has ended, on a thread that the interpreter does not let run any more.
[[noreturn]] void wait_for_end();

/// Releases the GIL for as long as it lives.
class GilRelease {
 public:
  GilRelease();
  ~GilRelease();
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;

 private:
  PyThreadState* before_;
};

/// Holds the GIL for as long as it lives, on any thread, also on one that holds it already.
class GilAcquire {
 public:
  GilAcquire();
  ~GilAcquire();
  GilAcquire(const GilAcquire&) = delete;
  GilAcquire& operator=(const GilAcquire&) = delete;

 private:
  PyThreadState* released_;
  PyGILState_STATE state_{};
};

}  // namespace qd::python
