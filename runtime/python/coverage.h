// Coverage session of kernels in a Python process, which has one.
#pragma once

#include <nanobind/nanobind.h>

#include "runtime/launch/observer.h"

namespace qd::python {

/// The observer of new programs; null while coverage is off.
LaunchObserver* coverage_observer();

void add_coverage(nanobind::module_& module);

}  // namespace qd::python
