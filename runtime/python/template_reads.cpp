// The compiler's questions about attributes of templates.
#include "runtime/frontend/interface/template_reads.h"

#include "runtime/python/object_version.h"
#include "runtime/python/objects.h"
#include "runtime/python/raise.h"
#include "runtime/python/template_reader.h"

namespace qd::python {

using frontend::HostObject;
using frontend::Value;

namespace {

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

std::optional<HostObject> PythonEnvironment::method(const HostObject& object, std::string_view name) {
  GilAcquire gil;
  nb::object owner = objects_->object_of(object);
  nb::str key(name.data(), name.size());
  nb::object own = attribute_or(owner, "__dict__", nb::none());
  if (nb::isinstance<nb::dict>(own) && PyDict_Contains(own.ptr(), key.ptr()) == 1) return std::nullopt;
  nb::object found = nb::steal(PyObject_GetAttr(owner.ptr(), key.ptr()));
  if (!found.is_valid()) forget_error();
  if (!found.is_valid()) return std::nullopt;
  const bool bound = PyMethod_Check(found.ptr()) || is_bound_kernel(found) || PyFunction_Check(found.ptr());
  if (!bound && !std::holds_alternative<frontend::Func>(objects_->to_value(found))) return std::nullopt;
  HostObject function;
  function.id = reinterpret_cast<uint64_t>(attribute_of_class(owner.ptr(), key.ptr()));
  return function;
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

std::unique_ptr<frontend::TemplateReader> PythonEnvironment::reader(const frontend::TemplateReads& reads) {
  GilAcquire gil;
  return std::make_unique<TemplateReader>(objects_, reads);
}

}  // namespace qd::python
