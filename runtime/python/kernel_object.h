// The Python type of kernels.
#pragma once

#include "runtime/python/objects.h"

namespace qd::python {

/// Makes the type. Called once, when the module is loaded.
void add_kernel_type(nb::module_& module);

/// Makes a kernel for a Python function. A call of it binds the arguments, compiles new variants, and runs without the
/// GIL.
nb::object make_kernel(std::shared_ptr<Program> program, std::shared_ptr<Objects> objects, nb::object function,
                       KernelOptions options);

}  // namespace qd::python
