// Kernels as methods of objects. The time of a launch is the time of this code, too: obj.step(1) makes an object, and
// calls it.
#include "runtime/python/module_parts.h"

#include <structmember.h>

#include <utility>
#include <vector>

namespace qd::python {

namespace bound_kernel {
namespace {

struct BoundKernel {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject* kernel;
  PyObject* instance;
};

BoundKernel* of(PyObject* self) { return reinterpret_cast<BoundKernel*>(self); }

PyTypeObject* bound_type = nullptr;

/// Calls the kernel with the object in front of the arguments.
PyObject* call(PyObject* self, PyObject* const* args, size_t flags, PyObject* names) {
  const size_t count = static_cast<size_t>(PyVectorcall_NARGS(flags));
  if (flags & PY_VECTORCALL_ARGUMENTS_OFFSET) {  // the caller lends the place in front
    PyObject** const all = const_cast<PyObject**>(args) - 1;
    PyObject* const lent = std::exchange(all[0], of(self)->instance);
    PyObject* const result = PyObject_Vectorcall(of(self)->kernel, all, count + 1, names);
    all[0] = lent;
    return result;
  }
  const size_t given = count + (names ? static_cast<size_t>(PyTuple_GET_SIZE(names)) : 0);
  std::vector<PyObject*> all{of(self)->instance};
  all.insert(all.end(), args, args + given);
  return PyObject_Vectorcall(of(self)->kernel, all.data(), count + 1, names);
}

/// Makes one: bound_kernel(kernel, instance).
PyObject* make(PyObject*, PyObject* const* args, Py_ssize_t count) {
  if (count != 2) return PyErr_Format(PyExc_TypeError, "bound_kernel takes a kernel and its object"), nullptr;
  auto* made = PyObject_GC_New(BoundKernel, bound_type);
  if (!made) return nullptr;
  made->vectorcall = call;
  made->kernel = Py_NewRef(args[0]);
  made->instance = Py_NewRef(args[1]);
  PyObject_GC_Track(made);
  return reinterpret_cast<PyObject*>(made);
}

/// Attributes are those of the kernel; its methods get the object as the first argument of a call: obj.step.grad(1).
PyObject* attribute(PyObject* self, PyObject* name) {
  if (PyUnicode_CompareWithASCIIString(name, "__signature__") == 0)
    return PyObject_GetAttrString(of(self)->kernel, "_bound_signature");
  if (PyUnicode_CompareWithASCIIString(name, "__doc__") != 0 &&
      PyUnicode_CompareWithASCIIString(name, "__module__") != 0) {
    PyObject* const own = PyObject_GenericGetAttr(self, name);
    if (own || !PyErr_ExceptionMatches(PyExc_AttributeError)) return own;
    PyErr_Clear();
  }
  const nb::object found = nb::steal(PyObject_GetAttr(of(self)->kernel, name));
  if (!found.is_valid()) return nullptr;
  PyObject* const owner = PyMethod_Check(found.ptr())      ? PyMethod_GET_SELF(found.ptr())
                          : PyCFunction_Check(found.ptr()) ? PyCFunction_GET_SELF(found.ptr())
                                                           : nullptr;
  if (owner != of(self)->kernel) return nb::object(found).release().ptr();
  return PyObject_CallMethod(reinterpret_cast<PyObject*>(Py_TYPE(self)), "_partial", "OO", found.ptr(),
                             of(self)->instance);
}

PyObject* compare(PyObject* a, PyObject* b, int operation) {
  if (Py_TYPE(b) != bound_type || (operation != Py_EQ && operation != Py_NE)) Py_RETURN_NOTIMPLEMENTED;
  const bool equal = of(a)->kernel == of(b)->kernel && of(a)->instance == of(b)->instance;
  return PyBool_FromLong(equal == (operation == Py_EQ));
}

Py_hash_t hash(PyObject* self) {
  const auto found = static_cast<Py_hash_t>(
      (reinterpret_cast<uintptr_t>(of(self)->kernel) ^ reinterpret_cast<uintptr_t>(of(self)->instance)) >> 4);
  return found == -1 ? -2 : found;
}

PyObject* repr(PyObject* self) {
  return PyUnicode_FromFormat("<bound %R of %R>", of(self)->kernel, of(self)->instance);
}

/// A pickle has the object, and the name of the method.
PyObject* reduce(PyObject* self, PyObject*) {
  const nb::object getattr = nb::module_::import_("builtins").attr("getattr");
  const nb::object name = nb::steal(PyObject_GetAttrString(of(self)->kernel, "__name__"));
  if (!name.is_valid()) return nullptr;
  return Py_BuildValue("O(OO)", getattr.ptr(), of(self)->instance, name.ptr());
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(of(self)->kernel);
  Py_VISIT(of(self)->instance);
  return 0;
}

void dealloc(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Py_CLEAR(of(self)->kernel);
  Py_CLEAR(of(self)->instance);
  PyObject_GC_Del(self);
  Py_DECREF(type);
}

PyMethodDef make_function = {"bound_kernel", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(make)),
                             METH_FASTCALL, nullptr};
PyMethodDef kMethods[] = {{"__reduce__", reduce, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
PyMemberDef kMembers[] = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(BoundKernel, vectorcall), READONLY, nullptr},
                          {"__func__", T_OBJECT_EX, offsetof(BoundKernel, kernel), READONLY, nullptr},
                          {"__self__", T_OBJECT_EX, offsetof(BoundKernel, instance), READONLY, nullptr},
                          {nullptr, 0, 0, 0, nullptr}};
PyType_Slot kSlots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
                        {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                        {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                        {Py_tp_getattro, reinterpret_cast<void*>(attribute)},
                        {Py_tp_richcompare, reinterpret_cast<void*>(compare)},
                        {Py_tp_hash, reinterpret_cast<void*>(hash)},
                        {Py_tp_repr, reinterpret_cast<void*>(repr)},
                        {Py_tp_members, kMembers},
                        {Py_tp_methods, kMethods},
                        {0, nullptr}};
PyType_Spec kSpec = {
    "qdcov._native.BoundKernel", sizeof(BoundKernel), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION, kSlots};

}  // namespace
}  // namespace bound_kernel

void add_bound_kernel(nb::module_& module) {
  const nb::object type = nb::steal(PyType_FromSpec(&bound_kernel::kSpec));
  if (!type.is_valid()) throw nb::python_error();
  type.attr("_partial") = nb::module_::import_("functools").attr("partial");
  bound_kernel::bound_type = reinterpret_cast<PyTypeObject*>(nb::object(type).release().ptr());
  module.attr("bound_kernel") = nb::steal(PyCFunction_New(&bound_kernel::make_function, nullptr));
}

}  // namespace qd::python
