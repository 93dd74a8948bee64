// Converts Python objects, with caches for functions and for objects that only Python can look into.
#include "runtime/python/objects.h"

#include <fmt/format.h>
#include <structmember.h>

#include <mutex>
#include <unordered_map>

#include "runtime/frontend/known/builtins.h"
#include "runtime/frontend/known/python_values.h"
#include "runtime/python/raise.h"
#include "runtime/python/recursion.h"

namespace qd::python {

using frontend::Value;

namespace {

std::string text_of(nb::handle object) { return nb::cast<std::string>(nb::str(object)); }

using Kind = frontend::HostObject::Kind;

/// An object that only Python can look into, as a kernel sees it.
frontend::HostObject host_object(nb::handle object) {
  PyObject* o = object.ptr();
  const auto id = reinterpret_cast<uint64_t>(o);
  auto named = [&](Kind kind, std::string_view what) {
    return frontend::HostObject{id, fmt::format("{} '{}'", what, text_of(object.attr("__name__"))), kind};
  };
  if (PyMethod_Check(o)) {
    frontend::HostObject function = host_object(object.attr("__func__"));
    function.id = id;
    return function;
  }
  if (is_instance(object, classes().kernel)) return named(Kind::Kernel, "kernel");
  if (PyModule_Check(o)) return frontend::module_object(id, text_of(object.attr("__name__")));
  const bool is_type = PyType_Check(o);
  if (is_type && PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(o),
                                  reinterpret_cast<PyTypeObject*>(classes().enumeration.ptr()))) {
    return named(Kind::Enumeration, "enumeration");
  }
  if (is_type) return named(Kind::Class, "class");
  if (PyCallable_Check(o) && nb::hasattr(object, "__name__")) return named(Kind::Function, "function");
  if (is_instance(object, classes().enumeration))
    return {id, fmt::format("member of enumeration '{}'", Py_TYPE(o)->tp_name), Kind::EnumerationMember};
  const bool array = PyObject_TypeCheck(o, reinterpret_cast<PyTypeObject*>(classes().numpy_array.ptr()));
  return {id, fmt::format("an object of class '{}'", Py_TYPE(o)->tp_name), array ? Kind::Array : Kind::Other};
}

ir::Type type_named(nb::handle dtype) { return ir::type_from_name(text_of(dtype.attr("name"))).value(); }

struct ParsedFile {
  std::string text;
  std::shared_ptr<const syntax::Module> module;
};

/// Never destroyed: programs may outlive the interpreter.
struct ParsedFiles {
  std::mutex mutex;
  std::unordered_map<std::string, ParsedFile> files;
};
ParsedFiles& parsed_files() {
  static ParsedFiles& instance = *new ParsedFiles();
  return instance;
}

std::shared_ptr<const syntax::Module> parsed(const std::string& file, std::string text) {
  std::lock_guard lock(parsed_files().mutex);
  ParsedFile& entry = parsed_files().files[file];
  if (entry.module && entry.text == text) return entry.module;
  syntax::ParseResult result = syntax::parse(text);
  if (result.error) throw frontend::syntax_error(*result.error, file);
  entry = {std::move(text), std::move(result.module)};
  return entry.module;
}

}  // namespace

bool is_instance(nb::handle object, const nb::object& type) {
  return PyObject_IsInstance(object.ptr(), type.ptr()) == 1;
}

std::shared_ptr<const std::string> compiled_text(const std::string& file) {
  std::lock_guard lock(parsed_files().mutex);
  auto found = parsed_files().files.find(file);
  if (found == parsed_files().files.end() || !found->second.module) return nullptr;
  return {found->second.module, &found->second.module->source};
}

Classes& classes() {
  static Classes& instance = *new Classes();
  return instance;
}

void load_classes() {
  Classes& c = classes();
  if (c.dtype.is_valid()) return;
  auto import = [](const char* name) { return nb::module_::import_(name); };
  nb::object errors = import("qd._errors"), arrays = import("qd._arrays"), annotations = import("qd._annotations");
  nb::object decorators = import("qd._decorators"), source = import("qd._source"), dtypes = import("qd._dtypes"),
             numpy = import("numpy");
  c.ndarray_annotation = annotations.attr("NDArray");
  c.template_annotation = annotations.attr("Template");
  c.field = arrays.attr("Field");
  c.array = arrays.attr("Array");
  c.func = decorators.attr("Func");
  c.kernel = decorators.attr("Kernel");
  c.enumeration = import("enum").attr("Enum");
  c.matrix_type = import("qd._matrix_type").attr("MatrixType");
  c.struct_type = import("qd._struct").attr("StructType");
  c.matrix = import("qd._matrix").attr("Matrix");
  c.structure = import("qd._struct").attr("Struct");
  c.struct_array = import("qd._struct_arrays").attr("StructArray");
  c.tensor = import("qd._tensor").attr("Tensor");
  c.view = import("qd._buffer_view").attr("BufferView");
  c.view_annotation = import("qd._buffer_view").attr("ViewAnnotation");
  c.numpy_dtype = numpy.attr("dtype");
  c.numpy_generic = numpy.attr("generic");
  c.numpy_bool = numpy.attr("bool_");
  c.numpy_array = numpy.attr("ndarray");
  c.numpy_integer = numpy.attr("integer");
  c.numpy_floating = numpy.attr("floating");
  c.missing = source.attr("MISSING");
  c.lookup = source.attr("lookup");
  c.source_of = source.attr("origin");
  c.resolve_dtype = dtypes.attr("resolve");
  c.stream_of_call = import("qd._streams").attr("of_call");
  c.log = import("qd._log");
  c.compilation_error = errors.attr("KernelCompilationError");
  c.syntax_error = errors.attr("KernelSyntaxError");
  c.type_error = errors.attr("KernelTypeError");
  c.name_error = errors.attr("KernelNameError");
  c.index_error = errors.attr("KernelIndexError");
  c.runtime_error = errors.attr("KernelRuntimeError");
  c.assertion_error = errors.attr("KernelAssertionError");
  c.argument_error = errors.attr("KernelRuntimeTypeError");

  nb::object slot = c.array.attr("_handle");
  if (Py_TYPE(slot.ptr()) != &PyMemberDescr_Type) throw std::logic_error("qd._arrays.Array._handle is no slot");
  c.handle_offset = reinterpret_cast<PyMemberDescrObject*>(slot.ptr())->d_member->offset;

  for (nb::handle entry : import("qd._names").attr("language")()) {
    auto name = nb::cast<std::string>(entry[0]);
    nb::object bearer = entry[1];
    if (!frontend::find_builtin(name) || !c.builtins.emplace(bearer.ptr(), name).second) continue;
    bearer.release();  // kept for good: the table goes by identity
  }
  c.dtype = dtypes.attr("DataType");
}

/// Raises what the array says about itself: that it has no place yet, or is gone.
[[noreturn]] static void object_without_memory(nb::handle array) {
  array.attr("_live")();
  throw KernelRuntimeError(fmt::format("{} has no memory that compiled kernels can use", text_of(nb::repr(array))));
}

ArrayHandle* array_handle(PyObject* object) {
  const Classes& c = classes();
  PyTypeObject* type = Py_TYPE(object);
  if (type->tp_base != reinterpret_cast<PyTypeObject*>(c.array.ptr()) && !is_instance(object, c.array)) return nullptr;
  PyObject* handle = *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(object) + c.handle_offset);
  if (!handle || handle == Py_None) {
    object_without_memory(object);
  }
  return nb::inst_ptr<ArrayHandle>(handle);
}

frontend::FunctionSource Objects::source(nb::handle function) {
  nb::tuple origin = nb::cast<nb::tuple>(classes().source_of(function));
  auto file = nb::cast<std::string>(origin[0]);
  auto name = nb::cast<std::string>(origin[2]);
  auto first_line = nb::cast<int32_t>(origin[3]);
  auto found = frontend::find_function_at(parsed(file, nb::cast<std::string>(origin[1])), file, name, first_line);
  if (found) {
    found->method = nb::cast<bool>(origin[4]);
    found->library = nb::cast<bool>(origin[5]);
    found->checks = nb::cast<bool>(origin[6]);
  }
  if (!found) {
    frontend::Diagnostic diagnostic;
    diagnostic.message = "the source of this function is not there any more; the file has changed";
    diagnostic.file = file;
    diagnostic.function = std::move(name);
    diagnostic.line = first_line;
    throw frontend::KernelCompilationError({diagnostic});
  }
  return *std::move(found);
}

Value Objects::func(nb::handle object) {
  auto known = funcs_.find(object.ptr());
  if (known == funcs_.end()) {
    nb::object function = object.attr("_function");
    frontend::Func func;
    frontend::FunctionSource text = source(function);
    text.real = nb::cast<bool>(object.attr("_real"));
    text.top_level = nb::cast<bool>(object.attr("_top_level"));
    func.source = std::make_shared<const frontend::FunctionSource>(std::move(text));
    // Not shared_from_this: then the environment of a func would keep the program's objects alive in a cycle.
    func.environment = std::make_shared<PythonEnvironment>(function, std::shared_ptr<Objects>(this, [](Objects*) {}));
    nb::object gone = nb::cpp_function([objects = weak_from_this(), of = object.ptr()](nb::handle) {
      if (const std::shared_ptr<Objects> alive = objects.lock()) alive->funcs_.erase(of);
    });
    nb::object reference = nb::steal(PyWeakref_NewRef(object.ptr(), gone.ptr()));
    if (!reference.is_valid()) throw nb::python_error();
    known = funcs_.emplace(object.ptr(), std::pair(std::move(reference), std::move(func))).first;
  }
  return known->second.second;
}

frontend::Tuple Objects::tuple(nb::handle object) {
  const Recursion deeper(" in a value for a kernel");
  frontend::Tuple tuple;
  tuple.is_list = PyList_Check(object.ptr());
  for (nb::handle item : object) tuple.items.push_back(to_value(item));
  return tuple;
}

frontend::Dict Objects::dict(nb::handle object) {
  const Recursion deeper(" in a value for a kernel");
  frontend::Dict dict;
  for (auto [key, value] : nb::cast<nb::dict>(object)) {
    dict.keys.push_back(to_value(key));
    dict.values.push_back(to_value(value));
  }
  // The values of a dict are only themselves: reads of templates do not lead through a dict.
  for (Value& value : dict.values) {
    if (auto* inner = std::get_if<frontend::HostObject>(&value)) {
      keep(reinterpret_cast<PyObject*>(inner->id));
      inner->cls = 0;
    }
  }
  return dict;
}

Value Objects::to_value(nb::handle object) {
  const Classes& c = classes();
  PyObject* o = object.ptr();
  if (o == Py_None) return frontend::None{};
  if (PyBool_Check(o)) return o == Py_True;
  if (PyLong_Check(o)) {
    int overflow = 0;
    long long number = PyLong_AsLongLongAndOverflow(o, &overflow);
    if (!overflow) return static_cast<int64_t>(number);
    nb::str digits(nb::steal(PyNumber_ToBase(o, 16)));
    return *frontend::BigInteger::parse(digits.c_str());
  } else if (PyFloat_Check(o)) {
    return PyFloat_AS_DOUBLE(o);
  } else if (PyUnicode_Check(o)) {
    return nb::cast<std::string>(object);
  } else if (PyTuple_Check(o) || PyList_Check(o)) {
    return tuple(object);
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
  } else if (PyDict_Check(o)) {
    return dict(object);
  } else if (is_instance(object, c.field)) {
    return static_cast<qd::Field*>(array_handle(o)->array)->value();
  } else if (is_instance(object, c.array)) {
    Ndarray& array = *array_handle(o)->array;
    return frontend::HostArray{
        reinterpret_cast<uint64_t>(&array),
        {array.type(), static_cast<int32_t>(array.shape().size()), array.element_shape(), array.layout()}};
  } else if (auto compound = compound_value(object)) {
    return std::move(*compound);
  } else if (PyMethod_Check(o) && is_instance(nb::handle(PyMethod_GET_FUNCTION(o)), c.func)) {
    frontend::Func method = std::get<frontend::Func>(func(PyMethod_GET_FUNCTION(o)));
    method.self = std::make_shared<const Value>(to_value(PyMethod_GET_SELF(o)));
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
  if (seen.looked_into)
    return frontend::HostObject{reinterpret_cast<uint64_t>(o),
                                seen.description,
                                Kind::Other,
                                reinterpret_cast<uint64_t>(Py_TYPE(o)),
                                -1,
                                seen.lifts};
  return kept(object, host_object(object));
}

const Objects::ClassView& Objects::view(PyTypeObject* cls) {
  if (auto known = views_.find(cls); known != views_.end()) return known->second;
  ClassView view;  // known when it is complete: Python's code below may let another thread ask
  nb::handle type(reinterpret_cast<PyObject*>(cls));
  keep(type);
  nb::object module = nb::getattr(type, "__module__", nb::str(""));
  const bool own = nb::isinstance<nb::str>(module) && nb::cast<std::string>(module).starts_with("qd.");
  const bool is_enum = PyObject_IsSubclass(type.ptr(), classes().enumeration.ptr()) == 1;
  view.looked_into =
      PyType_HasFeature(cls, Py_TPFLAGS_HEAPTYPE) && !own && !is_enum && !PyType_IsSubtype(cls, &PyType_Type);
  nb::object primitives = nb::getattr(type, "_qd_template_primitives", nb::none());
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
  if (object.cls != 0) return nb::borrow(reinterpret_cast<PyObject*>(object.id));
  auto found = host_objects_.find(object.id);
  if (found == host_objects_.end()) throw std::invalid_argument(object.description);
  return found->second;
}

nb::object Objects::to_object(const Value& value) {
  return std::visit(
      syntax::overloaded{
          [](const frontend::None&) -> nb::object { return nb::none(); },
          [](bool b) -> nb::object { return nb::bool_(b); },
          [](int64_t i) -> nb::object { return nb::int_(i); },
          [](const frontend::BigInteger& big) -> nb::object {
            return nb::steal(PyLong_FromString(big.text().c_str(), nullptr, 10));
          },
          [](double d) -> nb::object { return nb::float_(d); },
          [](const std::string& s) -> nb::object { return nb::str(s.c_str(), s.size()); },
          [](ir::Type type) -> nb::object {
            return nb::module_::import_("qd._dtypes").attr(std::string(ir::name(type)).c_str());
          },
          [&](const frontend::HostObject& o) { return object_of(o); },
          [&](const frontend::Tuple& tuple) -> nb::object {
            nb::list items;
            for (const Value& item : tuple.items) items.append(to_object(item));
            if (tuple.is_list) return items;
            return nb::tuple(items);
          },
          [&](const frontend::Dict& dict) -> nb::object {
            nb::dict items;
            for (size_t i = 0; i < dict.keys.size(); ++i) items[to_object(dict.keys[i])] = to_object(dict.values[i]);
            return items;
          },
          [](const frontend::HostArray&) -> nb::object { throw std::invalid_argument("an ndarray"); },
          [&](const frontend::Func& func) -> nb::object {
            for (auto& [object, known] : funcs_) {
              if (known.second.source == func.source && known.second.environment == func.environment)
                return nb::borrow(object);
            }
            throw std::invalid_argument("a func");
          },
          [](const frontend::Builtin& builtin) -> nb::object {
            for (auto& [object, name] : classes().builtins) {
              if (name == builtin.name) return nb::borrow(object);
            }
            throw std::invalid_argument(builtin.name);
          },
          [&](const frontend::CompoundType& type) -> nb::object {
            if (type.structure && type.structure->id != 0) return object_of({type.structure->id, ""});
            throw std::invalid_argument("a type");
          },
          [&](const frontend::ConstantTensor& tensor) -> nb::object {
            nb::list rows;
            const size_t width = static_cast<size_t>(tensor.shape.back());
            for (size_t i = 0; i < tensor.numbers.size(); i += width) {
              nb::list row;
              for (size_t k = i; k < i + width; ++k) row.append(to_object(tensor.numbers[k]));
              rows.append(row);
            }
            nb::object dtype = nb::module_::import_("qd._dtypes").attr(std::string(ir::name(tensor.type)).c_str());
            return classes().matrix(tensor.shape.size() == 2 ? nb::object(rows) : nb::object(rows[0]), dtype);
          },
          [](const frontend::ConstantStruct&) -> nb::object { throw std::invalid_argument("a struct"); },
          [](const frontend::HostField& field) -> nb::object { throw std::invalid_argument("a field"); },
      },
      static_cast<const Value::variant&>(value));
}

PythonEnvironment::PythonEnvironment(nb::object function, std::shared_ptr<Objects> objects)
    : function_(std::move(function)), objects_(std::move(objects)) {}

PythonEnvironment::~PythonEnvironment() {
  GilAcquire gil;
  names_.clear();
  function_.reset();
  objects_.reset();
}

std::optional<Value> PythonEnvironment::lookup(std::string_view name) {
  GilAcquire gil;
  return asked([&]() -> std::optional<Value> {
    if (auto known = names_.find(name); known != names_.end()) return known->second.value;
    nb::object found = classes().lookup(function_, nb::str(name.data(), name.size()));
    Name made;
    if (!found.is(classes().missing)) {
      hold(found, made.held);
      made.value = objects_->to_value(found);
    }
    return names_.emplace(name, std::move(made)).first->second.value;  // another thread may have looked it up meanwhile
  });
}

std::optional<Value> PythonEnvironment::attribute(const frontend::HostObject& object, std::string_view name) {
  GilAcquire gil;
  return asked([&]() -> std::optional<Value> {
    if (auto module = objects_->language_names.find(object.id); module != objects_->language_names.end()) {
      if (auto known = module->second.find(name); known != module->second.end()) return known->second;
    }
    nb::object owner = objects_->object_of(object);
    if (object.cls != 0) objects_->keep_while_compiling(owner);  // what is read of it may be no more than this object's
    nb::str key(name.data(), name.size());
    nb::object found = nb::steal(PyObject_GetAttr(owner.ptr(), key.ptr()));
    if (!found.is_valid()) forget_error();
    if (found.is_valid()) {
      Value value = objects_->to_value(found);
      if (PyModule_Check(owner.ptr()) &&
          (std::holds_alternative<frontend::Builtin>(value) || std::holds_alternative<ir::Type>(value))) {
        objects_->language_names[object.id].emplace(name, value);
      }
      if (auto* inner = std::get_if<frontend::HostObject>(&value); inner && inner->cls != 0)
        objects_->keep_while_compiling(found);
      if (std::holds_alternative<frontend::Func>(value)) objects_->keep_while_compiling(found);
      if (auto* func = std::get_if<frontend::Func>(&value);
          func && func->self && PyMethod_Check(found.ptr()) && PyMethod_GET_SELF(found.ptr()) == owner.ptr()) {
        func->self = std::make_shared<const Value>(object);
      }
      return value;
    }
    nb::object language = nb::module_::import_("qd");
    bool not_yet = owner.is(language) && PySequence_Contains(language.attr("DECLINED").ptr(), key.ptr()) == 1;
    if (!not_yet) return std::nullopt;
    return objects_->kept(key, {reinterpret_cast<uint64_t>(key.ptr()), fmt::format("qd.{}", name), Kind::NotYet});
  });
}

std::optional<Value> PythonEnvironment::subscript(const frontend::HostObject& object, const Value& index) {
  GilAcquire gil;
  return asked([&]() -> std::optional<Value> {
    try {
      nb::object found =
          nb::steal(PyObject_GetItem(objects_->object_of(object).ptr(), objects_->to_object(index).ptr()));
      if (found.is_valid()) return objects_->to_value(found);
    } catch (const std::invalid_argument&) {
      return std::nullopt;
    }
    forget_error();
    return std::nullopt;
  });
}

std::optional<Value> PythonEnvironment::as_func(const frontend::HostObject& function, bool real) {
  GilAcquire gil;
  return asked([&]() -> std::optional<Value> {
    nb::object given = objects_->object_of(function);
    if (!PyFunction_Check(given.ptr())) return std::nullopt;
    auto known = objects_->funcs_of_functions.find({function.id, real});
    if (known == objects_->funcs_of_functions.end()) {
      nb::object made = nb::module_::import_("qd").attr(real ? "real_func" : "func")(given);
      // The same func each time, also when another thread has made one meanwhile.
      known = objects_->funcs_of_functions.try_emplace({function.id, real}, std::move(made)).first;
    }
    return objects_->to_value(known->second);
  });
}

std::optional<frontend::ClassMember> PythonEnvironment::member(const frontend::HostObject& cls, std::string_view name,
                                                               const frontend::HostObject* after) {
  GilAcquire gil;
  return asked([&]() -> std::optional<frontend::ClassMember> {
    nb::object given = objects_->object_of(cls), behind = after ? objects_->object_of(*after) : nb::object(nb::none());
    nb::object found =
        nb::module_::import_("qd._members").attr("member")(given, nb::str(name.data(), name.size()), behind);
    if (found.is_none()) return std::nullopt;
    using Kind = frontend::ClassMember::Kind;
    static constexpr std::pair<std::string_view, Kind> kKinds[] = {{"constant", Kind::Constant},
                                                                   {"method", Kind::Method},
                                                                   {"static", Kind::Static},
                                                                   {"class", Kind::OfClass},
                                                                   {"property", Kind::Property}};
    const auto kind = nb::cast<std::string>(found[0]);
    frontend::ClassMember member;
    for (const auto& [text, known] : kKinds) {
      if (text == kind) member.kind = known;
    }
    nb::object value = found[1], setter = found[2];
    member.value = objects_->to_value(value);
    if (auto* object = std::get_if<frontend::HostObject>(&member.value); object && object->cls != 0)
      objects_->keep(value);
    if (!setter.is_none()) member.setter = objects_->to_value(setter);
    return member;
  });
}

namespace {

/// The error that Python has set, as a message, and cleared. One that ends the program is thrown.
std::string taken_error() {
  if (!PyErr_ExceptionMatches(PyExc_Exception)) throw nb::python_error();
  nb::python_error error;
  const std::string kind = text_of(error.type().attr("__name__")), what = text_of(error.value());
  return what.empty() ? kind : fmt::format("{}: {}", kind, what);
}

}  // namespace

frontend::HostResult PythonEnvironment::call(const frontend::HostCall& call) {
  GilAcquire gil;
  return asked([&]() -> frontend::HostResult {
    nb::object callee, given, named;
    try {
      callee = objects_->to_object(call.callee);
      given = objects_->to_object(frontend::Tuple{call.arguments});
      named = nb::dict();
      for (const auto& [name, argument] : call.named) named[name.c_str()] = objects_->to_object(argument);
    } catch (const std::invalid_argument&) {
      return {};
    }
    if (!call.method.empty()) callee = nb::steal(PyObject_GetAttrString(callee.ptr(), call.method.c_str()));
    nb::object result;
    if (callee.is_valid()) result = nb::steal(PyObject_Call(callee.ptr(), given.ptr(), named.ptr()));
    if (!result.is_valid()) return {{}, taken_error()};
    Value value = objects_->to_value(result);
    if (auto* object = std::get_if<frontend::HostObject>(&value); object && object->cls != 0) objects_->keep(result);
    return {std::move(value), {}};
  });
}

}  // namespace qd::python
