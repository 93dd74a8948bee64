// Attributes of values at compile time, and literals.
#include <fmt/format.h>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/constants/compound_types.h"
#include "runtime/frontend/constants/constant_tensors.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/constants/type_attributes.h"

namespace qd::frontend {

using syntax::Range;

std::optional<Value> evaluate_constant(const syntax::Constant& constant, const Range& range, StaticScope& scope) {
  switch (constant.kind) {
    case syntax::ConstantKind::None: return Value(None{});
    case syntax::ConstantKind::True: return Value(true);
    case syntax::ConstantKind::False: return Value(false);
    case syntax::ConstantKind::Float: return Value(syntax::float_value(constant));
    case syntax::ConstantKind::Str: return Value(std::string(constant.text));
    case syntax::ConstantKind::Int:
      if (auto value = syntax::int_value(constant)) return Value(*value);
      return Value(*BigInteger::parse(constant.text));
    case syntax::ConstantKind::Complex:
      scope.error(ErrorKind::Type, range, "complex numbers are not supported in kernels");
      return std::nullopt;
    case syntax::ConstantKind::Bytes:
      scope.error(ErrorKind::Type, range, "bytes are not supported in kernels");
      return std::nullopt;
    case syntax::ConstantKind::Ellipsis:
      scope.error(ErrorKind::Type, range, "`...` is not supported in kernels");
      return std::nullopt;
  }
  return std::nullopt;
}

namespace {

/// The attribute that a mistyped one was probably meant to be.
std::string near_attribute(Environment& environment, const Value& object, std::string_view name) {
  if (auto* host = host_object_of(object)) return environment.near_attribute(*host, name);
  if (std::holds_alternative<HostField>(object) || std::holds_alternative<HostArray>(object))
    return environment.near(name, {"shape", "dtype", "ndim", "n", "m", "grad", "dual"});
  if (auto* known = std::get_if<ConstantStruct>(&object)) return environment.near(name, known->type->names);
  return {};
}

}  // namespace

std::optional<Value> evaluate_attribute(const Value& object, std::string_view name, const Range& range,
                                        StaticScope& scope) {
  std::optional<Value> result;
  if (auto* host = host_object_of(object)) {
    result = scope.attribute(*host, name);
  } else if (auto* builtin = std::get_if<Builtin>(&object)) {
    result = language_value(builtin->name + "." + std::string(name));
  } else if (auto* field = std::get_if<HostField>(&object)) {
    if (auto known = type_attribute(array_facts(*field), name)) {
      result = *std::move(known);
    } else if (name == "grad" && field->grad) {
      result = Value(*field->grad);
    } else if (name == "dual" && field->dual) {
      result = Value(*field->dual);
    } else if (name == "dual") {
      scope.error(ErrorKind::Name, range,
                  fmt::format("{} has no dual: make it with needs_dual=True, or place its .dual", describe(object)));
      return std::nullopt;
    } else if (name == "grad") {
      scope.error(
          ErrorKind::Name, range,
          fmt::format("{} has no gradient: make it with needs_grad=True, or place its .grad", describe(object)));
      return std::nullopt;
    }
  } else if (auto* known = std::get_if<ConstantStruct>(&object)) {
    if (auto index = known->type->index(name)) result = known->members[*index];
  } else if (auto* tuple = std::get_if<Tuple>(&object); tuple && tuple->named) {
    if (auto index = tuple->named->index(name)) return tuple->items[*index];
    result = scope.environment().call({Builtin{"getattr"}, {}, {object, Value(std::string(name))}, {}}).value;
  } else if (auto* tensor = std::get_if<ConstantTensor>(&object)) {
    result = name == "n" || name == "m" ? type_attribute(tensor_facts(tensor->type, tensor->shape), name)
                                        : tensor_component(*tensor, name);
  } else if (auto* type = std::get_if<CompoundType>(&object)) {
    if (type->structure && type->structure->id) {
      const HostObject host{.id = type->structure->id, .description = describe(object)};
      result = scope.attribute(host, name);
    } else if (!type->structure && (name == "n" || name == "m")) {
      result = type_attribute(tensor_facts(type->type, type->shape), name);
    }
  } else if (auto* array = std::get_if<HostArray>(&object)) {
    const bool of_elements = name == "n" || name == "m";
    if (!of_elements) result = type_attribute(array_facts(array->type.type, array->type.rank, {}), name);
  } else if (is_number(object) || std::holds_alternative<std::string>(object)) {
    result = scope.environment().call({Builtin{"getattr"}, {}, {object, Value(std::string(name))}, {}}).value;
  }
  if (!result) {
    auto* known = std::get_if<HostObject>(&object);
    const bool not_yet = known && known->kind == HostObject::Kind::NotYet;
    scope.error(ErrorKind::Name, range,
                not_yet ? known->description + " is not supported yet"
                        : fmt::format("{} has no attribute `{}` in kernels{}", describe(object), name,
                                      meant(near_attribute(scope.environment(), object, name))));
  }
  return result;
}

std::optional<ir::Type> dtype_of(const Value& value, const Options& options) {
  if (auto* type = std::get_if<ir::Type>(&value)) return *type;
  if (auto* builtin = std::get_if<Builtin>(&value)) {
    if (builtin->name == "int") return options.default_ip;
    if (builtin->name == "float") return options.default_fp;
    if (builtin->name == "bool") return ir::Type::U1;
  }
  return std::nullopt;
}

}  // namespace qd::frontend
