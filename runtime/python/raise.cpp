// Table of C++ exceptions, each with its Python exception.
#include "runtime/python/raise.h"

#include <new>
#include <typeinfo>

#include "runtime/launch/read_only_arrays.h"
#include "runtime/python/objects.h"

namespace qd::python {

namespace {

const nb::object& class_of(const frontend::KernelCompilationError& error) {
  const Classes& c = classes();
  switch (error.diagnostics.empty() ? frontend::ErrorKind::Compilation : error.diagnostics.front().kind) {
    case frontend::ErrorKind::Compilation: return c.compilation_error;
    case frontend::ErrorKind::Syntax: return c.syntax_error;
    case frontend::ErrorKind::Type: return c.type_error;
    case frontend::ErrorKind::Name: return c.name_error;
    case frontend::ErrorKind::Index: return c.index_error;
  }
  return c.compilation_error;
}

}  // namespace

void raise_current() noexcept {
  try {
    throw;
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const frontend::KernelCompilationError& error) {
    PyErr_SetString(class_of(error).ptr(), frontend::text_behind_kind(error).c_str());
  } catch (const KernelAssertionError& error) {
    PyErr_SetString(classes().assertion_error.ptr(), error.what());
  } catch (const KernelArgumentError& error) {
    PyErr_SetString(classes().argument_error.ptr(), error.what());
  } catch (const KernelRuntimeTypeError& error) {
    PyErr_SetString(classes().runtime_type_error.ptr(), error.what());
  } catch (const KernelRuntimeError& error) {
    PyErr_SetString(classes().runtime_error.ptr(), error.what());
  } catch (const ReadOnlyArrayError& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const nb::builtin_exception& error) {
    PyErr_SetString(error.type() == nb::exception_type::value_error ? PyExc_ValueError : PyExc_RuntimeError,
                    error.what());
  } catch (const std::bad_alloc& error) {
    // Those of devices say more.
    if (typeid(error) == typeid(std::bad_alloc)) {
      PyErr_NoMemory();
    } else {
      PyErr_SetString(PyExc_MemoryError, error.what());
    }
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

void forget_error() {
  if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception)) throw nb::python_error();
  PyErr_Clear();
}

void throw_again(nb::python_error& error) {
  struct Interrupted : nb::python_error, frontend::HostInterrupted {
    explicit Interrupted(nb::python_error& error) : nb::python_error(std::move(error)) {}
  };
  if (ends_program(error)) throw Interrupted(error);
  throw;
}

}  // namespace qd::python
