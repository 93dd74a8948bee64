// Arguments of a call, converted into those of the launcher, and results into Python's objects.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "runtime/python/numpy_argument.h"
#include "runtime/python/objects.h"

namespace qd::python {

/// Splits the objects of one call into the leaves of a kernel's signature.
class CallArguments {
 public:
  CallArguments(const std::shared_ptr<Program>& program, Objects& objects, const Kernel& kernel, ir::AutodiffMode mode)
      : program_(program), objects_(objects), kernel_(kernel), mode_(mode) {
    leaves_.reserve(kernel.signature().parameters.size());
  }

  /// Adds the leaves of one parameter. Throws KernelRuntimeTypeError when the object does not fit.
  void add(const frontend::ParameterTree& tree, PyObject* object);
  /// The leaves that have been added.
  const std::vector<Argument>& leaves() const { return leaves_; }
  void clear() { leaves_.clear(); }
  /// Keeps an object until the call is over.
  void keep(nb::object object) { alive_.push_back(std::move(object)); }
  /// Checks the copies against all leaves of the call. Called before the launch.
  void check(const std::vector<Argument>& leaves) { numpy_.check_copies(leaves, kernel_.name()); }
  /// Called after the launch: arrays that had to be copied get their elements back, and other libraries whose arrays
  /// the kernel uses wait for it.
  void finish();

 private:
  void add_leaf(const frontend::Parameter& parameter, PyObject* object);
  void add_tensor(const frontend::ParameterTree& tree, PyObject* object);
  void add_view(const frontend::ParameterTree& tree, nb::handle object);
  void add_struct(const frontend::ParameterTree& tree, nb::handle object);
  Argument scalar(const frontend::Parameter& parameter, PyObject* object);
  Argument array(const frontend::Parameter& parameter, PyObject* object);
  ArrayView foreign_array(const frontend::Parameter& parameter, PyObject* object);
  ArrayView device_array(const nb::tuple& taken);
  std::string where(const std::string& parameter) const;
  [[noreturn]] void mismatch(const frontend::ParameterTree& tree, const std::string& expected, nb::handle got) const;
  std::string path(const frontend::ParameterTree& tree) const;

  const std::shared_ptr<Program>& program_;
  Objects& objects_;
  const Kernel& kernel_;
  const ir::AutodiffMode mode_;
  std::vector<Argument> leaves_;
  std::deque<ArrayView> gradients_;           // to which leaves point
  std::vector<nb::object> alive_;             // the objects to which the leaves point
  std::vector<device::DriverStream> others_;  // streams on which other libraries use arrays of the call
  NumpyArguments numpy_;
};

/// The result of a call: a number, a vector, a matrix, a struct, or a tuple of such.
nb::object result_object(const frontend::Signature& signature, const std::vector<Scalar>& numbers,
                         const Objects& objects);

}  // namespace qd::python
