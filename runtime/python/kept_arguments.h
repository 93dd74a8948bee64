// Kept arguments: the leaves of dataclass arguments, from one call of a kernel to the next.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/launch/bound_arguments.h"
#include "runtime/python/call_arguments.h"
#include "runtime/python/object_version.h"

namespace qd::python {

/// The arguments of calls with the same dataclass instances. For example:
///
///     step(state, params, dt)   # state and params have hundreds of tensors: all are read
///     state.grid = other
///     step(state, params, dt)   # `grid` and `dt` are read
///
/// An instance tells by its version that something has changed (ObjectVersion). Objects that may change
/// themselves are read at each call: numpy arrays, vectors, containers, and parts that a property or a class gives.
/// Instances are known by weak references, and no array is kept alive.
class KeptCall {
 public:
  /// Reads all leaves through `call`. `args`: in the order of the parameters.
  KeptCall(const Kernel& kernel, PyObject* const* args, CallArguments& call);
  KeptCall(const KeptCall&) = delete;
  KeptCall& operator=(const KeptCall&) = delete;

  /// Whether there are instances that can be kept.
  bool has_instances() const { return !instances_.empty(); }
  /// Whether the dataclass instances of a call are those of this one.
  bool is_for(PyObject* const* args) const;
  /// Reads the leaves that may have changed through `call`, which keeps the objects that they point to. False: a class
  /// has changed, another instance is a part of one, or an array was destroyed; then a new KeptCall is needed.
  bool refresh(PyObject* const* args, CallArguments& call);

  BoundArguments bound;
  bool in_use = false;  // by a launch of another thread, or one further up the stack

 private:
  /// The object of a leaf, if it is one that cannot change: a number, or an array.
  struct Fixed {
    nb::object number;          // kept alive, so that no other object gets its address
    PyObject* array = nullptr;  // an array or a tensor; not owned: arrays_ended() tells that another one may be there
    PyTypeObject* type = nullptr;
    PyObject* inner = nullptr;  // the array of a tensor
    bool is_known() const { return number.is_valid() || array; }
  };
  /// A part of an instance that is no instance itself, or a parameter that is none.
  struct Leaf {
    const frontend::ParameterTree* tree;
    size_t parameter;  // of a parameter
    nb::object name;   // of a part
    bool is_item;      // of the instance's dict; else the class gives it
    Fixed fixed;
  };
  struct Instance {
    nb::object reference;  // weak, to the argument of a parameter
    size_t parameter;      // kNone: it is a part of another instance
    PyObject* object;      // not owned
    ObjectVersion version;
    std::vector<Leaf> leaves;
    std::vector<size_t> changing;                         // the leaves that are not fixed
    std::vector<std::pair<nb::object, PyObject*>> parts;  // that are instances, by name
  };
  static constexpr size_t kNone = SIZE_MAX;

  bool add_instance(const frontend::ParameterTree& tree, PyObject* object, size_t parameter);
  bool refresh(Instance& instance, CallArguments& call);
  bool read_changed(Instance& instance, CallArguments& call);
  void read(const frontend::ParameterTree& tree, PyObject* object, CallArguments& call);
  bool is_same(const Fixed& fixed, PyObject* object) const;
  Fixed fixed_of(const frontend::ParameterTree& tree, PyObject* object) const;

  const Kernel& kernel_;
  const uint64_t arrays_changed_;
  uint64_t arrays_ended_;
  std::vector<Leaf> parameters_;
  std::vector<Instance> instances_;  // an instance stands before its parts
};

/// The kept calls of one kernel: those with the instances of the latest calls.
class KeptCalls {
 public:
  /// Whether the kernel has parameters that are dataclasses.
  bool wanted(const Kernel& kernel);
  /// The kept call with these instances; null when there is none.
  std::shared_ptr<KeptCall> find(PyObject* const* args) const;
  void add(std::shared_ptr<KeptCall> call);
  void remove(const KeptCall& call);

 private:
  static constexpr size_t kMost = 4;
  std::optional<bool> wanted_;
  std::vector<std::shared_ptr<KeptCall>> calls_;  // the latest first
};

/// Notes that an array was destroyed, or got another gradient or dual.
void array_has_changed();
/// The number of such changes so far.
uint64_t array_changes();

}  // namespace qd::python
