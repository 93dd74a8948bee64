// Builds Python's objects from the times of a program's profiler.
#include "runtime/python/module_parts.h"

#include "runtime/launch/profiler.h"

namespace qd::python {

namespace nb = nanobind;

namespace {

nb::tuple times_of(const TimeStatistics& times) {
  return nb::make_tuple(times.count, times.total, times.min, times.max);
}

nb::str text(const std::string& text) { return nb::str(text.data(), text.size()); }

}  // namespace

nb::object kernel_times(Program& program) {
  nb::list kernels;
  for (const Profiler::Kernel& kernel : program.profiler()->kernels()) {
    nb::list tasks;
    for (const Profiler::Task& task : kernel.tasks) tasks.append(nb::make_tuple(text(task.name), times_of(task.times)));
    kernels.append(nb::make_tuple(text(kernel.function.name), text(kernel.function.file), kernel.function.first_line,
                                  times_of(kernel.launches), tasks));
  }
  return kernels;
}

nb::object kernel_records(Program& program) {
  const Profiler::Records records = program.profiler()->records();
  nb::list list;
  for (const Profiler::Record& record : records.list)
    list.append(nb::make_tuple(record.kernel, record.task, record.begin, record.time));
  return nb::make_tuple(list, records.dropped);
}

}  // namespace qd::python
