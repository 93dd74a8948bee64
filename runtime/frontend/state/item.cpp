// Kinds of items, in the words of messages and rules.
#include "runtime/frontend/state/item.h"

#include <algorithm>

#include "runtime/frontend/constants/python_values.h"

namespace qd::frontend {

const Value* known_number(const Item& item) {
  auto* value = std::get_if<Value>(&item);
  return value && is_number(*value) ? value : nullptr;
}

bool has_failed(const Item& item) {
  auto* items = std::get_if<Items>(&item);
  return poisoned(item) || (items && std::ranges::any_of(items->list, has_failed));
}

bool is_a_number(const Item& item) { return std::holds_alternative<Number>(item) || known_number(item); }

bool is_tensor(const Item& item) {
  return std::holds_alternative<Tensor>(item) || std::holds_alternative<TensorPlace>(item) ||
         known_as<ConstantTensor>(item);
}

bool is_compound(const Item& item) {
  auto* record = std::get_if<Record>(&item);
  auto* known = known_as<ConstantStruct>(item);
  return is_tensor(item) || (record && !record->is_array) || (known && !known->is_field);
}

bool is_array(const Item& item) {
  auto* record = std::get_if<Record>(&item);
  return std::holds_alternative<ArrayRef>(item) || std::holds_alternative<SharedArray>(item) ||
         known_as<HostField>(item) || (record && record->is_array);
}

}  // namespace qd::frontend
