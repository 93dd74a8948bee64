#include "runtime/python/kept_arguments.h"

#include <algorithm>
#include <utility>

#include "runtime/frontend/interface/template_reads.h"
#include "runtime/python/launch_scope.h"

namespace qd::python {

using frontend::Parameter;
using frontend::ParameterTree;

namespace {

uint64_t arrays_changed = 0;

bool is_number(PyObject* object) {
  return object == Py_None || PyLong_CheckExact(object) || PyFloat_CheckExact(object) || PyBool_Check(object) ||
         is_instance(object, classes().numpy_generic);
}

PyObject* slot_of(PyObject* object, Py_ssize_t offset) {
  return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(object) + offset);
}

/// Whether two arguments are the same template: a value, an array, or an object, whatever its attributes are now.
bool is_same_template(const Argument& a, const Argument& b) {
  using namespace frontend;
  auto* one = std::get_if<Value>(&a);
  auto* other = std::get_if<Value>(&b);
  if (!one || !other || !same_value(*one, *other)) return false;
  if (auto* object = std::get_if<HostObject>(one)) return object->id == std::get<HostObject>(*other).id;
  if (auto* array = std::get_if<HostArray>(one)) return array->id == std::get<HostArray>(*other).id;
  // Containers may hold other objects of the same classes.
  return std::holds_alternative<None>(*one) || std::holds_alternative<bool>(*one) ||
         std::holds_alternative<int64_t>(*one) || std::holds_alternative<double>(*one) ||
         std::holds_alternative<HostField>(*one);
}

/// Looks up the names of an instance's parts in its dict. They mostly stand there in their order, which saves the
/// search.
class Items {
 public:
  explicit Items(PyObject* dict) : dict_(dict) {}
  /// The item of a name, not owned; null when there is none.
  PyObject* of(PyObject* name) {
    PyObject *key = nullptr, *item = nullptr;
    while (in_order_ && PyDict_Next(dict_, &position_, &key, &item)) {
      if (key == name) return item;
    }
    in_order_ = false;
    return PyDict_GetItem(dict_, name);
  }

 private:
  PyObject* dict_;
  Py_ssize_t position_ = 0;
  bool in_order_ = true;
};

}  // namespace

void array_has_changed() { ++arrays_changed; }
uint64_t array_changes() { return arrays_changed; }

KeptCall::KeptCall(const Kernel& kernel, PyObject* const* args, CallArguments& call)
    : kernel_(kernel), arrays_changed_(arrays_changed), arrays_ended_(arrays_ended()) {
  // Versions are read before leaves: code of the program may run meanwhile.
  const std::vector<ParameterTree>& trees = kernel.signature().trees;
  for (size_t i = 0; i < trees.size(); ++i) {
    if (trees[i].form != ParameterTree::Form::Dataclass || !add_instance(trees[i], args[i], i))
      parameters_.push_back({&trees[i], i, {}, false, {}});
  }
  for (size_t i = 0; i < trees.size(); ++i) call.add(trees[i], args[i]);
  bound.arguments = call.leaves();
}

/// Adds an instance and the instances in it. False, and nothing is added, when it cannot be kept.
bool KeptCall::add_instance(const ParameterTree& tree, PyObject* object, size_t parameter) {
  const std::optional<ObjectVersion> version = ObjectVersion::of(object);
  if (!version) return false;
  Instance added{{}, parameter, object, *version, {}, {}, {}};
  if (parameter != kNone) {
    added.reference = nb::steal(PyWeakref_NewRef(object, nullptr));
    if (!added.reference.is_valid()) return PyErr_Clear(), false;
  }
  const size_t number = instances_.size();
  instances_.push_back(std::move(added));
  for (const ParameterTree& part : tree.parts) {
    nb::object name = nb::steal(PyUnicode_InternFromString(part.name.c_str()));
    PyObject* const item =
        is_property(version->type(), name.ptr()) ? nullptr : PyDict_GetItem(version->dict(), name.ptr());
    if (item && part.form == ParameterTree::Form::Dataclass && add_instance(part, item, kNone)) {
      instances_[number].parts.emplace_back(std::move(name), item);
      continue;
    }
    Instance& instance = instances_[number];
    Leaf leaf{&part, kNone, std::move(name), item != nullptr, item ? fixed_of(part, item) : Fixed{}};
    if (!leaf.fixed.is_known()) instance.changing.push_back(instance.leaves.size());
    instance.leaves.push_back(std::move(leaf));
  }
  return true;
}

KeptCall::Fixed KeptCall::fixed_of(const ParameterTree& tree, PyObject* object) const {
  if (tree.form != ParameterTree::Form::Leaf || tree.count != 1) return {};
  const Parameter::Kind kind = kernel_.signature().parameters[tree.first].kind;
  if (kind != Parameter::Kind::Array && is_number(object)) return {nb::borrow(object)};
  if (kind == Parameter::Kind::Scalar) return {};
  const Classes& c = classes();
  PyObject* const inner = inherits(object, c.tensor) ? slot_of(object, c.tensor_offset) : nullptr;
  PyObject* const array = inner ? inner : object;
  if (!inherits(array, c.array)) return {};
  PyObject* const handle = slot_of(array, c.handle_offset);
  if (!handle || handle == Py_None) return {};
  return {{}, object, Py_TYPE(object), inner};
}

bool KeptCall::is_for(PyObject* const* args) const {
  return std::ranges::all_of(instances_, [&](const Instance& instance) {
    return instance.parameter == kNone || (instance.object == args[instance.parameter] &&
                                           PyWeakref_GET_OBJECT(instance.reference.ptr()) == instance.object);
  });
}

bool KeptCall::refresh(PyObject* const* args, CallArguments& call) {
  if (arrays_changed_ != arrays_changed) return false;
  for (Instance& instance : instances_) {
    if (!refresh(instance, call)) return false;
  }
  arrays_ended_ = arrays_ended();
  for (const Leaf& leaf : parameters_) read(*leaf.tree, args[leaf.parameter], call);
  return true;
}

bool KeptCall::refresh(Instance& instance, CallArguments& call) {
  if (!instance.version.has_class_and_dict(instance.object)) return false;
  if (!instance.version.items_hold()) {
    ObjectVersion now = instance.version;
    now.take_items();
    for (const auto& [name, part] : instance.parts) {
      if (PyDict_GetItem(now.dict(), name.ptr()) != part) return false;
    }
    if (!read_changed(instance, call)) return false;
    instance.version = now;
  }
  for (size_t number : instance.changing) {
    const Leaf& leaf = instance.leaves[number];
    const nb::object member = nb::getattr(nb::handle(instance.object), leaf.name);
    call.keep(member);
    read(*leaf.tree, member.ptr(), call);
  }
  return true;
}

/// Reads the fixed leaves of an instance whose objects have others in their places.
bool KeptCall::read_changed(Instance& instance, CallArguments& call) {
  instance.changing.clear();
  Items items(instance.version.dict());
  for (size_t number = 0; number < instance.leaves.size(); ++number) {
    Leaf& leaf = instance.leaves[number];
    PyObject* const item = leaf.is_item ? items.of(leaf.name.ptr()) : nullptr;
    if (leaf.is_item && !item) return false;  // the class may give it now
    if (item && is_same(leaf.fixed, item)) continue;
    leaf.fixed = item ? fixed_of(*leaf.tree, item) : Fixed{};
    if (leaf.fixed.is_known()) {
      call.keep(nb::borrow(item));
      read(*leaf.tree, item, call);
    } else {
      instance.changing.push_back(number);
    }
  }
  return true;
}

bool KeptCall::is_same(const Fixed& fixed, PyObject* object) const {
  if (fixed.number.is_valid()) return fixed.number.ptr() == object;
  if (fixed.array != object || Py_TYPE(object) != fixed.type || arrays_ended_ != arrays_ended()) return false;
  return !fixed.inner || slot_of(object, classes().tensor_offset) == fixed.inner;
}

/// Reads leaves, in place of those of the last call.
void KeptCall::read(const ParameterTree& tree, PyObject* object, CallArguments& call) {
  const size_t before = call.leaves().size();
  call.add(tree, object);
  for (size_t i = before; i < call.leaves().size(); ++i) {
    const size_t number = tree.first + i - before;
    if (is_same_template(bound.arguments[number], call.leaves()[i])) continue;
    bound.arguments[number] = call.leaves()[i];
    bound.changed.push_back(static_cast<uint32_t>(number));
  }
}

bool KeptCalls::wanted(const Kernel& kernel) {
  if (!wanted_) {
    wanted_ = std::ranges::any_of(kernel.signature().trees, [](const ParameterTree& tree) {
      return tree.form == ParameterTree::Form::Dataclass;
    });
  }
  return *wanted_;
}

std::shared_ptr<KeptCall> KeptCalls::find(PyObject* const* args) const {
  const auto found = std::ranges::find_if(calls_, [&](const auto& call) { return call->is_for(args); });
  return found == calls_.end() ? nullptr : *found;
}

void KeptCalls::add(std::shared_ptr<KeptCall> call) {
  if (calls_.size() == kMost) calls_.pop_back();
  calls_.insert(calls_.begin(), std::move(call));
}

void KeptCalls::remove(const KeptCall& call) {
  std::erase_if(calls_, [&](const auto& kept) { return kept.get() == &call; });
}

}  // namespace qd::python
