// What a kernel knows of its own names at compile time.
#include "runtime/frontend/kernel_scope.h"

#include <fmt/format.h>

namespace qd::frontend {

std::optional<Value> KernelScope::as_value(const Item& item) const {
  if (auto* value = std::get_if<Value>(&item)) return *value;
  if (auto* items = std::get_if<Items>(&item)) {
    Tuple tuple;
    for (const Item& part : items->list) {
      auto value = as_value(part);
      if (!value) return std::nullopt;
      tuple.items.push_back(std::move(*value));
    }
    return Value(std::move(tuple));
  }
  return std::nullopt;
}

std::optional<Value> KernelScope::name(const syntax::Expr& expr) {
  std::string_view id = std::get<syntax::Name>(expr.node).id;
  Binding* binding = lowering_.find_local(id);
  if (!binding) return lowering_.outer_name(id, expr.range);
  auto* item = std::get_if<Item>(&binding->what);
  if (item && Lowering::poisoned(*item)) return std::nullopt;
  if (item) {
    if (auto value = as_value(*item)) return value;
  }
  error(ErrorKind::Type, expr.range, fmt::format("`{}` is known only at run time", id));
  return std::nullopt;
}

std::optional<Value> KernelScope::attribute(const HostObject& object, std::string_view name) {
  return lowering_.reads_.attribute(object, name, environment(), true);
}

void KernelScope::identify(const HostObject& object) { lowering_.reads_.identify(object, environment()); }

std::optional<Value> KernelScope::known(const syntax::Expr& expr) {
  auto* attribute = std::get_if<syntax::Attribute>(&expr.node);
  auto* array_name = attribute ? std::get_if<syntax::Name>(&attribute->value->node) : nullptr;
  Binding* binding = array_name ? lowering_.find_local(array_name->id) : nullptr;
  auto* item = binding ? std::get_if<Item>(&binding->what) : nullptr;
  auto* array = item ? std::get_if<ArrayRef>(item) : nullptr;
  if (!array) return std::nullopt;
  const ir::Array& info = lowering_.kernel_.arrays[array->index];
  if (attribute->attr == "shape") return Value(Tuple{std::vector<Value>(static_cast<size_t>(info.rank), runtime_size())});
  if (attribute->attr == "dtype") return Value(info.type);
  if (attribute->attr == "ndim") return Value(int64_t{info.rank});
  return std::nullopt;
}

}  // namespace qd::frontend
