// Memory of arrays, as Python holds it, and what other libraries need to use it.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "runtime/launch/program.h"

namespace qd::python {

/// Memory that arrays of any program lie in.
struct MemoryHandle {
  std::shared_ptr<device::Memory> memory;
  std::weak_ptr<Program> program;
};

/// What other libraries need to use the device of a program, which stays alive as long as this; None when they cannot.
nanobind::object exchange_of(std::shared_ptr<Program> program);

/// Adds the classes and functions to the module.
void add_memory(nanobind::module_& module);

}  // namespace qd::python
