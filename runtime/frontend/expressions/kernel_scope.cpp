// Names of a kernel at compile time.
#include "runtime/frontend/expressions/kernel_scope.h"

#include <fmt/format.h>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/constants/type_attributes.h"
#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/expressions/made_objects.h"
#include "runtime/frontend/memory/axes.h"
#include "runtime/frontend/memory/names.h"
#include "runtime/frontend/values/tensors.h"

namespace qd::frontend {

std::optional<NoneTest> none_test(Compilation& c, const syntax::Expr& test) {
  auto* compare = std::get_if<syntax::Compare>(&test.node);
  if (!compare || compare->ops.size() != 1) return std::nullopt;
  const syntax::CmpOperator op = compare->ops[0];
  auto* none = std::get_if<syntax::Constant>(&compare->comparators[0]->node);
  auto* name = std::get_if<syntax::Name>(&compare->left->node);
  const bool is = op == syntax::CmpOperator::Is;
  if ((!is && op != syntax::CmpOperator::IsNot) || !none || none->kind != syntax::ConstantKind::None || !name)
    return std::nullopt;
  Binding* binding = c.function().find_local(name->id);
  auto* item = binding ? std::get_if<Item>(&binding->what) : nullptr;
  return item ? std::optional(NoneTest{*item, is}) : std::nullopt;
}

std::optional<Value> KernelScope::as_value(const Item& item) const {
  if (auto* value = std::get_if<Value>(&item)) return *value;
  if (auto* items = std::get_if<Items>(&item)) {
    if (!items->keys.empty()) return std::nullopt;
    Tuple tuple;
    tuple.is_list = items->is_list;
    tuple.named = items->named;
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
  Binding* binding = c_.function().find_local(id);
  if (!binding) {
    auto value = outer_name(c_, id, expr.range);
    if (value) c_.captures.check_pure(id, *value, expr.range, true);
    return value;
  }
  auto* item = std::get_if<Item>(&binding->what);
  if (item && poisoned(*item)) return std::nullopt;
  if (item) {
    if (auto value = as_value(*item)) return value;
  }
  unknown(expr.range, fmt::format("`{}` is", id));
  return std::nullopt;
}

std::optional<Value> KernelScope::attribute(const HostObject& object, std::string_view name) {
  return c_.captures.reads.attribute(object, name, environment(), true);
}

std::optional<std::optional<Value>> KernelScope::inlined(const Func& func, const syntax::Call& e,
                                                         const syntax::Expr& expr) {
  if (func.source->python) return std::nullopt;
  ++c_.static_calls;
  const Item result = call_func(c_, func, e, expr);
  --c_.static_calls;
  if (poisoned(result)) return std::optional<Value>();
  if (auto value = as_value(result)) return value;
  unknown(expr.range, fmt::format("{} gives a value that is", describe(Value(func))));
  return std::optional<Value>();
}

void KernelScope::has_read(const HostObject& object, std::string_view name, const Value& value,
                           const syntax::Range& range) {
  if (!environment().is_enumeration_member(object, name)) c_.captures.check_pure(object, name, value, range, true);
}

void KernelScope::identify(const HostObject& object) { c_.captures.reads.identify(object, environment()); }

std::optional<Value> KernelScope::quiet(const syntax::Expr& expr) {
  if (auto* call = std::get_if<syntax::Call>(&expr.node)) {
    // qd.static(...), or a method of a text that is known.
    auto* method = std::get_if<syntax::Attribute>(&call->func->node);
    auto object = method && is_method_of_known(method->attr) ? quiet(*method->value) : std::nullopt;
    if (!static_call(c_, expr) && !(object && is_known_container(*object))) return std::nullopt;
    return evaluate(expr, *this, c_.options);
  }
  auto* constant = std::get_if<syntax::Constant>(&expr.node);
  if (constant && constant->kind == syntax::ConstantKind::Str) return Value(std::string(constant->text));
  auto* attribute = std::get_if<syntax::Attribute>(&expr.node);
  if (!attribute) return callee_value(c_, expr);
  auto object = quiet(*attribute->value);
  auto* host = object ? std::get_if<HostObject>(&*object) : nullptr;
  return host ? this->attribute(*host, attribute->attr) : std::nullopt;
}

std::optional<Item> KernelScope::peek(const syntax::Expr& expr) {
  if (auto* name = std::get_if<syntax::Name>(&expr.node)) {
    Binding* binding = c_.function().find_local(name->id);
    if (!binding) return std::nullopt;
    if (auto* variable = std::get_if<CompoundVariable>(&binding->what)) return *variable->place;
    if (auto* item = std::get_if<Item>(&binding->what)) return *item;
    if (auto* index = std::get_if<LoopIndexRef>(&binding->what); index && index->vector) {
      const ir::Type type = vector_type_of(c_.kernel, index->loop, index->axis, index->axes);
      return Tensor{type, {static_cast<int32_t>(index->axes)}, {}};
    }
    return std::nullopt;
  }
  auto* attribute = std::get_if<syntax::Attribute>(&expr.node);
  auto object = attribute ? peek(*attribute->value) : std::nullopt;
  auto* record = object ? std::get_if<Record>(&*object) : nullptr;
  auto index = record ? record->type->index(attribute->attr) : std::nullopt;
  return index ? std::optional(record->members[*index]) : std::nullopt;
}

std::optional<ArrayFacts> KernelScope::array_facts_of(const Item& item) const {
  auto* array = std::get_if<ArrayRef>(&item);
  if (!array) return std::nullopt;
  const ir::Array& info = c_.kernel.arrays[array->index];
  return array_facts(info.type, info.rank, array->element_shape);
}

std::optional<Value> KernelScope::known_shape(const syntax::Attribute& method) {
  const std::optional<Item> item = peek(*method.value);
  if (!item) return std::nullopt;
  if (method.attr == "get_shape") {
    auto facts = tensor_facts(*item);
    return facts ? std::optional(Value(Tuple{facts->shape})) : std::nullopt;
  }
  auto facts = method.attr == "element_shape" ? array_facts_of(*item) : std::nullopt;
  // A list, as programs compare it with one.
  return facts ? std::optional(Value(Tuple{tensor_facts({}, facts->element_shape).shape, true})) : std::nullopt;
}

std::optional<Value> KernelScope::known(const syntax::Expr& expr) {
  if (auto test = none_test(c_, expr); test && !poisoned(test->item) && !std::holds_alternative<Value>(test->item))
    return Value(!test->is);
  auto* shaped = std::get_if<syntax::Call>(&expr.node);
  auto* method = shaped && shaped->args.empty() && shaped->keywords.empty()
                     ? std::get_if<syntax::Attribute>(&shaped->func->node)
                     : nullptr;
  if (auto shape = method ? known_shape(*method) : std::nullopt) return shape;
  if (auto* call = std::get_if<syntax::Call>(&expr.node); call && call->args.size() == 1 && call->keywords.empty()) {
    const BuiltinInfo* info = builtin_of(c_, *call->func);
    auto item = info && info->kind == BuiltinKind::Len ? peek(*call->args[0]) : std::nullopt;
    if (auto facts = item ? tensor_facts(*item) : std::nullopt) return facts->shape[0];
    auto* items = item ? std::get_if<Items>(&*item) : nullptr;
    return items ? std::optional(Value(static_cast<int64_t>(items->list.size()))) : std::nullopt;
  }
  auto* attribute = std::get_if<syntax::Attribute>(&expr.node);
  auto item = attribute ? peek(*attribute->value) : std::nullopt;
  if (!item) return std::nullopt;
  if (auto* items = std::get_if<Items>(&*item)) {
    auto index = items->named ? items->named->index(attribute->attr) : std::nullopt;
    return index ? as_value(items->list[*index]) : std::nullopt;
  }
  if (auto* record = std::get_if<Record>(&*item); record && !record->is_array) {
    auto index = record->type->index(attribute->attr);
    return index ? as_value(record->members[*index]) : std::nullopt;
  }
  if (auto* made = std::get_if<MadeObject>(&*item)) return known_attribute(c_, *made, attribute->attr);
  if (auto facts = tensor_facts(*item)) return type_attribute(*facts, attribute->attr);
  auto facts = array_facts_of(*item);
  return facts ? type_attribute(*facts, attribute->attr) : std::nullopt;
}

}  // namespace qd::frontend
