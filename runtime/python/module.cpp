// The Python module qd._native: programs, arrays, kernels, kernel coverage.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "runtime/python/coverage.h"
#include "runtime/python/kernel_object.h"
#include "runtime/python/objects.h"
#include "runtime/python/raise.h"

namespace qd::python {

namespace {

ir::Type type_of(const std::string& name) { return ir::type_from_name(name).value(); }

nb::dlpack::dtype dlpack_type(ir::Type type) {
  auto code = nb::dlpack::dtype_code::UInt;
  if (type == ir::Type::U1) code = nb::dlpack::dtype_code::Bool;
  if (ir::is_signed(type)) code = nb::dlpack::dtype_code::Int;
  if (ir::is_float(type)) code = nb::dlpack::dtype_code::Float;
  return {static_cast<uint8_t>(code), static_cast<uint8_t>(8 * ir::size_in_bytes(type)), 1};
}

/// The memory of an array as a numpy array, which keeps the program alive.
nb::object numpy_view(nb::handle_t<ArrayHandle> self) {
  Ndarray& array = *nb::inst_ptr<ArrayHandle>(self)->array;
  std::vector<size_t> shape(array.shape().begin(), array.shape().end());
  return nb::cast(nb::ndarray<nb::numpy>(array.data(), shape.size(), shape.data(), self, nullptr, dlpack_type(array.type())));
}

/// Text of a kernel or of the compiler, to a function of qd._runtime.
void hand_over(const char* function, std::string_view text) {
  nb::gil_scoped_acquire gil;
  try {
    nb::module_::import_("qd._runtime").attr(function)(nb::str(text.data(), text.size()));
  } catch (nb::python_error& error) {
    error.discard_as_unraisable(function);
  }
}

/// The program of one qd.init. Fields, arrays and kernels share it; it ends with the last of them.
class ProgramHandle {
 public:
  explicit ProgramHandle(Config config) : program_(std::make_shared<Program>(config, coverage_observer())), objects_(std::make_shared<Objects>()) {
    program_->set_print([](std::string_view text) { hand_over("show", text); });
    program_->set_warn([](std::string_view text) { hand_over("log", text); });
  }

  ArrayHandle field(const std::string& type, std::vector<int32_t> shape, std::string name) {
    qd::Field& field = open().field(type_of(type), std::move(shape), std::move(name));
    return {program_, nullptr, &field};
  }
  ArrayHandle ndarray(const std::string& type, std::vector<int32_t> shape) {
    std::unique_ptr<Ndarray> array = open().ndarray(type_of(type), std::move(shape));
    Ndarray* pointer = array.get();
    return {program_, std::move(array), pointer};
  }
  nb::object kernel(nb::object function) {
    open();
    return make_kernel(program_, objects_, std::move(function));
  }
  void sync() {
    nb::gil_scoped_release no_gil;
    open().sync();
  }
  void close() {
    objects_.reset();
    program_.reset();
  }
  /// In the child of a fork: the program's threads are not there, so that nothing of it may run, not even its end.
  void abandon() {
    new std::shared_ptr<Program>(program_);
    close();
  }

 private:
  Program& open() {
    if (!program_) throw KernelRuntimeError("the program has ended: call qd.init()");
    return *program_;
  }

  std::shared_ptr<Program> program_;
  std::shared_ptr<Objects> objects_;
};

ProgramHandle* make_program(bool debug, bool fast_math, bool short_circuit, const std::string& default_ip, const std::string& default_fp, int threads,
                            uint64_t seed, int unrolling_limit, bool print_ir, int coverage_switch, const std::string& cache_folder, int cache_cleaning,
                            uint64_t cache_max_bytes, double cache_cleaning_factor) {
  load_classes();
  Config config;
  config.debug = debug;
  config.fast_math = fast_math;
  config.short_circuit_operators = short_circuit;
  config.default_ip = type_of(default_ip);
  config.default_fp = type_of(default_fp);
  config.cpu_max_num_threads = threads;
  config.random_seed = seed;
  config.unrolling_limit = unrolling_limit;
  config.print_ir = print_ir;
  config.clean_code_switch = static_cast<CleanCodeSwitch>(coverage_switch);
  config.offline_cache = {cache_folder, static_cast<CacheOptions::Cleaning>(cache_cleaning), cache_max_bytes, cache_cleaning_factor};
  return new ProgramHandle(config);
}

}  // namespace

NB_MODULE(_native, module) {
  nb::set_leak_warnings(false);  // what lives at exit is freed with the process
  nb::register_exception_translator([](const std::exception_ptr& exception, void*) {
    try {
      std::rethrow_exception(exception);
    } catch (const KernelRuntimeError&) {
      raise_current();
    } catch (const frontend::KernelCompilationError&) {
      raise_current();
    }
  });
  nb::class_<ArrayHandle>(module, "Array").def("numpy", &numpy_view);
  nb::class_<ProgramHandle>(module, "Program")
      .def("field", &ProgramHandle::field)
      .def("ndarray", &ProgramHandle::ndarray)
      .def("kernel", &ProgramHandle::kernel)
      .def("sync", &ProgramHandle::sync)
      .def("close", &ProgramHandle::close)
      .def("abandon", &ProgramHandle::abandon);
  module.def("program", &make_program, nb::kw_only(), nb::arg("debug"), nb::arg("fast_math"), nb::arg("short_circuit"), nb::arg("default_ip"),
             nb::arg("default_fp"), nb::arg("threads"), nb::arg("seed"), nb::arg("unrolling_limit"), nb::arg("print_ir"),
             nb::arg("coverage_switch"), nb::arg("cache_folder"), nb::arg("cache_cleaning"), nb::arg("cache_max_bytes"), nb::arg("cache_cleaning_factor"));
  add_kernel_type(module);
  add_coverage(module);
}

}  // namespace qd::python
