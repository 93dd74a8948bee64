// Streams and events, as Python objects.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "runtime/launch/launch_stream.h"
#include "runtime/launch/program.h"

namespace qd::python {

/// Handle of a stream, whose program stays alive as long as this.
struct StreamHandle {
  std::shared_ptr<Program> program;
  std::shared_ptr<LaunchStream> stream;
};

/// Adds the classes to the module.
void add_streams(nanobind::module_& module);

/// The stream that a caller of a kernel has named with `qd_stream`; null for None. `kernel` is the kernel's name.
/// Throws the error of qdcov._kernels.streams for an object that is no stream to launch on. Needs the GIL.
std::shared_ptr<LaunchStream> stream_of_call(PyObject* object, const std::shared_ptr<Program>& program,
                                             const std::string& kernel);

}  // namespace qd::python
