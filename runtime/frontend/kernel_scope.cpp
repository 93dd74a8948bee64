// What a kernel knows of its own names at compile time.
#include "runtime/frontend/kernel_scope.h"

#include <fmt/format.h>

namespace qd::frontend {

std::optional<Value> KernelScope::as_value(const Item& item) const {
  if (auto* value = std::get_if<Value>(&item)) return *value;
  if (auto* items = std::get_if<Items>(&item)) {
    if (!items->keys.empty()) return std::nullopt;
    Tuple tuple;
    tuple.is_list = items->is_list;
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
  if (!binding) {
    auto value = lowering_.outer_name(id, expr.range);
    if (value) lowering_.check_pure(id, *value, expr.range, true);
    return value;
  }
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

void KernelScope::has_read(const HostObject& object, std::string_view name, const Value& value,
                           const syntax::Range& range) {
  lowering_.check_pure(object, name, value, range, true);
}

void KernelScope::identify(const HostObject& object) { lowering_.reads_.identify(object, environment()); }

// What an expression is, as far as that takes no code: a local, or a member of one.
std::optional<Item> KernelScope::peek(const syntax::Expr& expr) {
  if (auto* name = std::get_if<syntax::Name>(&expr.node)) {
    Binding* binding = lowering_.find_local(name->id);
    if (!binding) return std::nullopt;
    if (auto* variable = std::get_if<CompoundVariable>(&binding->what)) return *variable->place;
    if (auto* item = std::get_if<Item>(&binding->what)) return *item;
    if (auto* index = std::get_if<LoopIndexRef>(&binding->what); index && index->vector) {
      return Tensor{ir::Type::I32, {static_cast<int32_t>(index->axes)}, {}};
    }
    return std::nullopt;
  }
  auto* attribute = std::get_if<syntax::Attribute>(&expr.node);
  auto object = attribute ? peek(*attribute->value) : std::nullopt;
  auto* record = object ? std::get_if<Record>(&*object) : nullptr;
  auto index = record ? record->type->index(attribute->attr) : std::nullopt;
  return index ? std::optional(record->members[*index]) : std::nullopt;
}

namespace {

struct TensorFacts {
  ir::Type type;
  const std::vector<int32_t>& shape;
};

std::optional<TensorFacts> facts_of(const Item& item) {
  if (auto* tensor = std::get_if<Tensor>(&item)) return TensorFacts{tensor->type, tensor->shape};
  if (auto* place = std::get_if<TensorPlace>(&item)) return TensorFacts{place->type, place->shape};
  return std::nullopt;
}

}  // namespace

std::optional<Value> KernelScope::known(const syntax::Expr& expr) {
  if (auto* call = std::get_if<syntax::Call>(&expr.node); call && call->args.size() == 1 && call->keywords.empty()) {
    const BuiltinInfo* info = lowering_.builtin_of(*call->func);
    auto item = info && info->kind == BuiltinKind::Len ? peek(*call->args[0]) : std::nullopt;
    auto tensor = item ? facts_of(*item) : std::nullopt;
    if (tensor) return Value(int64_t{tensor->shape[0]});
    auto* items = item ? std::get_if<Items>(&*item) : nullptr;
    return items ? std::optional(Value(static_cast<int64_t>(items->list.size()))) : std::nullopt;
  }
  auto* attribute = std::get_if<syntax::Attribute>(&expr.node);
  auto item = attribute ? peek(*attribute->value) : std::nullopt;
  if (!item) return std::nullopt;
  if (auto tensor = facts_of(*item)) {
    if (attribute->attr == "n") return Value(int64_t{tensor->shape[0]});
    if (attribute->attr == "m") return Value(int64_t{tensor->shape.size() == 2 ? tensor->shape[1] : 1});
    if (attribute->attr == "ndim") return Value(static_cast<int64_t>(tensor->shape.size()));
    if (attribute->attr == "dtype") return Value(tensor->type);
    if (attribute->attr != "shape") return std::nullopt;
    Tuple shape;
    for (int32_t extent : tensor->shape) shape.items.emplace_back(int64_t{extent});
    return Value(std::move(shape));
  }
  auto* array = std::get_if<ArrayRef>(&*item);
  if (!array) return std::nullopt;
  const ir::Array& info = lowering_.kernel_.arrays[array->index];
  if (attribute->attr == "shape")
    return Value(Tuple{std::vector<Value>(static_cast<size_t>(info.rank), runtime_size())});
  if (attribute->attr == "dtype") return Value(info.type);
  if (attribute->attr == "ndim") return Value(int64_t{info.rank});
  if (array->element_shape.empty()) return std::nullopt;
  if (attribute->attr == "n") return Value(int64_t{array->element_shape[0]});
  if (attribute->attr == "m") return Value(int64_t{array->element_shape.size() == 2 ? array->element_shape[1] : 1});
  return std::nullopt;
}

}  // namespace qd::frontend
