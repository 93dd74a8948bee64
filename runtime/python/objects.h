// Conversion of Python objects to values of the compiler, and back.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <map>
#include <memory>
#include <unordered_map>

#include "runtime/launch/program.h"
#include "runtime/python/gil.h"
#include "runtime/python/launch_scope.h"

namespace qd::python {

namespace nb = nanobind;

/// The text from which kernels of a file are compiled now; null when there are none.
std::shared_ptr<const std::string> compiled_text(const std::string& file);

/// The Python classes by which values are recognised; filled once, when the module is loaded.
struct Classes {
  nb::object dtype, ndarray_annotation, template_annotation, field, array, func, kernel, enumeration, declined;
  nb::object numpy_array, numpy_dtype, numpy_generic, numpy_bool, numpy_integer, numpy_floating, missing;
  nb::object matrix_type, struct_type, matrix, structure, struct_array, tensor, view, view_annotation, ndrange;
  nb::object resolve_dtype, lookup, source_of, stream_of_call, log;
  nb::object compilation_error, syntax_error, type_error, name_error, index_error;
  nb::object runtime_error, assertion_error, runtime_type_error, argument_error;
  /// The names of builtins of the language, by the identity of the objects: functions of qd, of math, and Python's own.
  std::unordered_map<PyObject*, std::string> builtins;
  Py_ssize_t handle_offset = 0;  // of the slot `_handle` in an Array
  Py_ssize_t tensor_offset = 0;  // of the slot `_impl` in a Tensor
};
Classes& classes();
void load_classes();

/// An Ndarray or a Field, whose program stays alive as long as this.
struct ArrayHandle {
  std::shared_ptr<Program> program;
  std::unique_ptr<Ndarray, AfterLaunches> own;     // of an ndarray
  std::unique_ptr<qd::Field, ReleaseField> field;  // of a field
  Ndarray* array = nullptr;
  nb::object gradient = {};  // the handle of an ndarray's gradient, which lives as long
};

/// The handle in a qd.Field or qd.Ndarray; null for other objects. Throws KernelRuntimeError after qd.reset.
ArrayHandle* array_handle(PyObject* object);

/// Whether an object's class is this one, or inherits from it. Runs no code of the program, unlike is_instance.
inline bool inherits(PyObject* object, const nb::object& type) {
  return PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject*>(type.ptr())) != 0;
}
/// Whether an object is a kernel as a method of an object.
bool is_bound_kernel(nb::handle object);
/// Whether an object is a dict, a list or a tuple.
bool is_container(nb::handle object);
/// Adds an object and the items of a container: they live on when they are taken out of it.
void hold(nb::handle object, std::vector<nb::object>& held);

/// Objects that are released on any thread.
struct Compiled {
  std::vector<nb::object> objects;
  ~Compiled() {
    GilAcquire gil;
    objects.clear();
  }
};

class PythonEnvironment;

/// Python objects that one program knows. Needs the GIL.
class Objects : public std::enable_shared_from_this<Objects> {
 public:
  ~Objects();
  /// The value of an object. `held`: the caller keeps the object alive, and the items of containers.
  frontend::Value to_value(nb::handle object, bool held = false);
  nb::object to_object(const frontend::Value& value);
  /// The same for isinstance: a field is one of its class, with its elements, and without memory.
  nb::object to_asked(const frontend::Value& value);
  /// The index between brackets, with slices.
  nb::object index(const frontend::Value& value);
  /// Keeps an object that only Python can read, in its form for kernels. The object lives as long as this.
  frontend::HostObject kept(nb::handle object, frontend::HostObject seen);
  nb::object object_of(const frontend::HostObject& object) const;
  /// The source of a kernel's or func's Python function.
  static frontend::FunctionSource source(nb::handle function);
  /// Names of the language in modules, such as qd.sin. Kernels read them at every use, and they do not change.
  std::unordered_map<uint64_t, std::map<std::string, frontend::Value, std::less<>>> language_names;
  /// Keeps an object as long as the program.
  void keep(nb::handle object) {
    host_objects_.try_emplace(reinterpret_cast<uint64_t>(object.ptr()), nb::borrow(object));
  }
  /// The objects that kernels read while they are compiled now. They live as long as the result.
  std::shared_ptr<Compiled> compiling();
  /// Keeps an object as long as the kernels that are compiled now; if there are none, as long as the program.
  void keep_while_compiling(nb::handle object);

 private:
  frontend::Value func(nb::handle object);
  /// Takes a func out of the table: the func is no more, or this is.
  void forget(PyObject* func);
  frontend::Tuple tuple(nb::handle object, bool held);
  /// The class of a named tuple; null for other objects.
  std::shared_ptr<const frontend::TupleClass> tuple_class(nb::handle object);
  frontend::Dict dict(nb::handle object, bool held);
  // compound_values.cpp
  frontend::CompoundType tensor_type(nb::handle type);
  std::shared_ptr<const frontend::StructType> struct_type(nb::handle type);
  void fill(frontend::StructType& made, nb::handle type);
  frontend::Value array_annotation(nb::handle annotation);
  /// The value of a vector, a matrix, a struct, or a type of such; nothing for other objects.
  std::optional<frontend::Value> compound_value(nb::handle object);
  /// View of a class, for its instances in kernels.
  struct ClassView {
    bool looked_into = false;  // attributes of an instance are read; else only its identity counts
    bool decides = false;      // whether the class alone decides that an instance is such an object
    bool lifts = false;
    std::string description;
  };
  /// The value of an instance whose attributes are read.
  static frontend::Value instance(PyObject* object, const ClassView& seen);
  const ClassView& view(PyTypeObject* cls);
  /// The view of a class that decides; null for a class that is not known yet, or does not.
  const ClassView* deciding_view(PyTypeObject* cls) const;

  std::unordered_map<uint64_t, nb::object> host_objects_;  // keeps them alive: an identity is never reused
  /// A func, and a weak reference, which takes the row out when the func is no more.
  struct KnownFunc {
    nb::object reference;
    frontend::Func func;
    std::shared_ptr<PythonEnvironment> environment;
  };
  std::unordered_map<PyObject*, KnownFunc> funcs_;
  std::weak_ptr<Compiled> compiled_;
  std::unordered_map<PyTypeObject*, ClassView> views_;
  std::unordered_map<PyObject*, std::shared_ptr<const frontend::StructType>> structures_;
};

/// The closure, globals and builtins of a Python function. Each name is looked up once: a later change has no effect on
/// a kernel. Their objects live as long as this is used, by references that Python's garbage collector
/// sees: an object may hold the kernel that has captured it.
class PythonEnvironment : public frontend::Environment {
 public:
  /// `held`: a list that begins with the function, and gets the objects of names. Not owned: the kernel or the func
  /// owns it, and calls release() when it is no more.
  PythonEnvironment(nb::handle held, std::shared_ptr<Objects> objects);
  ~PythonEnvironment() override;
  void release();

  std::optional<frontend::Value> lookup(std::string_view name) override;
  std::optional<frontend::Value> attribute(const frontend::HostObject& object, std::string_view name) override;
  std::optional<frontend::Value> subscript(const frontend::HostObject& object, const frontend::Value& index) override;
  std::string near(std::string_view name, const std::vector<std::string>& names) override;
  std::string near_name(std::string_view name, const std::vector<std::string>& own) override;
  std::string near_attribute(const frontend::HostObject& object, std::string_view name) override;
  frontend::HostResult call(const frontend::HostCall& call) override;
  std::optional<frontend::ClassMember> member(const frontend::HostObject& cls, std::string_view name,
                                              const frontend::HostObject* after) override;
  frontend::HostResult as_func(const frontend::HostObject& function, frontend::FuncForm form) override;
  // template_reads.cpp
  bool is_enumeration_member(const frontend::HostObject& object, std::string_view name) override;
  std::optional<frontend::HostObject> method(const frontend::HostObject& object, std::string_view name) override;
  std::shared_ptr<const frontend::Witness> witness(const frontend::HostObject& object) override;
  std::shared_ptr<const void> compiling() override { return objects_->compiling(); }
  std::unique_ptr<frontend::TemplateReader> reader(const frontend::TemplateReads& reads) override;

 private:
  /// The list. Throws when it is gone.
  nb::list held() const;

  PyObject* held_;
  std::shared_ptr<Objects> objects_;
  std::map<std::string, std::optional<frontend::Value>, std::less<>> names_;
};

/// Questions that may run code of the program, and signal handlers in it. An error is the answer no, or the default;
/// errors that end the program are thrown (forget_error).
///
/// Whether isinstance(object, type) is true.
bool is_instance(nb::handle object, const nb::object& type);
bool has_attribute(nb::handle object, const char* name);
nb::object attribute_or(nb::handle object, const char* name, nb::object otherwise);

}  // namespace qd::python
