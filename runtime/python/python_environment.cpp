// Values of the names of a Python function, and answers of the host to the compiler.
#include "runtime/python/objects.h"

#include <fmt/format.h>
#include <nanobind/stl/vector.h>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/python/raise.h"

namespace qd::python {

using frontend::Value;

PythonEnvironment::PythonEnvironment(nb::handle held, std::shared_ptr<Objects> objects)
    : held_(held.ptr()), objects_(std::move(objects)) {}

void PythonEnvironment::release() {
  held_ = nullptr;
  names_.clear();
}

nb::list PythonEnvironment::held() const {
  if (!held_) throw KernelRuntimeError("a func is compiled that is no more");
  return nb::borrow<nb::list>(held_);
}

PythonEnvironment::~PythonEnvironment() {
  GilAcquire gil;
  objects_.reset();
}

std::optional<Value> PythonEnvironment::lookup(std::string_view name) {
  GilAcquire gil;
  return asked([&]() -> std::optional<Value> {
    if (auto known = names_.find(name); known != names_.end()) return known->second;
    nb::list held = this->held();
    nb::object found = classes().lookup(held[0], nb::str(name.data(), name.size()));
    std::optional<Value> value;
    if (!found.is(classes().missing)) {
      std::vector<nb::object> all;
      hold(found, all);
      for (const nb::object& object : all) held.append(object);
      value = objects_->to_value(found, true);
    }
    return names_.emplace(name, std::move(value)).first->second;  // another thread may have looked it up meanwhile
  });
}

std::optional<Value> PythonEnvironment::attribute(const frontend::HostObject& object, std::string_view name) {
  GilAcquire gil;
  return asked([&]() -> std::optional<Value> {
    if (auto module = objects_->language_names.find(object.id); module != objects_->language_names.end()) {
      if (auto known = module->second.find(name); known != module->second.end()) return known->second;
    }
    nb::object owner = objects_->object_of(object);
    if (object.cls != 0) objects_->keep_while_compiling(owner);  // values read from it may belong to this object alone
    nb::str key(name.data(), name.size());
    nb::object found = nb::steal(PyObject_GetAttr(owner.ptr(), key.ptr()));
    if (!found.is_valid()) forget_error();
    if (found.is_valid()) {
      Value value = objects_->to_value(found);
      if (PyModule_Check(owner.ptr()) &&
          (std::holds_alternative<frontend::Builtin>(value) || std::holds_alternative<ir::Type>(value))) {
        objects_->language_names[object.id].emplace(name, value);
      }
      if (auto* inner = std::get_if<frontend::HostObject>(&value); inner && inner->cls != 0)
        objects_->keep_while_compiling(found);
      if (std::holds_alternative<frontend::Func>(value)) objects_->keep_while_compiling(found);
      if (auto* func = std::get_if<frontend::Func>(&value);
          func && func->self && PyMethod_Check(found.ptr()) && PyMethod_GET_SELF(found.ptr()) == owner.ptr()) {
        func->self = std::make_shared<const Value>(object);
      }
      return value;
    }
    nb::object language = nb::module_::import_("qdcov");
    bool not_yet = owner.is(language) && PySequence_Contains(language.attr("DECLINED").ptr(), key.ptr()) == 1;
    if (!not_yet) return std::nullopt;
    return objects_->kept(
        key, {reinterpret_cast<uint64_t>(key.ptr()), fmt::format("qd.{}", name), frontend::HostObject::Kind::NotYet});
  });
}

namespace {

/// near(name, names) of qdcov._near_names; empty where Python cannot tell.
std::string nearest(std::string_view name, const nb::object& names) {
  return nb::cast<std::string>(
      nb::module_::import_("qdcov._near_names").attr("near")(nb::str(name.data(), name.size()), names));
}

}  // namespace

std::string PythonEnvironment::near(std::string_view name, const std::vector<std::string>& names) {
  GilAcquire gil;
  return asked([&] { return nearest(name, nb::cast(names)); });
}

std::string PythonEnvironment::near_name(std::string_view name, const std::vector<std::string>& own) {
  GilAcquire gil;
  return asked([&] {
    nb::list names = nb::cast<nb::list>(nb::module_::import_("qdcov._kernels.source").attr("names")(held()[0]));
    for (const std::string& one : own) names.insert(0, nb::str(one.data(), one.size()));
    return nearest(name, names);
  });
}

std::string PythonEnvironment::near_attribute(const frontend::HostObject& object, std::string_view name) {
  GilAcquire gil;
  return asked([&]() -> std::string {
    nb::object names = nb::steal(PyObject_Dir(objects_->object_of(object).ptr()));
    if (!names.is_valid()) return forget_error(), std::string();
    return nearest(name, names);
  });
}

std::optional<Value> PythonEnvironment::subscript(const frontend::HostObject& object, const Value& index) {
  GilAcquire gil;
  return asked([&]() -> std::optional<Value> {
    try {
      nb::object found = nb::steal(PyObject_GetItem(objects_->object_of(object).ptr(), objects_->index(index).ptr()));
      if (found.is_valid()) return objects_->to_value(found);
    } catch (const std::invalid_argument&) {
      return std::nullopt;
    }
    forget_error();
    return std::nullopt;
  });
}

std::optional<frontend::ClassMember> PythonEnvironment::member(const frontend::HostObject& cls, std::string_view name,
                                                               const frontend::HostObject* after) {
  GilAcquire gil;
  return asked([&]() -> std::optional<frontend::ClassMember> {
    nb::object given = objects_->object_of(cls), behind = after ? objects_->object_of(*after) : nb::object(nb::none());
    nb::object found =
        nb::module_::import_("qdcov._kernels.members").attr("member")(given, nb::str(name.data(), name.size()), behind);
    if (found.is_none()) return std::nullopt;
    using Kind = frontend::ClassMember::Kind;
    static constexpr std::pair<std::string_view, Kind> kKinds[] = {{"constant", Kind::Constant},
                                                                   {"method", Kind::Method},
                                                                   {"static", Kind::Static},
                                                                   {"class", Kind::OfClass},
                                                                   {"property", Kind::Property}};
    const auto kind = nb::cast<std::string>(found[0]);
    frontend::ClassMember member;
    for (const auto& [text, known] : kKinds) {
      if (text == kind) member.kind = known;
    }
    nb::object value = found[1], setter = found[2];
    member.value = objects_->to_value(value);
    if (auto* object = std::get_if<frontend::HostObject>(&member.value); object && object->cls != 0)
      objects_->keep(value);
    if (!setter.is_none()) member.setter = objects_->to_value(setter);
    return member;
  });
}

namespace {

/// The error that Python has set, as a message, and cleared. One that ends the program is thrown.
std::string taken_error() {
  if (!PyErr_ExceptionMatches(PyExc_Exception)) throw nb::python_error();
  nb::python_error error;
  const std::string kind = nb::cast<std::string>(nb::str(error.type().attr("__name__"))),
                    what = nb::cast<std::string>(nb::str(error.value()));
  return what.empty() ? kind : fmt::format("{}: {}", kind, what);
}

}  // namespace

frontend::HostResult PythonEnvironment::as_func(const frontend::HostObject& function, frontend::FuncForm form) {
  GilAcquire gil;
  return asked([&]() -> frontend::HostResult {
    static constexpr const char* kMakers[] = {"func_made_of", "real_func_made_of", "plain_func_of"};
    nb::object make = nb::module_::import_("qdcov._kernels.members").attr(kMakers[static_cast<size_t>(form)]);
    nb::object given = objects_->object_of(function);
    nb::object func = nb::steal(PyObject_CallOneArg(make.ptr(), given.ptr()));
    if (!func.is_valid()) return {{}, taken_error()};
    if (func.is_none()) return {};
    return {objects_->to_value(func), {}};
  });
}

frontend::HostResult PythonEnvironment::call(const frontend::HostCall& call) {
  GilAcquire gil;
  return asked([&]() -> frontend::HostResult {
    nb::object callee, given, named;
    try {
      callee = objects_->to_object(call.callee);
      if (callee.is(nb::module_::import_("builtins").attr("isinstance")) && call.arguments.size() == 2) {
        given = nb::make_tuple(objects_->to_asked(call.arguments[0]), objects_->to_object(call.arguments[1]));
      } else {
        given = objects_->to_object(frontend::Tuple{call.arguments});
      }
      named = nb::dict();
      for (const auto& [name, argument] : call.named) named[name.c_str()] = objects_->to_object(argument);
    } catch (const std::invalid_argument&) {
      return {};
    }
    if (!call.method.empty()) callee = nb::steal(PyObject_GetAttrString(callee.ptr(), call.method.c_str()));
    nb::object result;
    if (callee.is_valid() && call.folds) {
      const nb::object folded = nb::module_::import_("qdcov._execution").attr("folded");
      result = nb::steal(PyObject_CallFunctionObjArgs(folded.ptr(), callee.ptr(), given.ptr(), named.ptr(), nullptr));
    } else if (callee.is_valid()) {
      result = nb::steal(PyObject_Call(callee.ptr(), given.ptr(), named.ptr()));
    }
    if (!result.is_valid()) {
      const bool is_code = call.folds && (PyErr_ExceptionMatches(classes().compilation_error.ptr()) ||
                                          PyErr_ExceptionMatches(classes().runtime_error.ptr()));
      return {{}, taken_error(), is_code};
    }
    Value value = objects_->to_value(result);
    if (auto* object = std::get_if<frontend::HostObject>(&value); object && object->cls != 0) objects_->keep(result);
    return {std::move(value), {}};
  });
}

}  // namespace qd::python
