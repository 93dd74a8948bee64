// Annotations of arrays and views as values of compile time.
#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/constants/static_eval.h"

namespace qd::frontend {

Value array_annotation(std::optional<ir::Type> type, std::optional<int32_t> rank) {
  return Tuple{{Value(Builtin{"types.ndarray"}), type ? Value(*type) : Value(None{}),
                rank ? Value(int64_t{*rank}) : Value(None{})}};
}

std::optional<ArrayAnnotation> read_array_annotation(const Value& value) {
  ArrayAnnotation result;
  if (auto* builtin = std::get_if<Builtin>(&value)) {
    auto* info = find_builtin(builtin->name);
    if (info && info->kind == BuiltinKind::ArrayAnnotation) return result;
    return std::nullopt;
  }
  auto* tuple = std::get_if<Tuple>(&value);
  if (!tuple || tuple->items.size() < 3 || tuple->items.size() > 5) return std::nullopt;
  auto* builtin = std::get_if<Builtin>(&tuple->items[0]);
  if (!builtin || builtin->name != "types.ndarray") return std::nullopt;
  if (auto* type = std::get_if<ir::Type>(&tuple->items[1])) result.type = *type;
  if (auto* element = std::get_if<CompoundType>(&tuple->items[1])) result.element = *element;
  if (tuple->items.size() > 3 && !std::holds_alternative<None>(tuple->items[3]))
    result.needs_grad = truth(tuple->items[3]);
  if (auto* boundary = tuple->items.size() > 4 ? std::get_if<std::string>(&tuple->items[4]) : nullptr)
    result.clamp = *boundary == "clamp";
  if (auto rank = as_integer(tuple->items[2])) result.rank = static_cast<int32_t>(*rank);
  return result;
}

std::optional<ViewAnnotation> read_view_annotation(const Value& value) {
  auto* tuple = std::get_if<Tuple>(&value);
  auto* builtin = std::get_if<Builtin>(tuple && tuple->items.size() == 2 ? &tuple->items[0] : &value);
  if (!builtin || builtin->name != "BufferView") return std::nullopt;
  ViewAnnotation result;
  if (!tuple) return result;
  if (auto* type = std::get_if<ir::Type>(&tuple->items[1])) {
    result.type = *type;
    result.element_shape = std::vector<int32_t>();
  }
  if (auto* element = std::get_if<CompoundType>(&tuple->items[1]); element && !element->structure) {
    result.type = element->type;
    result.element_shape = element->shape;
  }
  return result;
}

}  // namespace qd::frontend
