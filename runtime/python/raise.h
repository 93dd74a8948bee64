// Exceptions of C++ become those of Python.
#pragma once

namespace qd::python {

/// In a catch block: sets the Python error for the exception that is being handled.
void raise_current() noexcept;

}  // namespace qd::python
