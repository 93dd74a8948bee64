// The work behind the classes of qdcov._kernels.streams, which are the public ones and check their arguments.
#include "runtime/python/streams.h"

#include <nanobind/stl/string.h>

#include "runtime/python/objects.h"
#include "runtime/python/waiting.h"

namespace qd::python {
namespace {

/// A recorded point in a stream.
struct EventHandle {
  std::shared_ptr<Program> program;
  LaunchEvent event;
};

// Each of these holds its operands itself: another thread may release the handle meanwhile.

void synchronize_stream(const StreamHandle& handle) {
  const StreamHandle held = handle;
  waiting_for_launches([&](LaunchPoll* poll) { held.program->sync(*held.stream, poll); });
}

void destroy_stream(const StreamHandle& handle) {
  const StreamHandle held = handle;
  waiting_for_launches([&](LaunchPoll* poll) { held.program->destroy(held.stream, poll); });
}

EventHandle record(const StreamHandle& handle) { return {handle.program, handle.program->record(*handle.stream)}; }

void wait_in_stream(const StreamHandle& handle, const EventHandle& event) {
  const StreamHandle held = handle;
  const LaunchEvent point = event.event;
  waiting_for_launches([&](LaunchPoll* poll) { held.program->wait(*held.stream, point, poll); });
}

void synchronize_event(const EventHandle& handle) {
  const EventHandle held = handle;
  waiting_for_launches([&](LaunchPoll* poll) { held.program->sync(held.event, poll); });
}

}  // namespace

void add_streams(nb::module_& module) {
  nb::class_<EventHandle>(module, "Event").def("synchronize", &synchronize_event);
  nb::class_<StreamHandle>(module, "Stream")
      .def("synchronize", &synchronize_stream)
      .def("destroy", &destroy_stream)
      .def("record", &record)
      .def("driver_stream", [](const StreamHandle& handle) { return handle.stream->stream().driver_stream(); })
      .def("wait", &wait_in_stream);
}

std::shared_ptr<LaunchStream> stream_of_call(PyObject* object, const std::shared_ptr<Program>& program,
                                             const std::string& kernel) {
  if (object == Py_None) return nullptr;
  const nb::object native = classes().stream_of_call(nb::handle(object), kernel);
  const StreamHandle* handle = nullptr;
  if (!nb::try_cast(native, handle) || !handle || handle->program != program)
    throw KernelRuntimeError("qd_stream of kernel " + kernel + ": the stream is of another program");
  return handle->stream;
}

}  // namespace qd::python
