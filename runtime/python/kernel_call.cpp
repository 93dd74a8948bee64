// Calls of kernels: qd.Kernel.__call__, grad and resume. A call is native code, so that it takes no frame of Python's:
// it is as fast as the launch itself, and the traceback of an error ends at the line of the call.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "runtime/python/module_parts.h"
#include "runtime/python/raise.h"

namespace qd::python {

namespace kernel_call {
namespace {

PyObject* text(const char* name) { return PyUnicode_InternFromString(name); }

/// Whether all frames of the traceback are the package's, and the error is one of qd's.
bool is_own(PyObject* error, PyObject* trace) {
  return nb::cast<bool>(
      nb::module_::import_("qdcov._errors").attr("is_own_traceback")(nb::handle(error), nb::handle(trace)));
}

/// Takes the frames of the package out of the traceback of the present error, if it is one of qd's. The error of a
/// signal handler that runs meanwhile takes its place.
void shorten_traceback() noexcept {
  PyObject *type = nullptr, *error = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &error, &trace);
  if (trace) {
    PyErr_NormalizeException(&type, &error, &trace);
    try {
      if (is_own(error, trace)) {
        Py_CLEAR(trace);
        PyException_SetTraceback(error, Py_None);
      }
    } catch (nb::python_error& later) {
      if (ends_program(later)) {
        PyException_SetContext(later.value().ptr(), error);
        Py_XDECREF(type);
        Py_XDECREF(trace);
        return later.restore();
      }
    }
  }
  PyErr_Restore(type, error, trace);
}

/// The launcher of a kernel, made at its first call.
nb::object launcher(PyObject* kernel) {
  static PyObject* const launch = text("_launch");
  static PyObject* const made = text("_made");
  nb::object known = nb::steal(PyObject_GetAttr(kernel, launch));
  if (known.is_valid() && known.is_none()) known = nb::steal(PyObject_CallMethodNoArgs(kernel, made));
  return known;
}

PyObject* call(PyObject* kernel, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  const nb::object launch = launcher(kernel);
  PyObject* const result =
      launch.is_valid() ? PyObject_Vectorcall(launch.ptr(), args, static_cast<size_t>(count), names) : nullptr;
  if (!result) shorten_traceback();
  return result;
}

/// A method in Python that launches; only its traceback is shortened.
struct Launching {
  const char* name;
  const char* signature;
  PyObject* function = nullptr;  // of Python
  std::string documentation{};
};

Launching gradient{"grad", "($self, /, *args, **kwargs)"};
Launching resumption{"resume", "($self, /, *args, from_checkpoint, **kwargs)"};

template <Launching& kMethod>
PyObject* launching(PyObject* kernel, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  std::vector<PyObject*> all{kernel};
  all.insert(all.end(), args, args + count + (names ? PyTuple_GET_SIZE(names) : 0));
  PyObject* const result = PyObject_Vectorcall(kMethod.function, all.data(), static_cast<size_t>(count) + 1, names);
  if (!result) shorten_traceback();
  return result;
}

using Call = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);

PyMethodDef method_of(const char* name, Call call) {
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call)), METH_FASTCALL | METH_KEYWORDS,
          nullptr};
}

PyMethodDef method = method_of("__call__", call);
PyMethodDef grad_method = method_of(gradient.name, launching<gradient>);
PyMethodDef resume_method = method_of(resumption.name, launching<resumption>);

nb::object descriptor(PyTypeObject* type, PyMethodDef& method) {
  nb::object made = nb::steal(PyDescr_NewMethod(type, &method));
  if (!made.is_valid()) throw nb::python_error();
  return made;
}

/// Puts native code in the place of a method. The function of Python is kept for ever, as the class is.
void replace(PyTypeObject* type, Launching& launching, PyMethodDef& method) {
  const nb::handle cls(reinterpret_cast<PyObject*>(type));
  nb::object function = cls.attr(launching.name);
  const nb::object text = function.attr("__doc__");  // None with `python -OO`
  launching.documentation = fmt::format("{}{}\n--\n\n{}", launching.name, launching.signature,
                                        text.is_none() ? "" : nb::cast<std::string>(text));
  method.ml_doc = launching.documentation.c_str();
  launching.function = function.release().ptr();
  nb::setattr(cls, launching.name, descriptor(type, method));
}

}  // namespace
}  // namespace kernel_call

void add_kernel_call(const nb::object& decorators) {
  auto* const type = reinterpret_cast<PyTypeObject*>(decorators.attr("Kernel").ptr());
  decorators.attr("call_by")(kernel_call::descriptor(type, kernel_call::method));
  kernel_call::replace(type, kernel_call::gradient, kernel_call::grad_method);
  kernel_call::replace(type, kernel_call::resumption, kernel_call::resume_method);
}

}  // namespace qd::python
