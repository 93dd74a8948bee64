// Assignments: to names, elements and members; unpacking; `+=`.
#include "runtime/frontend/statements/statements.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/constants/diagnostics.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/expressions/kernel_scope.h"
#include "runtime/frontend/expressions/made_objects.h"
#include "runtime/frontend/expressions/object_operators.h"
#include "runtime/frontend/expressions/tiles.h"
#include "runtime/frontend/interface/annotation.h"
#include "runtime/frontend/memory/names.h"
#include "runtime/frontend/memory/tuples.h"
#include "runtime/frontend/values/checks.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/operators.h"
#include "runtime/frontend/values/places.h"
#include "runtime/frontend/values/tensors.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::Expr;
using syntax::Operator;
using syntax::overloaded;
using syntax::Range;
using syntax::Stmt;

namespace {

std::optional<ir::AtomicOp> atomic_op(Operator op) {
  switch (op) {
    case Operator::Add: return ir::AtomicOp::Add;
    case Operator::Sub: return ir::AtomicOp::Sub;
    case Operator::BitAnd: return ir::AtomicOp::And;
    case Operator::BitOr: return ir::AtomicOp::Or;
    case Operator::BitXor: return ir::AtomicOp::Xor;
    default: return std::nullopt;
  }
}

void assign_to(Compilation& c, const Expr& target, const Item& item, const Range& range, bool compile_time);
void store_in(Compilation& c, const Expr& target, const Item& item, const Range& range);
void unpack(Compilation& c, syntax::List<syntax::ExprPtr> targets, const Item& item, const Range& range,
            bool compile_time);
/// Lowers `to op= value` on a number.
void update_number(Compilation& c, const NumberPlace& to, syntax::Operator op, const Item& value,
                   const syntax::AugAssign& s, const Stmt& stmt);

}  // namespace

void lower_assign(Compilation& c, const syntax::Assign& s) {
  if (s.targets.size() == 1 && assign_tile(c, *s.targets[0], *s.value)) return;
  bool compile_time = static_call(c, *s.value) != nullptr;
  Item value = evaluate(c, *s.value);
  for (const Expr* target : s.targets) assign_to(c, *target, value, s.value->range, compile_time);
}

namespace {

void assign_to(Compilation& c, const Expr& target, const Item& item, const Range& range, bool compile_time) {
  std::visit(overloaded{
                 [&](const syntax::Name& t) { assign_name(c, t.id, item, target.range, range, compile_time); },
                 [&](const syntax::Tuple& t) { unpack(c, t.elts, item, range, compile_time); },
                 [&](const syntax::ListExpr& t) { unpack(c, t.elts, item, range, compile_time); },
                 [&](const syntax::Starred& t) { assign_to(c, *t.value, item, range, compile_time); },
                 [&](const syntax::Subscript& t) {
                   auto owner = compile_time ? KernelScope(c).peek(*t.value) : std::nullopt;
                   if (owner && (std::holds_alternative<Items>(*owner) || known_as<Tuple>(*owner))) {
                     c.report.error(ErrorKind::Type, target.range,
                                    "Static assign cannot be used on elements in arrays of Python");
                     return;
                   }
                   store_in(c, target, item, range);
                 },
                 [&](const syntax::Attribute&) { store_in(c, target, item, range); },
                 [&](const auto&) {
                   c.report.error(ErrorKind::Syntax, target.range,
                                  fmt::format("{} cannot be assigned in kernels", node_name(target)));
                 },
             },
             target.node);
}

/// The object of an expression of names that has __setitem__, or that the kernel has made; nothing for others.
std::optional<Item> object_with_items(Compilation& c, const Expr& expr) {
  if (auto made = named_object(c, expr)) return Item(*made);
  auto known = KernelScope(c).quiet(expr);
  return known && special_method(c, *known, "__setitem__") ? std::optional(Item(*std::move(known))) : std::nullopt;
}

/// `object[index] = item` by the methods of the object's class; false when it is something else.
bool store_in_own_item(Compilation& c, const Expr& target, const Item& item, const Range& range) {
  auto* subscript = std::get_if<syntax::Subscript>(&target.node);
  auto object = subscript ? object_with_items(c, *subscript->value) : std::nullopt;
  if (!object) return false;
  const Item index = evaluate(c, *subscript->slice);
  return poisoned(index) || poisoned(item) || store_in_item(c, *object, index, item, target.range);
}

void store_in(Compilation& c, const Expr& target, const Item& item, const Range& range) {
  if (store_in_part(c, target, item, range) || store_in_object(c, target, item, range) ||
      store_in_own_item(c, target, item, range))
    return;
  const ir::Builder::Scope here(c.build, c.build.location_of(target.range));
  store_item(c, target_place(c, target), item, range, true);
}

void unpack(Compilation& c, syntax::List<syntax::ExprPtr> targets, const Item& item, const Range& range,
            bool compile_time) {
  std::vector<Item> parts;
  if (auto* items = std::get_if<Items>(&item)) {
    parts = *iterated_items(c, *items, range);
  } else if (auto* record = std::get_if<Record>(&item); record && !record->is_array) {
    parts = record->members;
  } else if (is_tensor(item)) {
    Tensor tensor = *as_tensor(c, item, range);
    for (int32_t i = 0; i < tensor.shape[0]; ++i) {
      const int32_t width = tensor.shape.size() == 2 ? tensor.shape[1] : 1;
      std::vector<Component> row;
      for (int32_t k = 0; k < width; ++k) row.push_back({i * width + k, InstId::None});
      parts.push_back(select_components(
          c, tensor, tensor.shape.size() == 2 ? std::vector{width} : std::vector<int32_t>{}, std::move(row)));
    }
  } else if (auto* tuple = known_as<Tuple>(item)) {
    for (const Value& part : tuple->items) parts.push_back(part);
  } else {
    if (!poisoned(item))
      c.report.error(ErrorKind::Type, range, fmt::format("{} cannot be unpacked", describe_item(c, item)));
    parts.assign(targets.size(), Item(Poison{}));
  }
  const auto rest = std::ranges::find_if(
      targets, [](const Expr* target) { return std::holds_alternative<syntax::Starred>(target->node); });
  if (rest != targets.end() && parts.size() + 1 >= targets.size()) {
    // The parts that the other targets leave are a list.
    const auto at = rest - targets.begin(), size = static_cast<ptrdiff_t>(parts.size() + 1 - targets.size());
    Items middle;
    middle.is_list = true;
    middle.list.assign(parts.begin() + at, parts.begin() + at + size);
    parts.erase(parts.begin() + at, parts.begin() + at + size);
    parts.insert(parts.begin() + at, Item(std::move(middle)));
  }
  if (parts.size() != targets.size()) {
    c.report.error(ErrorKind::Syntax, range,
                   fmt::format("The number of targets is not equal to value length: {} cannot be unpacked into {}",
                               counted(parts.size(), "value"), counted(targets.size(), "target")));
    parts.assign(targets.size(), Item(Poison{}));
  }
  for (size_t i = 0; i < targets.size(); ++i) assign_to(c, *targets[i], parts[i], range, compile_time);
}

}  // namespace

void annotated_assign(Compilation& c, const syntax::AnnAssign& s, const Stmt& stmt) {
  auto* name = std::get_if<syntax::Name>(&s.target->node);
  if (!name) {
    c.report.error(ErrorKind::Syntax, s.target->range, "only a variable can have an annotation in kernels");
    return;
  }
  KernelScope scope(c);
  auto annotation = evaluate_annotation(*s.annotation, scope, c.options);
  auto* compound = annotation ? std::get_if<CompoundType>(&*annotation) : nullptr;
  std::optional<Type> type;
  if (annotation && !compound) type = dtype_argument(c, Item(*annotation), s.annotation->range);
  if (!s.value) {
    c.report.error(
        ErrorKind::Syntax, stmt.range,
        fmt::format("`{}` needs a value: a variable of a kernel is declared by its first assignment", name->id));
    return;
  }
  Item value = evaluate(c, *s.value);
  if (compound) {
    assign_name(c, name->id, convert_item(c, value, *annotation, s.value->range), s.target->range, s.value->range,
                false);
    return;
  }
  auto number = type ? coerce_stored(c, value, *type, s.value->range) : std::nullopt;
  Binding* binding = c.function().find_local(name->id);
  auto* variable = binding ? std::get_if<Variable>(&binding->what) : nullptr;
  if (number && variable && variable->type != *type) {
    c.report.error(ErrorKind::Type, s.annotation->range,
                   fmt::format("`{}` is already {} variable", name->id, with_article(variable->type)));
    return;
  }
  assign_name(c, name->id, number ? Item(Number{*number, *type}) : Item(Poison{}), s.target->range, s.value->range,
              false);
}

namespace {

/// The new value of `a` by `a op= b`.
Item updated(Compilation& c, const Item& a, const syntax::AugAssign& s, const Stmt& stmt) {
  const Item b = evaluate(c, *s.value);
  if (poisoned(a) || poisoned(b)) return Poison{};
  if (auto result = object_update(c, s.op, a, b, stmt.range)) return *result;
  return operate(c, s.op, a, b, {s.target->range, s.value->range}, stmt.range);
}

/// Lowers `object[index] op= value` by the methods of the object's class.
void update_own_item(Compilation& c, const Item& object, const Expr& slice, const syntax::AugAssign& s,
                     const Stmt& stmt) {
  const Item index = evaluate(c, slice);
  if (poisoned(index)) return;
  auto old = object_subscript(c, object, index, s.target->range);
  const Item result = old ? updated(c, loaded(c, *old), s, stmt) : Item(Value(None{}));
  if (poisoned(result) || (old && store_in_item(c, object, index, result, s.target->range))) return;
  c.report.error(ErrorKind::Type, s.target->range,
                 fmt::format("{} has no elements that can be assigned", describe_item(c, object)));
}

/// Lowers `target op= value` if the target is no place, but an object that the kernel has made, a part of such an
/// object that is no place, or an element that a method finds; false when it is something else.
bool update_object(Compilation& c, const syntax::AugAssign& s, const Stmt& stmt) {
  auto* subscript = std::get_if<syntax::Subscript>(&s.target->node);
  auto* attribute = std::get_if<syntax::Attribute>(&s.target->node);
  if (auto object = subscript ? object_with_items(c, *subscript->value) : std::nullopt)
    return update_own_item(c, *object, *subscript->slice, s, stmt), true;
  auto owner = attribute ? named_object(c, *attribute->value) : std::nullopt;
  auto object = named_object(c, *s.target);
  if (!object && (!owner || is_place_in_object(c, *owner, attribute->attr))) return false;
  const Item old = object ? Item(*object) : loaded(c, object_attribute(c, *owner, attribute->attr, s.target->range));
  assign_to(c, *s.target, updated(c, old, s, stmt), stmt.range, false);
  return true;
}

}  // namespace

void augmented_assign(Compilation& c, const syntax::AugAssign& s, const Stmt& stmt) {
  if (update_tile(c, s) || update_object(c, s, stmt)) return;
  Item to = target_place(c, *s.target);
  Item value = evaluate(c, *s.value);
  if (poisoned(to) || poisoned(value)) return;
  if (std::holds_alternative<MadeObject>(value))
    return store_item(c, to, *object_operator(c, s.op, loaded(c, to), value, stmt.range), stmt.range, false);
  auto* tensor = std::get_if<TensorPlace>(&to);
  if (!tensor) {
    if (auto* number = std::get_if<NumberPlace>(&to)) {
      update_number(c, *number, s.op, value, s, stmt);
    } else {
      c.report.error(ErrorKind::Type, stmt.range,
                     fmt::format("`{}=` does not work on {}", text(s.op), describe_item(c, to)));
    }
    return;
  }
  if (s.op == Operator::MatMult) {
    store_item(c, to, matrix_product(c, loaded(c, to), value, stmt.range), stmt.range, false);
    return;
  }
  const bool number = is_a_number(value);
  auto operand = number ? std::nullopt : as_tensor(c, value, s.value->range);
  if (!number && (!operand || operand->shape != tensor->shape)) {
    c.report.error(ErrorKind::Type, stmt.range,
                   fmt::format("`{}=` does not work on {} and {}", text(s.op), describe_item(c, to),
                               operand ? describe_item(c, *operand) : describe_item(c, value)));
    return;
  }
  for (size_t i = 0; i < tensor->components.size(); ++i) {
    update_number(c, number_place(c, *tensor, i), s.op, operand ? component_item(*operand, i) : value, s, stmt);
  }
}

namespace {

void update_number(Compilation& c, const NumberPlace& to, Operator op, const Item& value, const syntax::AugAssign& s,
                   const Stmt& stmt) {
  auto atomic = atomic_op(op);
  bool bitwise = op == Operator::BitAnd || op == Operator::BitOr || op == Operator::BitXor;
  auto value_type = number_type(c, value, s.value->range);
  if (!value_type) return;
  if (bitwise && (ir::is_float(to.type) || ir::is_float(*value_type))) {
    c.report.error(ErrorKind::Type, stmt.range,
                   fmt::format("unsupported operand type(s) for '{}=': it needs integers, not {} and {}", text(op),
                               ir::name(to.type), ir::name(*value_type)));
    return;
  }
  if (atomic && (bitwise || to.type != Type::U1)) {
    // The value takes the target's type first, shared or not, so that a loop gives the same in parallel and alone.
    auto operand = coerce_stored(c, value, to.type, s.value->range);
    if (to.shared) {
      InstId old = c.build.inst(Op::AtomicRmw, to.type, {to.pointer, *operand}, static_cast<uint32_t>(*atomic));
      check_atomic(c, *atomic, to.type, old, *operand, stmt.range);
      return;
    }
    Item result =
        apply_operator(c, op, Number{c.build.load(to.pointer), to.type}, Number{*operand, to.type}, stmt.range);
    c.build.store(to.pointer, *coerce(c, result, to.type, stmt.range));
    return;
  }
  Item result = apply_operator(c, op, Number{c.build.load(to.pointer), to.type}, value, stmt.range);
  if (auto stored = coerce_stored(c, result, to.type, stmt.range)) c.build.store(to.pointer, *stored);
}

}  // namespace

}  // namespace qd::frontend
