// Parts of the module qdcov._native that folders above this one add, such as kernel coverage (instrument/python).
#pragma once

#include <nanobind/nanobind.h>

#include "runtime/launch/observer.h"

namespace qd::python {

/// One part. Both functions are called with the GIL, and may throw nanobind::python_error.
struct ModulePart {
  /// Adds its names to the module. Called once, when the module is loaded.
  void (*add)(nanobind::module_& module);
  /// The observer of a program that is about to be made, or null. `environment` has the variables of
  /// qdcov._environment; the observer outlives all programs.
  LaunchObserver* (*observer)(const nanobind::dict& environment);
};

/// Gives the part to the module that is linked with it, which has one at most. Called before the module is loaded, by
/// the initialiser of a global variable.
bool add_part(ModulePart part);

}  // namespace qd::python
