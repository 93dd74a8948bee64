// Expressions: names, attributes, elements, displays.
#include <fmt/format.h>

#include "runtime/frontend/annotation.h"
#include "runtime/frontend/kernel_scope.h"
#include "runtime/frontend/lowering.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using ir::InstId;
using ir::Type;
using syntax::Expr;
using syntax::overloaded;
using syntax::Range;

Item Lowering::eval(const Expr& expr) {
  const ir::Builder::Scope here(build_, location(expr.range));
  Item item = loaded(template_item(eval_node(expr), expr.range));
  note_value(expr, item);
  return item;
}

Item Lowering::eval_place(const Expr& expr) {
  const bool may_have_place = std::holds_alternative<syntax::Name>(expr.node) ||
                              std::holds_alternative<syntax::Subscript>(expr.node) ||
                              std::holds_alternative<syntax::Attribute>(expr.node);
  if (!may_have_place) return eval(expr);
  const ir::Builder::Scope here(build_, location(expr.range));
  return template_item(eval_node(expr), expr.range);
}

Item Lowering::eval_node(const Expr& expr) {
  return std::visit(overloaded{
                        [&](const syntax::Constant& e) -> Item {
                          KernelScope scope(*this);
                          auto value = evaluate_constant(e, expr.range, scope);
                          return value ? Item(std::move(*value)) : Item(Poison{});
                        },
                        [&](const syntax::Name&) -> Item { return name(expr); },
                        [&](const syntax::Attribute& e) -> Item { return attribute(e, expr); },
                        [&](const syntax::Subscript& e) -> Item { return subscript(e, expr); },
                        [&](const syntax::BinOp& e) -> Item { return binop(e, expr); },
                        [&](const syntax::UnaryOp& e) -> Item { return unaryop(e, expr); },
                        [&](const syntax::BoolOp& e) -> Item { return boolop(e); },
                        [&](const syntax::Compare& e) -> Item { return comparison(e, expr); },
                        [&](const syntax::IfExp& e) -> Item { return ternary(e, expr); },
                        [&](const syntax::Call& e) -> Item { return call(e, expr); },
                        [&](const syntax::Tuple& e) -> Item { return display(e.elts); },
                        [&](const syntax::ListExpr& e) -> Item {
                          Item list = display(e.elts);
                          std::get<Items>(list).is_list = true;
                          return list;
                        },
                        [&](const syntax::NamedExpr& e) -> Item { return walrus(e, expr); },
                        [&](const syntax::ListComp& e) -> Item { return comprehension(e.generators, *e.elt); },
                        [&](const syntax::GeneratorExp& e) -> Item { return comprehension(e.generators, *e.elt); },
                        [&](const syntax::Dict& e) -> Item { return dict_display(e); },
                        [&](const syntax::DictComp& e) -> Item { return dict_comprehension(e); },
                        [&](const syntax::JoinedStr&) -> Item { return static_value(expr); },
                        [&](const auto&) -> Item {
                          return error(ErrorKind::Syntax, expr.range,
                                       fmt::format("{} is not supported in kernels", node_name(expr)));
                        },
                    },
                    expr.node);
}

Item Lowering::static_value(const Expr& expr) {
  KernelScope scope(*this);
  auto value = evaluate(expr, scope, options_);
  return value ? Item(std::move(*value)) : Item(Poison{});
}

Item Lowering::attribute(const syntax::Attribute& e, const Expr& expr) {
  Item object = eval_place(*e.value);
  if (poisoned(object)) return Poison{};
  if (auto* record = std::get_if<Record>(&object)) {
    if (auto index = record->type->index(e.attr)) return record->members[*index];
    for (const auto& [name, func] : record->type->methods) {
      if (name != e.attr) continue;
      if (record->is_array) {
        return error(
            ErrorKind::Type, expr.range,
            fmt::format("`{}` is a method of an element, not of {}: give the array an index first, as in s[i].{}()",
                        e.attr, describe_item(object), e.attr));
      }
      return BoundMethod{func, std::make_shared<const Item>(object)};
    }
    if (!record->is_array || e.attr != "shape") {
      return error(ErrorKind::Name, expr.range, fmt::format("{} has no member `{}`", describe_item(object), e.attr));
    }
  }
  if (is_array(object) && e.attr == "shape") return shape_of(object);
  if (auto* view = std::get_if<View>(&object)) return view_attribute(*view, e.attr, expr.range);
  if (auto* array = std::get_if<ArrayRef>(&object)) {
    const ir::Array& info = kernel_.arrays[array->index];
    if (e.attr == "dtype") return Value(info.type);
    if (e.attr == "ndim") return Value(int64_t{info.rank});
    if (e.attr == "grad" && array->grad) return ArrayRef{*array->grad, array->element_shape, {}, array->clamp};
    if (e.attr == "grad")
      return error(ErrorKind::Name, expr.range,
                   fmt::format("{} has no gradient here: its annotation needs needs_grad=True", describe_item(object)));
  }
  if (is_tensor(object)) {
    if (e.attr == "n" || e.attr == "m" || e.attr == "shape" || e.attr == "dtype" || e.attr == "ndim") {
      Tensor tensor = *as_tensor(object, expr.range);
      if (e.attr == "dtype") return Value(tensor.type);
      if (e.attr == "ndim") return Value(static_cast<int64_t>(tensor.shape.size()));
      if (e.attr == "n") return Value(int64_t{tensor.shape[0]});
      if (e.attr == "m") return Value(int64_t{tensor.shape.size() == 2 ? tensor.shape[1] : 1});
      Tuple shape;
      for (int32_t extent : tensor.shape) shape.items.emplace_back(int64_t{extent});
      return Value(std::move(shape));
    }
    return swizzle(object, e.attr, expr.range);
  }
  if (auto* value = std::get_if<Value>(&object)) {
    if (auto* host = std::get_if<HostObject>(value)) {
      if (auto number = lifted_number(*host, e.attr)) return *number;
    }
    KernelScope scope(*this);
    auto result = evaluate_attribute(*value, e.attr, expr.range, scope);
    if (!result) return Poison{};
    if (auto* host = std::get_if<HostObject>(value)) check_pure(*host, e.attr, *result, expr.range, false);
    return std::move(*result);
  }
  return error(ErrorKind::Type, expr.range,
               fmt::format("{} has no attribute `{}` in kernels", describe_item(object), e.attr));
}

// One axis of a shape, and no more than that.
Item Lowering::axis_of(const ArrayRef& array, const Expr& slice) {
  Item index = static_value(slice);
  if (poisoned(index)) return Poison{};
  auto axis = as_integer(std::get<Value>(index));
  int32_t rank = kernel_.arrays[array.index].rank;
  if (axis && *axis < 0) *axis += rank;
  if (!axis || *axis < 0 || *axis >= rank) {
    return error(ErrorKind::Index, slice.range, fmt::format("{} has {} axes", describe_item(array), rank));
  }
  return Number{build_.inst(ir::Op::Shape, Type::I32, {}, array.index, static_cast<uint64_t>(*axis)), Type::I32};
}

Item Lowering::subscript(const syntax::Subscript& e, const Expr& expr) {
  if (auto* attribute = std::get_if<syntax::Attribute>(&e.value->node); attribute && attribute->attr == "shape") {
    Item array = eval_place(*attribute->value);
    if (poisoned(array)) return Poison{};
    if (auto* record = std::get_if<Record>(&array); record && record->is_array) array = record->members.at(0);
    if (auto* ref = std::get_if<ArrayRef>(&array)) return axis_of(*ref, *e.slice);
  }
  Item object = eval_place(*e.value);
  if (poisoned(object)) return Poison{};
  auto* part = std::get_if<syntax::Slice>(&e.slice->node);
  const bool container = std::holds_alternative<Items>(object) || std::holds_alternative<Value>(object);
  if (part && container && !is_array(object) && !is_tensor(object)) return item_slice(object, *part, expr.range);
  if (auto* items = std::get_if<Items>(&object)) return element_of(*items, *e.slice, expr.range);
  if (auto* view = std::get_if<View>(&object)) return view_subscript(*view, *e.slice, expr.range);
  if (auto* array = std::get_if<ArrayRef>(&object); array && std::holds_alternative<syntax::Slice>(e.slice->node)) {
    if (kernel_.arrays[array->index].rank != 1)
      return error(ErrorKind::Type, expr.range, "a slice makes a BufferView of an ndarray of 1 dimension");
    const View whole{*array, constant(Type::I32, Value(int64_t{0})),
                     build_.inst(ir::Op::Shape, Type::I32, {}, array->index, 0)};
    return view_slice(whole, std::get<syntax::Slice>(e.slice->node), expr.range);
  }
  if (is_array(object)) {
    auto indices = index_list(*e.slice);
    return indices ? element_place(object, *indices, *e.slice, expr.range) : Item(Poison{});
  }
  if (is_tensor(object)) return tensor_subscript(object, *e.slice, expr.range);
  auto* value = std::get_if<Value>(&object);
  if (!value) {
    return error(ErrorKind::Type, expr.range, fmt::format("{} cannot be indexed", describe_item(object)));
  }
  Item index = static_value(*e.slice);
  if (poisoned(index)) return Poison{};
  if (auto* host = std::get_if<HostObject>(value)) {
    reads_.identify(*host, *frame().environment);
    if (auto item = frame().environment->subscript(*host, std::get<Value>(index))) return Item(std::move(*item));
    return error(ErrorKind::Type, expr.range, fmt::format("{} cannot be indexed in kernels", describe(*value)));
  }
  Outcome outcome = frontend::subscript(*value, std::get<Value>(index));
  if (!outcome.value) return error(ErrorKind::Index, expr.range, std::move(outcome.error));
  return Item(std::move(*outcome.value));
}

Item Lowering::element_of(const Items& items, const Expr& slice, const Range& range) {
  Item index = static_value(slice);
  if (poisoned(index)) return Poison{};
  for (size_t i = 0; i < items.keys.size(); ++i) {
    if (equal(items.keys[i], std::get<Value>(index))) return items.list[i];
  }
  if (!items.keys.empty())
    return error(ErrorKind::Index, range,
                 fmt::format("the dict has no key {}", representation(std::get<Value>(index))));
  auto position = as_integer(std::get<Value>(index));
  if (!position)
    return error(ErrorKind::Type, slice.range, "a tuple is indexed by an integer that is known at compile time");
  int64_t size = static_cast<int64_t>(items.list.size());
  int64_t i = *position < 0 ? *position + size : *position;
  if (i < 0 || i >= size) {
    return error(ErrorKind::Index, range, fmt::format("index {} is out of range: there are {} items", *position, size));
  }
  return items.list[static_cast<size_t>(i)];
}

Item Lowering::display(syntax::List<syntax::ExprPtr> elements) {
  Items items;
  for (const Expr* element : elements) {
    auto* starred = std::get_if<syntax::Starred>(&element->node);
    if (!starred) {
      items.list.push_back(eval(*element));
      continue;
    }
    Item inner = eval(*starred->value);
    if (auto parts = iterated_items(inner, element->range)) {
      items.list.insert(items.list.end(), parts->begin(), parts->end());
    } else if (!poisoned(inner)) {
      items.list.push_back(
          error(ErrorKind::Type, element->range, fmt::format("{} cannot be unpacked", describe_item(inner))));
    }
  }
  return items;
}

Item Lowering::walrus(const syntax::NamedExpr& e, const Expr& expr) {
  Item value = eval(*e.value);
  std::string_view target = std::get<syntax::Name>(e.target->node).id;
  if (!find_local(target) && build_.block() != statement_block_) {
    return error(ErrorKind::Syntax, expr.range,
                 fmt::format("`{}` is first assigned where evaluation may not come; assign it before", target));
  }
  assign_name(target, value, e.target->range, e.value->range, false);
  Binding* binding = find_local(target);
  return binding ? loaded(read(*binding)) : Item(Poison{});
}

const BuiltinInfo* Lowering::builtin_of(const Expr& callee) {
  std::optional<Value> value;
  auto* name = std::get_if<syntax::Name>(&callee.node);
  if (Binding* binding = name ? find_local(name->id) : nullptr) {
    auto* item = std::get_if<Item>(&binding->what);
    auto* known = item ? std::get_if<Value>(item) : nullptr;
    if (known) value = *known;
  } else {
    value = quiet_value(callee, *frame().environment);
  }
  auto* builtin = value ? std::get_if<Builtin>(&*value) : nullptr;
  return builtin ? find_builtin(builtin->name) : nullptr;
}

const syntax::Call* Lowering::static_call(const Expr& expr) {
  auto* call = std::get_if<syntax::Call>(&expr.node);
  if (!call) return nullptr;
  const BuiltinInfo* info = builtin_of(*call->func);
  return info && info->kind == BuiltinKind::Static ? call : nullptr;
}

}  // namespace qd::frontend
