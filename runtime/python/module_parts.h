// Contents of the native module in files beside module.cpp: kernels, their times for qd.profiler, options of qd.init.
#pragma once

#include <nanobind/nanobind.h>

#include "runtime/launch/config.h"
#include "runtime/launch/program.h"
#include "runtime/python/objects.h"

namespace qd::python {

// The Python type of kernels.

/// Makes the type. Called once, when the module is loaded.
void add_kernel_type(nb::module_& module);

/// Adds bound_kernel(kernel, instance): the kernel as a method of the object.
void add_bound_kernel(nb::module_& module);

/// Makes native code of the calls of kernels: qd.Kernel.__call__. `decorators`: the module of that class.
void add_kernel_call(const nb::object& decorators);

/// Makes a kernel for a Python function. A call of it binds the arguments, compiles new variants, and runs without the
/// GIL.
nb::object make_kernel(std::shared_ptr<Program> program, std::shared_ptr<Objects> objects, nb::object function,
                       KernelOptions options);

// The times of kernels for qd.profiler.

/// Times of each kernel: (name, file, first line, times, [(name of a task, its times), ...]). Times are (count, total,
/// min, max), in nanoseconds.
nanobind::object kernel_times(Program& program);
/// The list of tasks that ran, each (kernel, task, begin, time): indices into the list above, and nanoseconds. And the
/// number of older ones that are not kept any more.
nanobind::object kernel_records(Program& program);

// The options of qd.init, passed from Python to the native runtime by their names.

/// Reads the options in `given`, each under its name: a type by its name, a choice by its number. Throws TypeError when
/// one is missing, unknown, or of another type.
Config config_of(const nb::dict& given);

/// The options for config_of(), with their defaults.
nb::dict default_options();

}  // namespace qd::python
