// Memory of arrays, as a Python object, and its exchange with other libraries.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "runtime/launch/program.h"

namespace qd::python {

/// Handle of memory, which may hold arrays of any program.
struct MemoryHandle {
  std::shared_ptr<device::Memory> memory;
  std::weak_ptr<Program> program;
};

/// The object by which other libraries use the device of a program, which stays alive as long; None when they cannot.
nanobind::object exchange_of(std::shared_ptr<Program> program);

/// Adds the classes and functions to the module.
void add_memory(nanobind::module_& module);

}  // namespace qd::python
