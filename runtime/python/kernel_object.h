// The callable that a kernel is for Python.
#pragma once

#include "runtime/python/objects.h"

namespace qd::python {

/// Makes the type; once, when the module is loaded.
void add_kernel_type(nb::module_& module);

/// A callable for a Python function: binds the arguments, compiles what is new, runs without the GIL.
nb::object make_kernel(std::shared_ptr<Program> program, std::shared_ptr<Objects> objects, nb::object function,
                       KernelOptions options);

}  // namespace qd::python
