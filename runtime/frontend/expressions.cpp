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
  uint32_t outer = location_;
  location_ = location(expr.range);
  Item item = template_item(eval_node(expr), expr.range);
  note_value(expr, item);
  location_ = outer;
  return item;
}

Item Lowering::eval_node(const Expr& expr) {
  return std::visit(
      overloaded{
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
          [&](const syntax::BoolOp& e) -> Item { return boolop(e, expr); },
          [&](const syntax::Compare& e) -> Item { return comparison(e, expr); },
          [&](const syntax::IfExp& e) -> Item { return ternary(e, expr); },
          [&](const syntax::Call& e) -> Item { return call(e, expr); },
          [&](const syntax::Tuple& e) -> Item { return display(e.elts); },
          [&](const syntax::ListExpr& e) -> Item { return display(e.elts); },
          [&](const syntax::NamedExpr& e) -> Item { return walrus(e, expr); },
          [&](const syntax::JoinedStr&) -> Item {
            return error(ErrorKind::Syntax, expr.range, "an f-string is only supported in `print` and `assert`");
          },
          [&](const auto&) -> Item {
            return error(ErrorKind::Syntax, expr.range, fmt::format("{} is not supported in kernels", node_name(expr)));
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
  Item object = eval(*e.value);
  if (poisoned(object)) return Poison{};
  if (auto* array = std::get_if<ArrayRef>(&object)) {
    const ir::Array& info = kernel_.arrays[array->index];
    if (e.attr == "shape") return shape_of(object);
    if (e.attr == "dtype") return Value(info.type);
    if (e.attr == "ndim") return Value(int64_t{info.rank});
  }
  if (auto* value = std::get_if<Value>(&object)) {
    if (auto* host = std::get_if<HostObject>(value)) {
      if (auto number = lifted_number(*host, e.attr)) return *number;
    }
    KernelScope scope(*this);
    auto result = evaluate_attribute(*value, e.attr, expr.range, scope);
    return result ? Item(std::move(*result)) : Item(Poison{});
  }
  return error(ErrorKind::Type, expr.range, fmt::format("{} has no attribute `{}` in kernels", describe_item(object), e.attr));
}

Item Lowering::shape_of(const Item& array) {
  Items shape;
  if (auto* ref = std::get_if<ArrayRef>(&array)) {
    for (int32_t axis = 0; axis < kernel_.arrays[ref->index].rank; ++axis) {
      shape.list.push_back(
          Number{emit(ir::Op::Shape, Type::I32, {}, ref->index, static_cast<uint64_t>(axis)), Type::I32});
    }
  } else {
    for (int32_t extent : std::get<Field>(std::get<Value>(array)).shape) shape.list.push_back(Value(int64_t{extent}));
  }
  return shape;
}

Item Lowering::subscript(const syntax::Subscript& e, const Expr& expr) {
  if (auto* attribute = std::get_if<syntax::Attribute>(&e.value->node); attribute && attribute->attr == "shape") {
    // Only the axis that is asked for.
    Item array = eval(*attribute->value);
    if (auto* ref = std::get_if<ArrayRef>(&array)) {
      Item index = static_value(*e.slice);
      if (poisoned(index)) return Poison{};
      auto axis = as_integer(std::get<Value>(index));
      int32_t rank = kernel_.arrays[ref->index].rank;
      if (axis && *axis < 0) *axis += rank;
      if (!axis || *axis < 0 || *axis >= rank) {
        return error(ErrorKind::Index, e.slice->range, fmt::format("{} has {} axes", describe_item(array), rank));
      }
      return Number{emit(ir::Op::Shape, Type::I32, {}, ref->index, static_cast<uint64_t>(*axis)), Type::I32};
    }
    if (poisoned(array)) return Poison{};
  }
  Item object = eval(*e.value);
  if (poisoned(object)) return Poison{};
  if (auto* items = std::get_if<Items>(&object)) return element_of(*items, e, expr);
  auto* value = std::get_if<Value>(&object);
  if (std::holds_alternative<ArrayRef>(object) || (value && std::holds_alternative<Field>(*value))) {
    auto pointer = element_place(object, *e.slice, expr.range);
    if (!pointer) return Poison{};
    return Number{load(*pointer), kernel_[*pointer].type};
  }
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

Item Lowering::element_of(const Items& items, const syntax::Subscript& e, const Expr& expr) {
  Item index = static_value(*e.slice);
  if (poisoned(index)) return Poison{};
  auto position = as_integer(std::get<Value>(index));
  if (!position) return error(ErrorKind::Type, e.slice->range, "a tuple is indexed by an integer that is known at compile time");
  int64_t size = static_cast<int64_t>(items.list.size());
  int64_t i = *position < 0 ? *position + size : *position;
  if (i < 0 || i >= size) {
    return error(ErrorKind::Index, expr.range, fmt::format("index {} is out of range: there are {} items", *position, size));
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
    if (auto* parts = std::get_if<Items>(&inner)) {
      items.list.insert(items.list.end(), parts->list.begin(), parts->list.end());
    } else if (auto* value = std::get_if<Value>(&inner); value && std::holds_alternative<Tuple>(*value)) {
      for (const Value& part : std::get<Tuple>(*value).items) items.list.push_back(part);
    } else if (!poisoned(inner)) {
      items.list.push_back(error(ErrorKind::Type, element->range, fmt::format("{} cannot be unpacked", describe_item(inner))));
    }
  }
  return items;
}

Item Lowering::walrus(const syntax::NamedExpr& e, const Expr& expr) {
  Item value = eval(*e.value);
  std::string_view target = std::get<syntax::Name>(e.target->node).id;
  if (!find_local(target) && block_ != statement_block_) {
    return error(ErrorKind::Syntax, expr.range,
                 fmt::format("`{}` is first assigned where evaluation may not come; assign it before", target));
  }
  assign_name(target, value, e.target->range, e.value->range, false);
  Binding* binding = find_local(target);
  return binding ? read(*binding) : Item(Poison{});
}

std::optional<uint32_t> Lowering::array_index(const Item& item) {
  if (auto* ref = std::get_if<ArrayRef>(&item)) return ref->index;
  auto* value = std::get_if<Value>(&item);
  auto* field = value ? std::get_if<Field>(value) : nullptr;
  if (!field) return std::nullopt;
  auto [it, fresh] = fields_.try_emplace(field->id, static_cast<uint32_t>(kernel_.arrays.size()));
  if (fresh) {
    kernel_.arrays.push_back({ir::Array::Kind::Field, field->name, field->type, static_cast<int32_t>(field->shape.size()),
                              field->shape, field->id, field->layout});
  }
  return it->second;
}

namespace {

void flatten(const Item& item, std::vector<Item>& list) {
  if (auto* items = std::get_if<Items>(&item)) {
    for (const Item& part : items->list) flatten(part, list);
    return;
  }
  auto* value = std::get_if<Value>(&item);
  if (auto* tuple = value ? std::get_if<Tuple>(value) : nullptr) {
    for (const Value& part : tuple->items) flatten(part, list);
    return;
  }
  list.push_back(item);
}

}  // namespace

std::optional<InstId> Lowering::index_operand(const Item& item, const ir::Array& array, size_t axis, const Range& range) {
  auto type = number_type(item, range);
  if (!type) return std::nullopt;
  if (!ir::is_integer(*type)) {
    error(ErrorKind::Type, range, fmt::format("an index must be an integer, not {}", ir::name(*type)));
    return std::nullopt;
  }
  auto* value = std::get_if<Value>(&item);
  auto known = value ? as_integer(*value) : std::nullopt;
  if (known && *known < 0) {
    error(ErrorKind::Index, range, "negative indices are not supported");
    return std::nullopt;
  }
  if (known && !array.shape.empty() && *known >= array.shape[axis]) {
    error(ErrorKind::Index, range,
          fmt::format("index {} is out of range: axis {} of `{}` has {} elements", *known, axis, array.name, array.shape[axis]));
    return std::nullopt;
  }
  bool wide = ir::bit_width(*type) == 64 || *type == Type::U32;
  return coerce(item, wide ? Type::I64 : Type::I32, range);
}

std::optional<InstId> Lowering::element_place(const Item& array, const Expr& slice, const Range& range) {
  uint32_t index = *array_index(array);
  auto* several = std::get_if<syntax::Tuple>(&slice.node);
  std::vector<Item> list;
  if (auto* constant = std::get_if<syntax::Constant>(&slice.node); !constant || constant->kind != syntax::ConstantKind::None) {
    flatten(eval(slice), list);
  }
  const ir::Array info = kernel_.arrays[index];
  for (const Item& item : list) {
    if (poisoned(item)) return std::nullopt;
  }
  if (static_cast<int32_t>(list.size()) != info.rank) {
    error(ErrorKind::Index, range,
          fmt::format("`{}` has {} {}, but {} given", info.name, info.rank, info.rank == 1 ? "axis" : "axes",
                      list.size() == 1 ? "1 index is" : fmt::format("{} indices are", list.size())));
    return std::nullopt;
  }
  std::vector<InstId> operands;
  bool failed = false;
  for (size_t axis = 0; axis < list.size(); ++axis) {
    const Range& where = several && several->elts.size() == list.size() ? several->elts[axis]->range : slice.range;
    auto operand = index_operand(list[axis], info, axis, where);
    failed |= !operand;
    if (operand) operands.push_back(*operand);
  }
  if (failed) return std::nullopt;
  check_indices(index, operands, range);
  return emit(ir::Op::ElementPtr, info.type, operands, index);
}

std::optional<Lowering::Place> Lowering::place(const Expr& target) {
  if (auto* name = std::get_if<syntax::Name>(&target.node)) {
    Binding* binding = find_local(name->id);
    if (!binding) {
      if (auto value = outer_name(name->id, target.range)) {
        error(ErrorKind::Type, target.range, fmt::format("`{}` is {}: it cannot be changed in a kernel", name->id, describe(*value)));
      }
      return std::nullopt;
    }
    if (auto* variable = std::get_if<Variable>(&binding->what)) {
      return Place{variable->place, variable->type, in_parallel_ && variable->shared};
    }
    if (auto* item = std::get_if<Item>(&binding->what); item && poisoned(*item)) return std::nullopt;
    error(ErrorKind::Type, target.range,
          binding->immutable ? fmt::format("Kernel argument \"{}\" is immutable in the kernel", name->id)
                             : fmt::format("`{}` is not a variable that can be changed", name->id));
    return std::nullopt;
  }
  auto* subscript = std::get_if<syntax::Subscript>(&target.node);
  if (!subscript) {
    error(ErrorKind::Syntax, target.range, fmt::format("{} cannot be assigned in kernels", node_name(target)));
    return std::nullopt;
  }
  Item array = eval(*subscript->value);
  if (poisoned(array)) return std::nullopt;
  if (!std::holds_alternative<ArrayRef>(array) &&
      !(std::holds_alternative<Value>(array) && std::holds_alternative<Field>(std::get<Value>(array)))) {
    error(ErrorKind::Type, target.range, fmt::format("{} has no elements that can be assigned", describe_item(array)));
    return std::nullopt;
  }
  auto pointer = element_place(array, *subscript->slice, target.range);
  if (!pointer) return std::nullopt;
  return Place{*pointer, kernel_[*pointer].type, true};
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
