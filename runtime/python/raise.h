// Exceptions of C++ become those of Python; errors of Python that are none.
#pragma once

#include <nanobind/nanobind.h>

namespace qd::python {

/// In a catch block: sets the Python error for the exception that is being handled.
void raise_current() noexcept;

/// Whether an error ends the program that nobody handles it in: KeyboardInterrupt, SystemExit, and what test runners
/// raise to end a test.
inline bool ends_program(const nanobind::python_error& error) { return !error.matches(PyExc_Exception); }

/// Takes back the Python error that is set, if there is one: what was tried is not possible. What ends the program is
/// thrown instead.
void forget_error();

/// In a catch block of an nb::python_error: throws it again, as a frontend::HostInterrupted if it ends the program.
[[noreturn]] void throw_again(nanobind::python_error& error);

/// What `ask` gives, a question of the front end.
template <class Ask>
auto asked(Ask ask) {
  try {
    return ask();
  } catch (nanobind::python_error& error) {
    throw_again(error);
  }
}

}  // namespace qd::python
