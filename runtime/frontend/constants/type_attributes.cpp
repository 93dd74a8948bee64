// Attributes of types: `.shape`, `.dtype`, `.ndim`, `.n` and `.m` of an array, a vector or a matrix.
#include "runtime/frontend/constants/type_attributes.h"

namespace qd::frontend {
namespace {

std::vector<Value> sizes(const std::vector<int32_t>& shape) {
  std::vector<Value> list;
  for (int32_t size : shape) list.emplace_back(int64_t{size});
  return list;
}

}  // namespace

Value runtime_size() { return HostObject{0, "a size that is known only at run time"}; }

ArrayFacts array_facts(const HostField& field) { return {field.type, sizes(field.shape), field.element_shape}; }

ArrayFacts array_facts(ir::Type type, int32_t rank, const std::vector<int32_t>& element_shape) {
  return {type, std::vector<Value>(static_cast<size_t>(rank), runtime_size()), element_shape};
}

ArrayFacts tensor_facts(std::optional<ir::Type> type, const std::vector<int32_t>& shape) {
  return {type, sizes(shape), shape};
}

std::optional<Value> type_attribute(const ArrayFacts& facts, std::string_view name) {
  if (name == "shape") return Value(Tuple{facts.shape});
  if (name == "ndim") return Value(static_cast<int64_t>(facts.shape.size()));
  if (name == "dtype" && facts.type) return Value(*facts.type);
  if (facts.element_shape.empty()) return std::nullopt;
  if (name == "n") return Value(int64_t{facts.element_shape[0]});
  if (name == "m") return Value(int64_t{facts.element_shape.size() == 2 ? facts.element_shape[1] : 1});
  return std::nullopt;
}

}  // namespace qd::frontend
