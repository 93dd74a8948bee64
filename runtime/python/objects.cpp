// Converts Python objects, with caches for functions and for objects that only Python can read.
#include "runtime/python/objects.h"

#include <fmt/format.h>

#include <unordered_map>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/python/raise.h"
#include "runtime/python/recursion.h"

namespace qd::python {

using frontend::Value;

namespace {

std::string text_of(nb::handle object) { return nb::cast<std::string>(nb::str(object)); }

using Kind = frontend::HostObject::Kind;

/// An object that only Python can read, in its form for kernels.
frontend::HostObject host_object(nb::handle object) {
  PyObject* o = object.ptr();
  const auto id = reinterpret_cast<uint64_t>(o);
  auto named = [&](Kind kind, std::string_view what) {
    return frontend::HostObject{id, fmt::format("{} '{}'", what, text_of(object.attr("__name__"))), kind};
  };
  const bool method = PyMethod_Check(o) || is_bound_kernel(object);
  if (method || PyCFunction_Check(o)) {
    // kernel.grad and kernel.resume are launches, in Python or in C.
    const nb::object of = attribute_or(object, "__self__", nb::none());
    const bool of_kernel = is_instance(of, classes().kernel);
    if (method || of_kernel) {
      frontend::HostObject function = host_object(of_kernel ? of : object.attr("__func__"));
      function.id = id;
      return function;
    }
  }
  if (is_instance(object, classes().kernel)) return named(Kind::Kernel, "kernel");
  if (is_instance(object, classes().declined)) return {id, text_of(object.attr("_name")), Kind::NotYet};
  if (PyModule_Check(o)) return frontend::module_object(id, text_of(object.attr("__name__")));
  const bool is_type = PyType_Check(o);
  if (is_type && PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(o),
                                  reinterpret_cast<PyTypeObject*>(classes().enumeration.ptr()))) {
    return named(Kind::Enumeration, "enumeration");
  }
  if (is_type) return named(Kind::Class, "class");
  if (PyCallable_Check(o) && has_attribute(object, "__name__")) return named(Kind::Function, "function");
  if (is_instance(object, classes().enumeration))
    return {id, fmt::format("member of enumeration '{}'", Py_TYPE(o)->tp_name), Kind::EnumerationMember};
  const bool array = PyObject_TypeCheck(o, reinterpret_cast<PyTypeObject*>(classes().numpy_array.ptr()));
  return {id, fmt::format("an object of class '{}'", Py_TYPE(o)->tp_name), array ? Kind::Array : Kind::Other};
}

ir::Type type_named(nb::handle dtype) { return ir::type_from_name(text_of(dtype.attr("name"))).value(); }

/// The index tuples of an ndrange as a list; null for other objects, and for too many.
nb::object constant_indices(nb::handle object) {
  if (!object.type().is(classes().ndrange)) return {};
  nb::object indices = object.attr("_constant")();
  return indices.is_none() ? nb::object() : indices;
}

}  // namespace

Value Objects::func(nb::handle object) {
  auto known = funcs_.find(object.ptr());
  if (known == funcs_.end()) {
    nb::object function = object.attr("_function");
    frontend::Func func;
    frontend::FunctionSource text = source(function);
    text.python = nb::cast<bool>(object.attr("_python"));
    text.plain = nb::cast<bool>(object.attr("_plain"));
    text.real = nb::cast<bool>(object.attr("_real"));
    text.top_level = nb::cast<bool>(object.attr("_top_level"));
    func.source = std::make_shared<const frontend::FunctionSource>(std::move(text));
    nb::list held;
    held.append(function);
    object.attr("_captured")[nb::int_(reinterpret_cast<uintptr_t>(this))] = held;
    // Not shared_from_this: then the environment of a func would keep the program's objects alive in a cycle.
    auto environment = std::make_shared<PythonEnvironment>(held, std::shared_ptr<Objects>(this, [](Objects*) {}));
    func.environment = environment;
    nb::object gone = nb::cpp_function([objects = weak_from_this(), of = object.ptr()](nb::handle) {
      if (const std::shared_ptr<Objects> alive = objects.lock()) alive->forget(of);
    });
    nb::object reference = nb::steal(PyWeakref_NewRef(object.ptr(), gone.ptr()));
    if (!reference.is_valid()) throw nb::python_error();
    known =
        funcs_.emplace(object.ptr(), KnownFunc{std::move(reference), std::move(func), std::move(environment)}).first;
  }
  return known->second.func;
}

void Objects::forget(PyObject* func) {
  const auto row = funcs_.extract(func);
  if (row.empty()) return;
  row.mapped().environment->release();
  nb::object alive = row.mapped().reference();
  const nb::int_ key(reinterpret_cast<uintptr_t>(this));
  if (!alive.is_none()) alive.attr("_captured").attr("pop")(key, nb::none());
}

Objects::~Objects() {
  GilAcquire gil;
  while (!funcs_.empty()) forget(funcs_.begin()->first);
}

frontend::Tuple Objects::tuple(nb::handle object, bool held) {
  const Recursion deeper(" in a value for a kernel");
  frontend::Tuple tuple;
  tuple.is_list = PyList_Check(object.ptr());
  for (nb::handle item : object) tuple.items.push_back(to_value(item, held));
  if (!PyTuple_CheckExact(object.ptr()) && !tuple.is_list) tuple.named = tuple_class(object);
  return tuple;
}

std::shared_ptr<const frontend::TupleClass> Objects::tuple_class(nb::handle object) {
  const nb::handle cls = object.type();
  nb::object names = attribute_or(cls, "_fields", nb::none());
  if (!nb::isinstance<nb::tuple>(names) || nb::len(names) != nb::len(object)) return nullptr;
  frontend::TupleClass made{kept(cls, host_object(cls)), {}};
  for (nb::handle name : names) made.fields.push_back(text_of(name));
  return std::make_shared<const frontend::TupleClass>(std::move(made));
}

frontend::Dict Objects::dict(nb::handle object, bool held) {
  const Recursion deeper(" in a value for a kernel");
  frontend::Dict dict;
  for (auto [key, value] : nb::cast<nb::dict>(object)) {
    dict.keys.push_back(to_value(key));
    dict.values.push_back(to_value(value, held));
  }
  // The identity of a dict's values alone counts: reads of templates do not lead through a dict.
  for (Value& value : dict.values) {
    if (auto* inner = std::get_if<frontend::HostObject>(&value)) {
      if (!held) keep(reinterpret_cast<PyObject*>(inner->id));
      inner->cls = 0;
    }
  }
  return dict;
}

namespace {

/// The value of an int, a float or a str, whatever its class.
Value plain_value(PyObject* object) {
  if (PyFloat_Check(object)) return PyFloat_AS_DOUBLE(object);
  if (PyUnicode_Check(object)) return nb::cast<std::string>(nb::handle(object));
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (!overflow) return static_cast<int64_t>(number);
  nb::str digits(nb::steal(PyNumber_ToBase(object, 16)));
  return *frontend::BigInteger::parse(digits.c_str());
}

// Whether a class of dicts has a __getattr__: its objects are asked for attributes, s.speed, rather than for keys.
bool answers_attributes(const PyTypeObject* cls) { return cls->tp_getattro != PyDict_Type.tp_getattro; }

}  // namespace

Value Objects::to_value(nb::handle object, bool held) {
  const Classes& c = classes();
  PyObject* o = object.ptr();
  if (o == Py_None) return frontend::None{};
  if (PyBool_Check(o)) return o == Py_True;
  if (PyLong_Check(o) || PyFloat_Check(o) || PyUnicode_Check(o)) {
    Value value = plain_value(o);
    if (inherits(o, c.enumeration)) {
      frontend::HostObject member = host_object(object);
      value.member = std::make_shared<const frontend::HostObject>(held ? member : kept(object, member));
    }
    return value;
  } else if (PyTuple_Check(o) || PyList_Check(o)) {
    return tuple(object, held);
  } else if (nb::object indices = constant_indices(object); indices.is_valid()) {
    return tuple(indices, held);
  } else if (const ClassView* seen = deciding_view(Py_TYPE(o))) {
    return instance(o, *seen);
  } else if (auto known = c.builtins.find(o); known != c.builtins.end()) {
    return frontend::Builtin{known->second};
  } else if (PyObject_TypeCheck(o, reinterpret_cast<PyTypeObject*>(c.numpy_array.ptr())) &&
             nb::cast<int>(object.attr("ndim")) == 0) {
    return to_value(object[nb::tuple()]);
  } else if (is_instance(object, c.numpy_generic)) {
    if (is_instance(object, c.numpy_bool) || is_instance(object, c.numpy_integer) ||
        is_instance(object, c.numpy_floating)) {
      return to_value(object.attr("item")());
    }
  } else if (PyDict_Check(o) && !answers_attributes(Py_TYPE(o))) {
    return dict(object, held);
  } else if (is_instance(object, c.field)) {
    return static_cast<qd::Field*>(array_handle(o)->array)->value();
  } else if (is_instance(object, c.array)) {
    Ndarray& array = *array_handle(o)->array;
    const Ndarray* gradient = array.gradient();
    return frontend::HostArray{reinterpret_cast<uint64_t>(&array),
                               {array.type(), static_cast<int32_t>(array.shape().size()), array.element_shape(),
                                array.layout(), gradient ? std::optional(gradient->layout()) : std::nullopt}};
  } else if (auto compound = compound_value(object)) {
    return std::move(*compound);
  } else if (PyMethod_Check(o) && is_instance(nb::handle(PyMethod_GET_FUNCTION(o)), c.func)) {
    frontend::Func method = std::get<frontend::Func>(func(PyMethod_GET_FUNCTION(o)));
    method.self = std::make_shared<const Value>(to_value(PyMethod_GET_SELF(o), held));
    return method;
  } else if (is_instance(object, c.func)) {
    return func(object);
  } else if (is_instance(object, c.ndarray_annotation)) {
    return array_annotation(object);
  } else if (is_instance(object, c.view_annotation)) {
    nb::object dtype = object.attr("dtype");
    return frontend::Tuple{{Value(frontend::Builtin{"BufferView"}), to_value(dtype)}};
  } else if (is_instance(object, c.template_annotation)) {
    return frontend::Builtin{"template"};
  } else if (is_instance(object, c.dtype) || is_instance(object, c.numpy_dtype) || PyType_Check(o)) {
    nb::object dtype = c.resolve_dtype(object);
    if (!dtype.is_none()) return type_named(dtype);
  }
  const ClassView& seen = view(Py_TYPE(o));
  if (seen.looked_into) return instance(o, seen);
  return held ? host_object(object) : kept(object, host_object(object));
}

Value Objects::instance(PyObject* object, const ClassView& seen) {
  return frontend::HostObject{reinterpret_cast<uint64_t>(object),
                              seen.description,
                              Kind::Other,
                              reinterpret_cast<uint64_t>(Py_TYPE(object)),
                              -1,
                              seen.lifts};
}

const Objects::ClassView* Objects::deciding_view(PyTypeObject* cls) const {
  const auto known = views_.find(cls);
  return known != views_.end() && known->second.decides ? &known->second : nullptr;
}

const Objects::ClassView& Objects::view(PyTypeObject* cls) {
  if (auto known = views_.find(cls); known != views_.end()) return known->second;
  ClassView view;  // known when it is complete: Python's code below may let another thread ask
  nb::handle type(reinterpret_cast<PyObject*>(cls));
  keep(type);
  nb::object module = attribute_or(type, "__module__", nb::str(""));
  const auto name = nb::isinstance<nb::str>(module) ? nb::cast<std::string>(module) : std::string();
  const bool own = name.find('.') != std::string::npos && frontend::is_module_of_the_package(name);
  const bool is_enum = PyObject_IsSubclass(type.ptr(), classes().enumeration.ptr()) == 1;
  const bool is_kernel = PyType_IsSubtype(cls, reinterpret_cast<PyTypeObject*>(classes().kernel.ptr())) == 1;
  view.looked_into = PyType_HasFeature(cls, Py_TPFLAGS_HEAPTYPE) && !own && !is_enum && !is_kernel &&
                     !PyType_IsSubtype(cls, &PyType_Type);
  // An array without dimensions is a number.
  view.decides =
      view.looked_into && !PyType_IsSubtype(cls, reinterpret_cast<PyTypeObject*>(classes().numpy_array.ptr()));
  nb::object primitives = attribute_or(type, "_qd_template_primitives", nb::none());
  view.lifts = primitives.is(nb::bool_(false));
  view.description = fmt::format("an object of class '{}'", cls->tp_name);
  return views_.try_emplace(cls, std::move(view)).first->second;
}

bool is_container(nb::handle object) {
  return PyDict_Check(object.ptr()) || PyList_Check(object.ptr()) || PyTuple_Check(object.ptr());
}

void hold(nb::handle object, std::vector<nb::object>& held) {
  held.push_back(nb::borrow(object));
  if (!is_container(object)) return;
  const Recursion deeper(" in a value for a kernel");
  nb::object items =
      nb::steal(PyDict_Check(object.ptr()) ? PyDict_Values(object.ptr()) : PySequence_Tuple(object.ptr()));
  if (!items.is_valid()) throw nb::python_error();
  held.push_back(items);
  for (nb::handle item : items) {
    if (is_container(item)) hold(item, held);
  }
}

std::shared_ptr<Compiled> Objects::compiling() {
  GilAcquire gil;
  std::shared_ptr<Compiled> now = compiled_.lock();
  if (!now) compiled_ = now = std::make_shared<Compiled>();
  return now;
}

void Objects::keep_while_compiling(nb::handle object) {
  const std::shared_ptr<Compiled> now = compiled_.lock();
  if (!now) return keep(object);
  now->objects.push_back(nb::borrow(object));
}

frontend::HostObject Objects::kept(nb::handle object, frontend::HostObject seen) {
  host_objects_.try_emplace(seen.id, nb::borrow(object));
  return seen;
}

nb::object Objects::object_of(const frontend::HostObject& object) const {
  return nb::borrow(reinterpret_cast<PyObject*>(object.id));
}

}  // namespace qd::python
