// Converts Python's vectors, matrices, structs and their types to values of the compiler.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "runtime/python/objects.h"
#include "runtime/python/raise.h"

namespace qd::python {

using frontend::Value;

namespace {

struct StructInMaking {
  const Objects* objects;
  nb::object type;
  std::shared_ptr<frontend::StructType> made;
};

}  // namespace

frontend::CompoundType Objects::tensor_type(nb::handle type) {
  frontend::CompoundType result;
  if (!is_instance(type, classes().matrix_type) || !type.attr("_known")().is_none())
    result.type = ir::type_from_name(nb::cast<std::string>(type.attr("dtype").attr("name")));
  result.shape.push_back(nb::cast<int32_t>(type.attr("n")));
  if (nb::cast<int>(type.attr("ndim")) == 2) result.shape.push_back(nb::cast<int32_t>(type.attr("m")));
  return result;
}

std::shared_ptr<const frontend::StructType> Objects::struct_type(nb::handle type) {
  if (auto known = structures_.find(type.ptr()); known != structures_.end()) return known->second;
  // The types that this thread makes now, outermost first: a member may name the type that it belongs to. Other
  // threads, which Python lets run meanwhile, see a type when it and all that it leads to are complete.
  static thread_local std::vector<StructInMaking> in_making;
  for (const StructInMaking& other : in_making) {
    if (other.objects == this && other.type.is(type)) return other.made;
  }
  const size_t first = in_making.size();
  auto made = std::make_shared<frontend::StructType>();
  in_making.push_back({this, nb::borrow(type), made});
  try {
    fill(*made, type);
  } catch (...) {
    in_making.resize(first);
    throw;
  }
  if (first > 0) return made;
  for (const StructInMaking& complete : std::exchange(in_making, {})) {
    keep(complete.type);
    structures_.try_emplace(complete.type.ptr(), complete.made);  // another thread may have made it meanwhile
  }
  return structures_.at(type.ptr());
}

void Objects::fill(frontend::StructType& made, nb::handle type) {
  made.id = reinterpret_cast<uint64_t>(type.ptr());
  made.dataclass = PyType_Check(type.ptr());
  made.name = nb::cast<std::string>(type.attr(made.dataclass ? "__name__" : "name"));
  nb::object members = made.dataclass ? nb::module_::import_("qdcov._kernels.source").attr("evaluated_members")(type)
                                      : nb::object(type.attr("members"));
  for (auto [name, annotation] : nb::cast<nb::dict>(members)) {
    made.names.push_back(nb::cast<std::string>(name));
    made.types.push_back(to_value(annotation));
  }
  if (made.dataclass) return;
  for (auto [name, method] : nb::cast<nb::dict>(type.attr("methods"))) {
    const bool decorated = is_instance(method, classes().func);
    try {
      nb::object known = nb::module_::import_("qdcov._kernels.members").attr("func_of")(method);
      made.methods.emplace_back(nb::cast<std::string>(name), std::get<frontend::Func>(func(known)));
    } catch (const frontend::KernelCompilationError&) {
      if (decorated) throw;  // other classes without a source are the host's alone
    } catch (nb::python_error& error) {
      if (decorated || ends_program(error)) throw;
    }
  }
  nb::dict defaults = nb::cast<nb::dict>(type.attr("defaults"));
  if (defaults.size() == 0) return;
  for (const std::string& name : made.names) {
    if (defaults.contains(name.c_str())) {
      made.defaults.emplace_back(to_value(defaults[name.c_str()]));
    } else {
      made.defaults.emplace_back(std::nullopt);
    }
  }
}

Value Objects::array_annotation(nb::handle annotation) {
  nb::object dtype = annotation.attr("dtype"), shape = annotation.attr("element_shape"),
             structure = annotation.attr("struct");
  Value element = structure.is_none() ? to_value(dtype) : to_value(structure);
  if (!shape.is_none() && nb::len(shape) > 0) {
    frontend::CompoundType tensor;
    if (auto* type = std::get_if<ir::Type>(&element)) tensor.type = *type;
    for (nb::handle extent : shape) tensor.shape.push_back(nb::cast<int32_t>(extent));
    element = std::move(tensor);
  }
  return frontend::Tuple{{Value(frontend::Builtin{"types.ndarray"}), std::move(element),
                          to_value(annotation.attr("ndim")), to_value(annotation.attr("needs_grad")),
                          to_value(annotation.attr("boundary"))}};
}

std::optional<Value> Objects::compound_value(nb::handle object) {
  const Classes& c = classes();
  if (is_instance(object, c.tensor)) return to_value(object.attr("_unwrap")());
  // The annotation of a parameter. The call decides whether it is a field or an ndarray.
  if (object.is(c.tensor)) return Value(frontend::Builtin{"Tensor"});
  if (is_instance(object, c.matrix_type)) return Value(tensor_type(object));
  if (is_instance(object, c.struct_type)) return Value(frontend::CompoundType{std::nullopt, {}, struct_type(object)});
  if (PyType_Check(object.ptr()) && has_attribute(object, "__dataclass_fields__"))
    return Value(frontend::CompoundType{std::nullopt, {}, struct_type(object)});
  if (is_instance(object, c.matrix)) {
    frontend::CompoundType type = tensor_type(object);
    frontend::ConstantTensor tensor{*type.type, type.shape, {}};
    for (nb::handle number : object.attr("_values").attr("ravel")()) tensor.numbers.push_back(to_value(number));
    return Value(std::move(tensor));
  }
  const bool array = is_instance(object, c.struct_array);
  if (!array && !is_instance(object, c.structure)) return std::nullopt;
  nb::object type = object.attr("_type");
  frontend::ConstantStruct result{struct_type(type), {}, array};
  nb::object members = array ? nb::object(object.attr("members")) : nb::none();
  for (auto [name, annotation] : nb::cast<nb::dict>(type.attr("members"))) {
    result.members.push_back(to_value(array ? nb::object(members[name]) : nb::object(object.attr("_get")(name))));
  }
  return Value(std::move(result));
}

}  // namespace qd::python
