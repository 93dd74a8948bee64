// Calls of kernels from Python. This is the path whose length is the launch time: no Python code, no allocation that can be spared.
#include "runtime/python/kernel_object.h"

#include <fmt/format.h>
#include <structmember.h>

#include "runtime/python/numpy_argument.h"
#include "runtime/python/raise.h"

namespace qd::python {

namespace {

using frontend::Parameter;

struct KernelState {
  std::shared_ptr<Program> program;  // outlives the kernel
  std::shared_ptr<Objects> objects;
  std::unique_ptr<Kernel> kernel;
  std::vector<Parameter> parameters;
  std::vector<nb::object> names;  // interned
  std::vector<ir::Type> results;

  ~KernelState() {
    // The end of a variant may wait for another thread that needs the GIL.
    nb::gil_scoped_release no_gil;
    kernel.reset();
  }

  std::string where(size_t i) const { return fmt::format("Argument \"{}\" of kernel {}", parameters[i].name, kernel->name()); }
};

struct KernelObject {
  PyObject_HEAD
  vectorcallfunc vectorcall;
  KernelState* state;
};

/// The arguments of a call in the order of the parameters; `storage` holds them when some came by name.
PyObject* const* in_order(const KernelState& state, PyObject* const* args, size_t count, PyObject* names, std::vector<PyObject*>& storage) {
  size_t parameters = state.parameters.size();
  const std::string& kernel = state.kernel->name();
  auto expected = [&] { return fmt::format("Kernel {} takes {} argument{}", kernel, parameters, parameters == 1 ? "" : "s"); };
  if (count > parameters) throw KernelRuntimeTypeError(fmt::format("{}, got {}", expected(), count));
  if (!names && count == parameters) return args;
  storage.assign(parameters, nullptr);
  std::copy(args, args + count, storage.begin());
  Py_ssize_t named = names ? PyTuple_GET_SIZE(names) : 0;
  for (Py_ssize_t k = 0; k < named; ++k) {
    PyObject* name = PyTuple_GET_ITEM(names, k);
    size_t i = 0;
    while (i < parameters && PyUnicode_Compare(state.names[i].ptr(), name) != 0) ++i;
    if (i == parameters || storage[i]) {
      auto text = nb::cast<std::string>(nb::handle(name));
      if (i == parameters) throw KernelRuntimeTypeError(fmt::format("Kernel {} has no argument \"{}\"", kernel, text));
      throw KernelRuntimeTypeError(fmt::format("Argument \"{}\" of kernel {} is given twice", text, kernel));
    }
    storage[i] = args[count + static_cast<size_t>(k)];
  }
  for (size_t i = 0; i < parameters; ++i) {
    if (storage[i]) continue;
    size_t given = count + static_cast<size_t>(named);
    throw KernelRuntimeTypeError(fmt::format("{}, got {}: missing \"{}\"", expected(), given, state.parameters[i].name));
  }
  return storage.data();
}

bool is_a(PyObject* object, const nb::object& type) { return PyObject_IsInstance(object, type.ptr()) == 1; }

/// A scalar as it is; the launcher checks it against its parameter.
Argument scalar(KernelState& state, size_t i, PyObject* object) {
  if (PyFloat_Check(object)) return PyFloat_AS_DOUBLE(object);
  nb::object number;
  if (!PyLong_Check(object)) {
    const Classes& c = classes();
    if (is_a(object, c.numpy_floating)) return nb::cast<double>(nb::float_(nb::handle(object)));
    if (!is_a(object, c.numpy_integer) && !is_a(object, c.numpy_bool)) return state.objects->to_value(object);
    number = nb::steal(PyNumber_Long(object));
    if (!number.is_valid()) throw nb::python_error();
    object = number.ptr();
  }
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (!overflow) return static_cast<int64_t>(value);
  ir::Type type = *state.parameters[i].type;
  if (ir::is_float(type)) {
    double real = PyLong_AsDouble(object);
    if (real == -1.0 && PyErr_Occurred()) throw nb::python_error();
    return real;
  }
  unsigned long long bits = overflow > 0 ? PyLong_AsUnsignedLongLong(object) : 0;
  bool fits = overflow > 0 && !PyErr_Occurred() && type == ir::Type::U64;
  PyErr_Clear();
  if (fits) return static_cast<int64_t>(bits);
  throw KernelRuntimeTypeError(fmt::format("{}: expected {}, got {}, which is out of its range", state.where(i), ir::name(type),
                                           nb::cast<std::string>(nb::str(nb::handle(object)))));
}

Argument array(KernelState& state, size_t i, PyObject* object, NumpyArguments& numpy) {
  if (ArrayHandle* handle = array_handle(object)) {
    if (handle->program == state.program) return handle->array;
    throw KernelRuntimeError(fmt::format("{} belongs to an earlier qd.init()", state.where(i)));
  }
  if (!PyObject_CheckBuffer(object) || PyBytes_Check(object)) return state.objects->to_value(object);
  return numpy.add(object, [&] { return state.where(i); });
}

nb::object to_python(const Scalar& value, ir::Type type) {
  if (auto* number = std::get_if<double>(&value)) return nb::float_(*number);
  int64_t integer = std::get<int64_t>(value);
  if (type == ir::Type::U1) return nb::bool_(integer != 0);
  if (type == ir::Type::U64) return nb::int_(static_cast<uint64_t>(integer));
  return nb::int_(integer);
}

nb::object results(const KernelState& state, const std::vector<Scalar>& values) {
  if (values.empty()) return nb::none();
  if (values.size() == 1) return to_python(values[0], state.results[0]);
  nb::list list;
  for (size_t i = 0; i < values.size(); ++i) list.append(to_python(values[i], state.results[i]));
  return nb::tuple(list);
}

nb::object launch(KernelState& state, PyObject* const* args, size_t count, PyObject* names) {
  std::vector<PyObject*> storage;
  args = in_order(state, args, count, names, storage);
  std::vector<Argument> arguments;
  arguments.reserve(state.parameters.size());
  NumpyArguments numpy;
  for (size_t i = 0; i < state.parameters.size(); ++i) {
    const Parameter& parameter = state.parameters[i];
    switch (parameter.kind) {
      case Parameter::Kind::Scalar: arguments.push_back(scalar(state, i, args[i])); break;
      case Parameter::Kind::Array: arguments.push_back(array(state, i, args[i], numpy)); break;
      case Parameter::Kind::Template: arguments.push_back(state.objects->to_value(args[i])); break;
    }
  }
  std::vector<Scalar> values;
  {
    nb::gil_scoped_release no_gil;
    values = state.kernel->launch(arguments);
  }
  numpy.copy_back();
  return results(state, values);
}

PyObject* kernel_vectorcall(PyObject* self, PyObject* const* args, size_t flags, PyObject* names) {
  // The state stays alive when the call itself resets the program.
  nb::object keep = nb::borrow(self);
  try {
    return launch(*reinterpret_cast<KernelObject*>(self)->state, args, static_cast<size_t>(PyVectorcall_NARGS(flags)), names).release().ptr();
  } catch (...) {
    raise_current();
    return nullptr;
  }
}

void kernel_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  delete reinterpret_cast<KernelObject*>(self)->state;
  type->tp_free(self);
  Py_DECREF(type);
}

PyMemberDef kMembers[] = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(KernelObject, vectorcall), READONLY, nullptr}, {nullptr, 0, 0, 0, nullptr}};
PyType_Slot kSlots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(kernel_dealloc)},
                        {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                        {Py_tp_members, kMembers},
                        {0, nullptr}};
PyType_Spec kSpec = {"qd._native.Kernel", sizeof(KernelObject), 0,
                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION, kSlots};

PyTypeObject* kernel_type = nullptr;

}  // namespace

void add_kernel_type(nb::module_& module) {
  nb::object type = nb::steal(PyType_FromSpec(&kSpec));
  if (!type.is_valid()) throw nb::python_error();
  module.attr("Kernel") = type;
  kernel_type = reinterpret_cast<PyTypeObject*>(type.release().ptr());
}

nb::object make_kernel(std::shared_ptr<Program> program, std::shared_ptr<Objects> objects, nb::object function) {
  auto state = std::make_unique<KernelState>();
  state->program = std::move(program);
  state->objects = std::move(objects);
  frontend::FunctionSource source = Objects::source(function);
  auto environment = std::make_shared<PythonEnvironment>(function, state->objects);
  state->kernel = std::make_unique<Kernel>(*state->program, std::move(source), std::move(environment));
  state->parameters = state->kernel->signature().parameters;
  state->results = state->kernel->signature().results;
  for (const Parameter& parameter : state->parameters) state->names.push_back(nb::steal(PyUnicode_InternFromString(parameter.name.c_str())));
  auto* object = reinterpret_cast<KernelObject*>(kernel_type->tp_alloc(kernel_type, 0));
  if (!object) throw nb::python_error();
  object->vectorcall = kernel_vectorcall;
  object->state = state.release();
  return nb::steal(reinterpret_cast<PyObject*>(object));
}

}  // namespace qd::python
