// The Python classes that values are recognised by, and the handles in arrays.
#include "runtime/python/objects.h"

#include <fmt/format.h>
#include <structmember.h>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/python/module_parts.h"
#include "runtime/python/raise.h"

namespace qd::python {

bool is_instance(nb::handle object, const nb::object& type) {
  const int answer = PyObject_IsInstance(object.ptr(), type.ptr());
  if (answer < 0) forget_error();
  return answer == 1;
}

bool has_attribute(nb::handle object, const char* name) { return attribute_or(object, name, {}).is_valid(); }

nb::object attribute_or(nb::handle object, const char* name, nb::object otherwise) {
  nb::object found = nb::steal(PyObject_GetAttrString(object.ptr(), name));
  if (found.is_valid()) return found;
  forget_error();
  return otherwise;
}

Classes& classes() {
  static Classes& instance = *new Classes();
  return instance;
}

void load_classes() {
  Classes& c = classes();
  if (c.dtype.is_valid()) return;
  auto import = [](const char* name) { return nb::module_::import_(name); };
  nb::object errors = import("qdcov._errors"), arrays = import("qdcov._arrays.arrays"),
             annotations = import("qdcov._arrays.annotations");
  nb::object decorators = import("qdcov._kernels.decorators"), source = import("qdcov._kernels.source"),
             dtypes = import("qdcov._dtypes"), numpy = import("numpy");
  c.ndarray_annotation = annotations.attr("NDArray");
  c.template_annotation = annotations.attr("Template");
  c.field = arrays.attr("Field");
  c.array = arrays.attr("Array");
  c.func = decorators.attr("Func");
  c.kernel = decorators.attr("Kernel");
  add_kernel_call(decorators);
  c.enumeration = import("enum").attr("Enum");
  c.declined = import("qdcov._declined").attr("Declined");
  c.matrix_type = import("qdcov._values.matrix_type").attr("MatrixType");
  c.struct_type = import("qdcov._values.struct").attr("StructType");
  c.matrix = import("qdcov._values.matrix").attr("Matrix");
  c.structure = import("qdcov._values.struct").attr("Struct");
  c.struct_array = import("qdcov._arrays.struct_arrays").attr("StructArray");
  c.tensor = import("qdcov._arrays.tensor").attr("Tensor");
  c.ndrange = import("qdcov._values.functions").attr("ndrange");
  c.view = import("qdcov._arrays.buffer_view").attr("BufferView");
  c.view_annotation = import("qdcov._arrays.buffer_view").attr("ViewAnnotation");
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
  c.stream_of_call = import("qdcov._kernels.streams").attr("of_call");
  c.log = import("qdcov._log");
  c.compilation_error = errors.attr("KernelCompilationError");
  c.syntax_error = errors.attr("KernelSyntaxError");
  c.type_error = errors.attr("KernelTypeError");
  c.name_error = errors.attr("KernelNameError");
  c.index_error = errors.attr("KernelIndexError");
  c.runtime_error = errors.attr("KernelRuntimeError");
  c.assertion_error = errors.attr("KernelAssertionError");
  c.runtime_type_error = errors.attr("KernelRuntimeTypeError");
  c.argument_error = errors.attr("KernelArgumentError");

  auto offset_of = [](const nb::object& cls, const char* name) {
    const nb::object slot = cls.attr(name);
    if (Py_TYPE(slot.ptr()) != &PyMemberDescr_Type) throw std::logic_error(fmt::format("{} is no slot", name));
    return reinterpret_cast<PyMemberDescrObject*>(slot.ptr())->d_member->offset;
  };
  c.handle_offset = offset_of(c.array, "_handle");
  c.tensor_offset = offset_of(c.tensor, "_impl");

  for (nb::handle entry : import("qdcov._names").attr("language")()) {
    auto name = nb::cast<std::string>(entry[0]);
    nb::object bearer = entry[1];
    if (!frontend::find_builtin(name) || !c.builtins.emplace(bearer.ptr(), name).second) continue;
    bearer.release();  // kept for good: the table goes by identity
  }
  c.dtype = dtypes.attr("DataType");
}

/// Raises the array's own error: that it has no place yet, or is gone.
[[noreturn]] static void object_without_memory(nb::handle array) {
  array.attr("_live")();
  throw KernelRuntimeError(
      fmt::format("{} has no memory that compiled kernels can use", nb::cast<std::string>(nb::repr(array))));
}

bool is_bound_kernel(nb::handle object) {
  nb::object function = attribute_or(object, "__func__", nb::none());
  return is_instance(function, classes().kernel);
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

}  // namespace qd::python
