// Exceptions of C++ become those of Python; errors of Python that are none.
#pragma once

namespace qd::python {

/// In a catch block: sets the Python error for the exception that is being handled.
void raise_current() noexcept;

/// Takes back the Python error that is set, if there is one: what was tried is not possible. What ends a program (KeyboardInterrupt, SystemExit) is thrown instead.
void forget_error();

}  // namespace qd::python
