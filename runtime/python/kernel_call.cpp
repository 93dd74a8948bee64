// Calls of kernels: qd.Kernel.__call__. A call is native code, so that it takes no frame of Python's: it is as fast as
// the launch itself, and the traceback of an error ends at the line of the call.
#include "runtime/python/module_parts.h"

namespace qd::python {

namespace kernel_call {
namespace {

PyObject* text(const char* name) { return PyUnicode_InternFromString(name); }

/// Whether all frames of the traceback are the package's, and the error is one of qd's.
bool is_own(PyObject* error, PyObject* trace) noexcept {
  try {
    return nb::cast<bool>(
        nb::module_::import_("qdcov._errors").attr("is_own_traceback")(nb::handle(error), nb::handle(trace)));
  } catch (...) {
    return false;
  }
}

/// Takes the frames of the package out of the traceback of the present error, if it is one of qd's.
void shorten_traceback() {
  PyObject *type = nullptr, *error = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &error, &trace);
  if (trace) {
    PyErr_NormalizeException(&type, &error, &trace);
    if (is_own(error, trace)) {
      Py_CLEAR(trace);
      PyException_SetTraceback(error, Py_None);
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

PyMethodDef method = {"__call__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call)),
                      METH_FASTCALL | METH_KEYWORDS, nullptr};

}  // namespace
}  // namespace kernel_call

void add_kernel_call(const nb::object& decorators) {
  auto* const type = reinterpret_cast<PyTypeObject*>(decorators.attr("Kernel").ptr());
  const nb::object call = nb::steal(PyDescr_NewMethod(type, &kernel_call::method));
  if (!call.is_valid()) throw nb::python_error();
  decorators.attr("call_by")(call);
}

}  // namespace qd::python
