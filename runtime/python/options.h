// Passes the options of qd.init from Python to the native runtime, by their names.
#pragma once

#include <nanobind/nanobind.h>

#include "runtime/launch/config.h"

namespace qd::python {

namespace nb = nanobind;

/// Reads the options in `given`, each under its name: a type by its name, a choice by its number. Throws TypeError when
/// one is missing, unknown, or of another type.
Config config_of(const nb::dict& given);

/// The options for config_of(), with their defaults.
nb::dict default_options();

}  // namespace qd::python
