// The times of kernels for qd.profiler.
#pragma once

#include <nanobind/nanobind.h>

#include "runtime/launch/program.h"

namespace qd::python {

/// Times of each kernel: (name, file, first line, times, [(name of a task, its times), ...]). Times are (count, total,
/// min, max), in nanoseconds.
nanobind::object kernel_times(Program& program);
/// The list of tasks that ran, each (kernel, task, begin, time): indices into the list above, and nanoseconds. And the
/// number of older ones that are not kept any more.
nanobind::object kernel_records(Program& program);

}  // namespace qd::python
