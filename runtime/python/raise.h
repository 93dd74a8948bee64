// Exceptions of C++ as those of Python: converts them, and finds errors of Python that end the program.
#pragma once

#include <nanobind/nanobind.h>

namespace qd::python {

/// Sets the Python error for the exception that is being handled. In a catch block.
void raise_current() noexcept;

/// Whether an error, if it is not handled, ends the program: KeyboardInterrupt, SystemExit, and errors by which test
/// runners end a test.
inline bool ends_program(const nanobind::python_error& error) { return !error.matches(PyExc_Exception); }

/// Clears the Python error that is set, if there is one: the attempt was not possible. An error that ends the program
/// is thrown instead.
void forget_error();

/// Throws an nb::python_error again, in its catch block; as a frontend::HostInterrupted if it ends the program.
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
