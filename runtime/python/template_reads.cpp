// Reads the values of templates again at a launch. A value that can be compared unchanged is not converted.
#include "runtime/frontend/interface/template_reads.h"

#include "runtime/python/objects.h"
#include "runtime/python/raise.h"

namespace qd::python {

using frontend::HostArray;
using frontend::HostObject;
using frontend::TemplateRead;
using frontend::Value;

namespace {

/// A value at this launch: a Python object, or a value that the launch has converted already.
struct Now {
  nb::object object;
  const Value* value = nullptr;
};

class WeakReference : public frontend::Witness {
 public:
  explicit WeakReference(nb::object reference) : reference_(std::move(reference)) {}
  ~WeakReference() override {
    GilAcquire gil;
    reference_.reset();
  }
  bool gone() const override {
    GilAcquire gil;
    return reference_().is_none();
  }

 private:
  nb::object reference_;
};

/// The item of a tuple or list, or the member of an array of structs; null when there is none.
nb::object item_of(PyObject* container, uint32_t item) {
  if (is_instance(container, classes().struct_array)) {
    const nb::list members(nb::handle(container).attr("members").attr("values")());
    return item < members.size() ? nb::object(members[item]) : nb::object();
  }
  if (PyTuple_Check(container) && item < PyTuple_GET_SIZE(container))
    return nb::borrow(PyTuple_GET_ITEM(container, item));
  if (PyList_Check(container) && item < PyList_GET_SIZE(container)) return nb::borrow(PyList_GET_ITEM(container, item));
  return {};
}

/// The number of a Python object, for a value that is passed at each launch. Nothing when it is of another kind than
/// `before`, or too large for it.
std::optional<Value> number(PyObject* object, const Value& before) {
  if (std::holds_alternative<bool>(before))
    return PyBool_Check(object) ? std::optional<Value>(object == Py_True) : std::nullopt;
  if (std::holds_alternative<double>(before))
    return PyFloat_Check(object) ? std::optional<Value>(PyFloat_AS_DOUBLE(object)) : std::nullopt;
  if (!PyLong_Check(object) || PyBool_Check(object)) return std::nullopt;
  int overflow = 0;
  const int64_t now = PyLong_AsLongLongAndOverflow(object, &overflow);
  const bool was_small = static_cast<int32_t>(std::get<int64_t>(before)) == std::get<int64_t>(before);
  const bool is_small = static_cast<int32_t>(now) == now;
  return overflow || was_small != is_small ? std::nullopt : std::optional<Value>(now);
}

/// Whether another object has the identity now that the code depends on.
bool is_gone(const TemplateRead& read) { return read.witness && read.witness->gone(); }

}  // namespace

bool PythonEnvironment::is_enumeration_member(const frontend::HostObject& object, std::string_view name) {
  if (object.kind != frontend::HostObject::Kind::Module && object.kind != frontend::HostObject::Kind::Class)
    return false;
  GilAcquire gil;
  nb::str key(name.data(), name.size());
  nb::object found = nb::steal(PyObject_GetAttr(objects_->object_of(object).ptr(), key.ptr()));
  if (!found.is_valid()) forget_error();
  return found.is_valid() && is_instance(found, classes().enumeration);
}

bool PythonEnvironment::is_method(const HostObject& object, std::string_view name) {
  GilAcquire gil;
  nb::object owner = objects_->object_of(object);
  nb::str key(name.data(), name.size());
  nb::object own = nb::getattr(owner, "__dict__", nb::none());
  if (nb::isinstance<nb::dict>(own) && PyDict_Contains(own.ptr(), key.ptr()) == 1) return false;
  nb::object found = nb::steal(PyObject_GetAttr(owner.ptr(), key.ptr()));
  if (!found.is_valid()) forget_error();
  if (!found.is_valid()) return false;
  if (PyMethod_Check(found.ptr()) || is_bound_kernel(found)) return true;
  const Value value = objects_->to_value(found);
  return std::holds_alternative<frontend::Func>(value) || PyFunction_Check(found.ptr());
}

std::shared_ptr<const frontend::Witness> PythonEnvironment::witness(const HostObject& object) {
  GilAcquire gil;
  nb::object of = objects_->object_of(object);
  nb::object reference = nb::steal(PyWeakref_NewRef(of.ptr(), nullptr));
  if (reference.is_valid()) return std::make_shared<WeakReference>(std::move(reference));
  forget_error();
  objects_->keep(of);
  return nullptr;
}

bool PythonEnvironment::reads_hold(const frontend::TemplateReads& reads, const std::vector<const Value*>& roots,
                                   frontend::TemplateLeaves& leaves) {
  GilAcquire gil;
  std::vector<Now> rows(reads.size());
  std::vector<nb::object> arrays;
  for (size_t i = 0; i < reads.size(); ++i) {
    const TemplateRead& read = reads[i];
    Now& now = rows[i];
    if (read.object < 0) {
      now.value = roots[read.argument];
    } else if (const Now& owner = rows[static_cast<size_t>(read.object)]; owner.value) {
      auto* structure = std::get_if<frontend::ConstantStruct>(owner.value);
      now.value = &(structure ? structure->members : std::get<frontend::Tuple>(*owner.value).items)[read.item];
    } else if (read.attribute.empty()) {
      now.object = item_of(owner.object.ptr(), read.item);
    } else {
      nb::object key = nb::steal(PyUnicode_InternFromString(read.attribute.c_str()));
      now.object = nb::steal(PyObject_GetAttr(owner.object.ptr(), key.ptr()));
      if (!now.object.is_valid()) forget_error();
    }
    if (now.value) {
      // The variant has this kind: the key of the arguments says so.
      if (auto* object = std::get_if<HostObject>(now.value)) {
        if (read.same && (object->id != std::get<HostObject>(read.value).id || is_gone(read))) return false;
        now.object = nb::borrow(reinterpret_cast<PyObject*>(object->id));
        now.value = nullptr;
      } else if (read.array >= 0) {
        leaves.values.push_back(*now.value);
      }
      continue;
    }
    if (!now.object.is_valid()) return false;
    PyObject* object = now.object.ptr();
    if (auto* before = std::get_if<HostObject>(&read.value); before && before->cls != 0) {
      if (reinterpret_cast<uint64_t>(Py_TYPE(object)) != before->cls) return false;
      if (read.same && (reinterpret_cast<uint64_t>(object) != before->id || is_gone(read))) return false;
    } else if (!read.baked && read.param >= 0) {
      auto value = number(object, read.value);
      if (!value) return false;
      leaves.values.push_back(std::move(*value));
    } else if (auto* whole = std::get_if<int64_t>(&read.value); whole && PyLong_CheckExact(object)) {
      int overflow = 0;
      if (PyLong_AsLongLongAndOverflow(object, &overflow) != *whole || overflow) return false;
      if (read.param >= 0) leaves.values.push_back(read.value);
    } else {
      Value value = objects_->to_value(now.object);
      if (!frontend::same_value(value, read.value)) return false;
      if (read.array < 0 && read.param < 0) continue;
      if (read.array >= 0) arrays.push_back(now.object);
      leaves.values.push_back(std::move(value));
    }
  }
  if (!arrays.empty()) {
    // Another thread may release a member while the kernel runs.
    leaves.alive = std::shared_ptr<const void>(new std::vector<nb::object>(std::move(arrays)), [](const void* objects) {
      GilAcquire gil;
      delete static_cast<const std::vector<nb::object>*>(objects);
    });
  }
  return true;
}

}  // namespace qd::python
