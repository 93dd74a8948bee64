// Turns exceptions of C++ into those of Python, and finds errors of Python that end the program.
#pragma once

#include <nanobind/nanobind.h>

namespace qd::python {

/// In a catch block: sets the Python error for the exception that is being handled.
void raise_current() noexcept;

/// Whether an error, if nobody handles it, ends the program: KeyboardInterrupt, SystemExit, and what test runners raise
/// to end a test.
inline bool ends_program(const nanobind::python_error& error) { return !error.matches(PyExc_Exception); }

/// Clears the Python error that is set, if there is one: what was tried is not possible. An error that ends the program
/// is thrown instead.
void forget_error();

/// In a catch block of an nb::python_error: throws it again; as a frontend::HostInterrupted if it ends the program.
[[noreturn]] void throw_again(nanobind::python_error& error);

/// Calls `ask`, which asks a question of the front end, and returns its answer.
template <class Ask>
auto asked(Ask ask) {
  try {
    return ask();
  } catch (nanobind::python_error& error) {
    throw_again(error);
  }
}

}  // namespace qd::python
