// The Python module qdcov._native: programs, arrays, kernels, and the part that another folder adds.
#include <cxxabi.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <unistd.h>

#include <cstdlib>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "runtime/back_ends/back_ends.h"
#include "runtime/codegen/cpu/compile.h"
#include "runtime/device/stack_end.h"
#include "runtime/launch/launch_record.h"
#include "runtime/launch/profiler.h"
#include "runtime/launch/tape_reads.h"
#include "runtime/python/kept_arguments.h"
#include "runtime/python/launch_scope.h"
#include "runtime/python/memory_handle.h"
#include "runtime/python/module_part.h"
#include "runtime/python/module_parts.h"
#include "runtime/python/objects.h"
#include "runtime/python/raise.h"
#include "runtime/python/signal_poll.h"
#include "runtime/python/streams.h"
#include "runtime/python/waiting.h"

namespace qd::python {

namespace {

/// The part that add_part() has given.
std::optional<ModulePart>& given_part() {
  static std::optional<ModulePart> part;
  return part;
}

ir::Type type_of(const std::string& name) { return ir::type_from_name(name).value(); }

/// Layout of an array: the offset of its first number, the stride of its elements, and the stride of their components,
/// in bytes.
using Strides = std::tuple<int64_t, int64_t, int64_t>;

ArrayDescription described(const std::string& type, std::vector<int32_t> shape, std::vector<int32_t> element,
                           Strides strides, std::vector<int32_t> order) {
  auto [offset, stride, component_stride] = strides;
  ir::Layout layout;
  layout.stride = stride;
  layout.component_stride = component_stride;
  layout.order = std::move(order);
  return {type_of(type), std::move(shape), std::move(element), std::move(layout), offset};
}

/// Hands text of a kernel or of the compiler to a function of qdcov._log. If that raises (in a signal handler, or in a
/// print on a closed pipe), the launch raises the same.
template <class... More>
void hand_over(const char* function, std::string_view text, More&&... more) {
  GilAcquire gil;
  try {
    classes().log.attr(function)(nb::str(text.data(), text.size()), std::forward<More>(more)...);
  } catch (nb::python_error& error) {
    LaunchScope::raise_later(std::move(error));
  } catch (abi::__forced_unwind&) {
    wait_for_end();
  }
}

/// The program of one qd.init. Fields, arrays and kernels share it, and the last of them ends it.
class ProgramHandle {
 public:
  ProgramHandle(Config config, LaunchObserver* observer)
      : program_(std::make_shared<Program>(config, observer)), objects_(std::make_shared<Objects>()) {
    program_->set_print([](std::string_view text) { hand_over("show", text); });
    program_->set_warn([](std::string_view text) { hand_over("log", text); });
    program_->set_warn_deprecated(
        [](const frontend::Warning& warning) { hand_over("deprecated", warning.text, warning.file, warning.line); });
  }

  MemoryHandle memory(size_t size) {
    open();
    const std::shared_ptr<Program> program = program_;  // another thread may end it meanwhile
    if (!program->settled()) waiting_for_launches([&](LaunchPoll*) { program->take_in_over(); });
    return {program->memory(size), program};
  }
  ArrayHandle field(const MemoryHandle& memory, const std::string& type, std::vector<int32_t> shape,
                    std::vector<int32_t> element, Strides strides, std::vector<int32_t> order,
                    std::vector<int32_t> first_index, std::string name) {
    ArrayDescription description = described(type, std::move(shape), std::move(element), strides, std::move(order));
    description.first_index = std::move(first_index);
    qd::Field& field = open().field(std::move(description), std::move(name), memory.memory);
    return {program_, nullptr, std::unique_ptr<qd::Field, ReleaseField>(&field, ReleaseField{program_}), &field};
  }
  ArrayHandle ndarray(const MemoryHandle& memory, const std::string& type, std::vector<int32_t> shape,
                      std::vector<int32_t> element, Strides strides, std::vector<int32_t> order) {
    std::unique_ptr<Ndarray> array =
        open().ndarray(described(type, std::move(shape), std::move(element), strides, std::move(order)), memory.memory);
    Ndarray* pointer = array.get();
    return {program_, std::unique_ptr<Ndarray, AfterLaunches>(array.release()), nullptr, pointer};
  }
  /// Ends a field for later launches, and releases the parts of it that kernels keep.
  void destroy(const ArrayHandle& field) { let_go_after_launches(field.program->destroy(*field.field)); }
  /// Makes `grad` the gradient of an array for kernels. Both are fields, or both ndarrays.
  void set_grad(ArrayHandle& array, nb::handle_t<ArrayHandle> grad) {
    open();
    Ndarray* const gradient = nb::inst_ptr<ArrayHandle>(grad)->array;
    if (array.field) {
      static_cast<qd::Field*>(array.array)->set_grad(*static_cast<const qd::Field*>(gradient));
    } else {
      array.array->set_gradient(gradient);
      array.gradient = nb::borrow(grad);
    }
    array_has_changed();
  }
  /// Makes `field` one component of the elements of `whole`, in whose memory it lies.
  void set_whole(const ArrayHandle& field, const ArrayHandle& whole, int32_t component) {
    open();
    static_cast<qd::Field*>(field.array)->set_whole(*static_cast<const qd::Field*>(whole.array), component);
    array_has_changed();
  }
  /// Makes `dual` the dual of `field` for kernels.
  void set_dual(const ArrayHandle& field, const ArrayHandle& dual) {
    open();
    static_cast<qd::Field*>(field.array)->set_dual(*static_cast<const qd::Field*>(dual.array));
    array_has_changed();
  }
  nb::object kernel(nb::object function, bool fastcache, bool graph, bool checkpoints) {
    open();
    return make_kernel(program_, objects_, std::move(function), {fastcache, graph, checkpoints});
  }
  void sync() {
    open();
    const std::shared_ptr<Program> program = program_;  // another thread may end it meanwhile
    wait_for_launches();
    if (!program->settled()) waiting_for_launches([&](LaunchPoll* poll) { program->sync(poll); });
  }
  void take_in_launches() {
    const std::shared_ptr<Program> program = program_;
    if (program && !program->settled())
      waiting_for_launches([&](LaunchPoll* poll) { program->take_in_launches(poll); });
  }
  StreamHandle new_stream() {
    open();
    return {program_, program_->new_stream()};
  }
  StreamHandle default_stream() {
    open();
    return {program_, program_->default_stream()};
  }
  bool host_memory() { return open().host_memory(); }
  nb::object exchange() {
    open();
    return exchange_of(program_);
  }
  int subgroup_size() { return open().subgroup_size(); }
  bool checks_claims() { return open().checks_claims(); }
  std::string device_name() { return open().device_name(); }
  nb::object kernel_times() { return python::kernel_times(profiled()); }
  nb::object kernel_records() { return python::kernel_records(profiled()); }
  void clear_kernel_times() { profiled().profiler()->clear(); }
  /// Waits for the calls of other threads, and takes in the outcomes of launches.
  void finish_launches() {
    open();
    wait_for_launches();
    take_in_launches();
  }
  /// Waits for launches, as close() does, and leaves the program as it is.
  void settle() {
    const std::shared_ptr<Program> program = program_;
    if (program) settle(*program);
  }
  /// Ends the program, except for parts of it that others still hold. First takes in the outcomes of launches;
  /// afterwards throws the failure of one of them. A signal handler that ends the wait ends the launches, too.
  void close() {
    const std::shared_ptr<Program> program = std::exchange(program_, nullptr);
    objects_.reset();
    if (program) settle(*program);
  }
  /// Lets go of the program in the child of a fork.
  void abandon() {
    program_.reset();
    objects_.reset();
  }

 private:
  static void settle(Program& program) {
    if (program.settled()) return;
    try {
      waiting_for_launches([&](LaunchPoll* poll) { program.sync(poll); });
    } catch (nb::python_error&) {
      program.end_early();
      throw;
    }
  }
  Program& profiled() {
    if (!open().profiler()) throw KernelRuntimeError("the program measures no times: qd.init(kernel_profiler=True)");
    return *program_;
  }
  Program& open() {
    if (!program_) throw KernelRuntimeError("the program has ended: call qd.init()");
    return *program_;
  }

  std::shared_ptr<Program> program_;
  std::shared_ptr<Objects> objects_;
};

ProgramHandle* make_program(const nb::dict& options, const nb::dict& environment) {
  load_classes();
  LaunchObserver* observer = given_part() ? given_part()->observer(environment) : nullptr;
  return new ProgramHandle(config_of(options), observer);
}

/// Makes the exit code of this process 1 if it would be 0. Python has no way to it once functions of atexit run.
void fail_at_exit() {
  static pid_t failed = 0;
  if (std::exchange(failed, getpid()) == getpid()) return;
  on_exit(
      [](int exit_code, void*) {
        // glibc runs the handlers that are left.
        if (exit_code == 0 && failed == getpid()) std::exit(1);
      },
      nullptr);
}

/// The devices of an arch, each with the fields of qd.Device.
nb::object devices_of(const std::string& arch) {
  nb::list devices;
  for (const device::DeviceInfo& info : back_ends::devices(arch)) {
    std::vector<std::string> features;
    for (uint32_t bit = 0; ir::kAllFeatures >> bit; ++bit) {
      if (info.features >> bit & 1) features.emplace_back(ir::word(static_cast<ir::Feature>(bit)));
    }
    nb::dict device;
    device["name"] = info.name;
    device["type"] = info.type;
    device["driver"] = info.driver;
    device["api"] = info.api;
    device["memory"] = info.memory;
    device["subgroup_size"] = info.subgroup_size;
    device["features"] = nb::tuple(nb::cast(features));
    device["lacks"] = info.lacks;
    devices.append(device);
  }
  return devices;
}

/// The first `n` words; the rest of a text that is a key of the code cache is not for people.
std::string words(const std::string& text, int n) {
  size_t end = 0;
  while (n-- > 0 && end != std::string::npos) end = text.find(' ', end + (end > 0));
  return text.substr(0, end);
}

}  // namespace

bool add_part(ModulePart part) {
  if (given_part()) throw std::logic_error("qdcov._native has two parts of other folders");
  given_part() = part;
  return true;
}

NB_MODULE(_native, module) {
  nb::set_leak_warnings(false);  // objects that live at exit are freed with the process
  nb::register_exception_translator([](const std::exception_ptr& exception, void*) {
    try {
      std::rethrow_exception(exception);
    } catch (const KernelRuntimeError&) {
      raise_current();
    } catch (const frontend::KernelCompilationError&) {
      raise_current();
    }
  });
  nb::class_<ArrayHandle>(module, "Array").def("ends", [](const ArrayHandle&) { array_has_changed(); });
  add_memory(module);
  nb::class_<ProgramHandle>(module, "Program")
      .def("memory", &ProgramHandle::memory)
      .def("field", &ProgramHandle::field)
      .def("ndarray", &ProgramHandle::ndarray)
      .def("destroy", &ProgramHandle::destroy)
      .def("set_grad", &ProgramHandle::set_grad)
      .def("set_dual", &ProgramHandle::set_dual)
      .def("set_whole", &ProgramHandle::set_whole)
      .def("kernel", &ProgramHandle::kernel)
      .def("sync", &ProgramHandle::sync)
      .def("take_in_launches", &ProgramHandle::take_in_launches)
      .def("new_stream", &ProgramHandle::new_stream)
      .def("tape_reads", [](const ProgramHandle&) { return TapeReads(); })
      .def("launch_record", [](const ProgramHandle&) { return LaunchRecord(); })
      .def("default_stream", &ProgramHandle::default_stream)
      .def("host_memory", &ProgramHandle::host_memory)
      .def("exchange", &ProgramHandle::exchange)
      .def("subgroup_size", &ProgramHandle::subgroup_size)
      .def("checks_claims", &ProgramHandle::checks_claims)
      .def("device_name", &ProgramHandle::device_name)
      .def("finish_launches", &ProgramHandle::finish_launches)
      .def("kernel_times", &ProgramHandle::kernel_times)
      .def("kernel_records", &ProgramHandle::kernel_records)
      .def("clear_kernel_times", &ProgramHandle::clear_kernel_times)
      .def("settle", nb::overload_cast<>(&ProgramHandle::settle))
      .def_static("fail_at_exit", &fail_at_exit)
      .def("close", &ProgramHandle::close)
      .def("abandon", &ProgramHandle::abandon);
  module.def("program", &make_program);
  module.def("default_options", &default_options);
  module.def("archs", &back_ends::archs);
  module.def("why_not",
             [](const std::string& arch, const std::string& device) { return back_ends::why_not(arch, device); });
  module.def("devices", &devices_of);
  module.def("compiler", [] { return words(codegen::version(), 2); });
  module.def("processor", [] { return words(codegen::host_cpu(), 1); });
  module.def(
      "stack_left",
      [] {
        const uint64_t end = device::stack_end();
        return end == 0 ? std::numeric_limits<int64_t>::max()
                        : static_cast<int64_t>(reinterpret_cast<uint64_t>(__builtin_frame_address(0)) - end);
      },
      "Bytes of this thread's stack that recursion may still take.");
  SignalPoll::find_main_thread();
  add_streams(module);
  add_kernel_type(module);
  add_bound_kernel(module);
  if (given_part()) given_part()->add(module);
}

}  // namespace qd::python
