// Limits the depth of recursion through containers of Python, which may contain themselves.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "runtime/device/stack_end.h"

namespace qd::python {

/// One level of recursion, for as long as it lives. Throws Python's RecursionError at sys.getrecursionlimit(), or
/// earlier if the stack is nearly full: that limit may be higher than this thread's stack allows.
class Recursion {
 public:
  /// `where`: " in an argument", for the message.
  explicit Recursion(const char* where) {
    if (reinterpret_cast<uint64_t>(__builtin_frame_address(0)) < device::stack_end()) {
      PyErr_SetString(PyExc_RecursionError, (std::string("the stack is full") + where).c_str());
      throw nanobind::python_error();
    }
    if (Py_EnterRecursiveCall(where) != 0) throw nanobind::python_error();
  }
  ~Recursion() { Py_LeaveRecursiveCall(); }
  Recursion(const Recursion&) = delete;
  Recursion& operator=(const Recursion&) = delete;
};

}  // namespace qd::python
