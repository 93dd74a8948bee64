// Assignments: new variables, stores, unpacking, and augmented assignment with its atomic meaning.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/annotation.h"
#include "runtime/frontend/kernel_scope.h"
#include "runtime/frontend/lowering.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::Expr;
using syntax::Operator;
using syntax::overloaded;
using syntax::Range;
using syntax::Stmt;

void Lowering::assign(const syntax::Assign& s) {
  bool compile_time = static_call(*s.value) != nullptr;
  Item value = eval(*s.value);
  for (const Expr* target : s.targets) assign_to(*target, value, s.value->range, compile_time);
}

void Lowering::assign_to(const Expr& target, const Item& item, const Range& range, bool compile_time) {
  std::visit(overloaded{
                 [&](const syntax::Name& t) { assign_name(t.id, item, target.range, range, compile_time); },
                 [&](const syntax::Tuple& t) { unpack(t.elts, item, range, compile_time); },
                 [&](const syntax::ListExpr& t) { unpack(t.elts, item, range, compile_time); },
                 [&](const syntax::Starred& t) { assign_to(*t.value, item, range, compile_time); },
                 [&](const syntax::Subscript&) { store_in(target, item, range); },
                 [&](const syntax::Attribute&) { store_in(target, item, range); },
                 [&](const auto&) {
                   error(ErrorKind::Syntax, target.range,
                         fmt::format("{} cannot be assigned in kernels", node_name(target)));
                 },
             },
             target.node);
}

void Lowering::store_in(const Expr& target, const Item& item, const Range& range) {
  const ir::Builder::Scope here(build_, location(target.range));
  store_item(target_place(target), item, range, true);
}

void Lowering::assign_name(std::string_view name, const Item& item, const Range& target, const Range& range,
                           bool compile_time) {
  Binding* binding = find_local(name);
  if (binding && binding->immutable) {
    error(ErrorKind::Type, target, fmt::format("Kernel argument \"{}\" is immutable in the kernel", name));
    return;
  }
  auto* value = std::get_if<Value>(&item);
  bool is_a_number = std::holds_alternative<Number>(item) || (value && is_number(*value) && !compile_time);
  if (auto* variable = binding ? std::get_if<Variable>(&binding->what) : nullptr) {
    Variable to = *variable;
    if (is_a_number || (value && is_number(*value))) {
      build_.store(to.place, *coerce_stored(item, to.type, range));
    } else if (!poisoned(item)) {
      error(ErrorKind::Type, range,
            fmt::format("`{}` is {} variable: {} cannot be assigned to it", name, with_article(to.type),
                        describe_item(item)));
    }
    return;
  }
  if (binding) {
    auto* known = std::get_if<Item>(&binding->what);
    if (known && poisoned(*known)) return;
    if (std::holds_alternative<CompoundVariable>(binding->what) ||
        (known && (std::holds_alternative<NumberPlace>(*known) || std::holds_alternative<TensorPlace>(*known)))) {
      store_item(read(*binding), item, range, false);
      return;
    }
    auto stands_for_memory = [](const Item& thing) { return is_array(thing) || std::holds_alternative<View>(thing); };
    if (known && stands_for_memory(*known) && !stands_for_memory(item)) {
      if (!poisoned(item)) {
        error(
            ErrorKind::Type, target,
            fmt::format("`{}` stands for {}: {} needs another name", name, describe_item(*known), describe_item(item)));
      }
      return;
    }
    if (binding->block != build_.block()) {
      error(ErrorKind::Type, target,
            fmt::format("`{}` is known at compile time: it cannot change in a block that may not run", name));
      return;
    }
  }
  Binding fresh;
  fresh.block = build_.block();
  if (is_a_number) {
    auto own = number(item, range);
    InstId place = build_.variable(own->type);
    build_.store(place, own->id);
    fresh.what = Variable{place, own->type, !in_parallel_};
  } else if (is_compound(item)) {
    fresh.what = new_variable(is_tensor(item) ? Item(*as_tensor(item, range)) : item);
  } else {
    fresh.what = item;
  }
  if (binding) {
    *binding = std::move(fresh);
  } else {
    bind(name, std::move(fresh));
  }
}

void Lowering::unpack(syntax::List<syntax::ExprPtr> targets, const Item& item, const Range& range, bool compile_time) {
  std::vector<Item> parts;
  auto* value = std::get_if<Value>(&item);
  if (auto* items = std::get_if<Items>(&item)) {
    parts = *iterated_items(*items, range);
  } else if (auto* record = std::get_if<Record>(&item); record && !record->is_array) {
    parts = record->members;
  } else if (is_tensor(item)) {
    Tensor tensor = *as_tensor(item, range);
    for (int32_t i = 0; i < tensor.shape[0]; ++i) {
      const int32_t width = tensor.shape.size() == 2 ? tensor.shape[1] : 1;
      std::vector<Component> row;
      for (int32_t k = 0; k < width; ++k) row.push_back({i * width + k, InstId::None});
      parts.push_back(select_components(tensor, tensor.shape.size() == 2 ? std::vector{width} : std::vector<int32_t>{},
                                        std::move(row)));
    }
  } else if (auto* tuple = value ? std::get_if<Tuple>(value) : nullptr) {
    for (const Value& part : tuple->items) parts.push_back(part);
  } else {
    if (!poisoned(item)) error(ErrorKind::Type, range, fmt::format("{} cannot be unpacked", describe_item(item)));
    parts.assign(targets.size(), Item(Poison{}));
  }
  const auto rest = std::ranges::find_if(
      targets, [](const Expr* target) { return std::holds_alternative<syntax::Starred>(target->node); });
  if (rest != targets.end() && parts.size() + 1 >= targets.size()) {
    // What the other targets leave is a list.
    const auto at = rest - targets.begin(), size = static_cast<ptrdiff_t>(parts.size() + 1 - targets.size());
    Items middle;
    middle.is_list = true;
    middle.list.assign(parts.begin() + at, parts.begin() + at + size);
    parts.erase(parts.begin() + at, parts.begin() + at + size);
    parts.insert(parts.begin() + at, Item(std::move(middle)));
  }
  if (parts.size() != targets.size()) {
    error(ErrorKind::Type, range,
          fmt::format("{} values cannot be unpacked into {} targets", parts.size(), targets.size()));
    parts.assign(targets.size(), Item(Poison{}));
  }
  for (size_t i = 0; i < targets.size(); ++i) assign_to(*targets[i], parts[i], range, compile_time);
}

void Lowering::annotated_assign(const syntax::AnnAssign& s, const Stmt& stmt) {
  auto* name = std::get_if<syntax::Name>(&s.target->node);
  if (!name) {
    error(ErrorKind::Syntax, s.target->range, "only a variable can have an annotation in kernels");
    return;
  }
  KernelScope scope(*this);
  auto annotation = evaluate_annotation(*s.annotation, scope, options_);
  auto* compound = annotation ? std::get_if<CompoundType>(&*annotation) : nullptr;
  std::optional<Type> type;
  if (annotation && !compound) type = dtype_argument(Item(*annotation), s.annotation->range);
  if (!s.value) {
    error(ErrorKind::Syntax, stmt.range,
          fmt::format("`{}` needs a value: a variable of a kernel is declared by its first assignment", name->id));
    return;
  }
  Item value = eval(*s.value);
  if (compound) {
    assign_name(name->id, convert_item(value, *annotation, s.value->range), s.target->range, s.value->range, false);
    return;
  }
  auto number = type ? coerce_stored(value, *type, s.value->range) : std::nullopt;
  Binding* binding = find_local(name->id);
  auto* variable = binding ? std::get_if<Variable>(&binding->what) : nullptr;
  if (number && variable && variable->type != *type) {
    error(ErrorKind::Type, s.annotation->range,
          fmt::format("`{}` is already {} variable", name->id, with_article(variable->type)));
    return;
  }
  assign_name(name->id, number ? Item(Number{*number, *type}) : Item(Poison{}), s.target->range, s.value->range, false);
}

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

}  // namespace

void Lowering::augmented_assign(const syntax::AugAssign& s, const Stmt& stmt) {
  Item to = target_place(*s.target);
  Item value = eval(*s.value);
  if (poisoned(to) || poisoned(value)) return;
  auto* tensor = std::get_if<TensorPlace>(&to);
  if (!tensor) {
    if (auto* number = std::get_if<NumberPlace>(&to)) {
      update(*number, s.op, value, s, stmt);
    } else {
      error(ErrorKind::Type, stmt.range, fmt::format("`{}=` does not work on {}", text(s.op), describe_item(to)));
    }
    return;
  }
  if (s.op == Operator::MatMult) {
    store_item(to, matrix_product(loaded(to), value, stmt.range), stmt.range, false);
    return;
  }
  const bool number = is_a_number(value);
  auto operand = number ? std::nullopt : as_tensor(value, s.value->range);
  if (!number && (!operand || operand->shape != tensor->shape)) {
    error(ErrorKind::Type, stmt.range,
          fmt::format("`{}=` does not work on {} and {}", text(s.op), describe_item(to),
                      operand ? describe_item(*operand) : describe_item(value)));
    return;
  }
  for (size_t i = 0; i < tensor->components.size(); ++i) {
    update(number_place(*tensor, i), s.op, operand ? component_item(*operand, i) : value, s, stmt);
  }
}

void Lowering::update(const NumberPlace& to, Operator op, const Item& value, const syntax::AugAssign& s,
                      const Stmt& stmt) {
  auto atomic = atomic_op(op);
  bool bitwise = op == Operator::BitAnd || op == Operator::BitOr || op == Operator::BitXor;
  auto value_type = number_type(value, s.value->range);
  if (!value_type) return;
  if (bitwise && (ir::is_float(to.type) || ir::is_float(*value_type))) {
    error(ErrorKind::Type, stmt.range,
          fmt::format("`{}=` needs integers, not {} and {}", text(op), ir::name(to.type), ir::name(*value_type)));
    return;
  }
  if (atomic && (bitwise || to.type != Type::U1)) {
    // The value takes the target's type first, shared or not, so that a loop gives the same in parallel and alone.
    auto operand = coerce_stored(value, to.type, s.value->range);
    if (to.shared) {
      InstId old = build_.inst(Op::AtomicRmw, to.type, {to.pointer, *operand}, static_cast<uint32_t>(*atomic));
      check_atomic(*atomic, to.type, old, *operand, stmt.range);
      return;
    }
    Item result = apply(op, Number{build_.load(to.pointer), to.type}, Number{*operand, to.type}, stmt.range);
    build_.store(to.pointer, *coerce(result, to.type, stmt.range));
    return;
  }
  Item result = apply(op, Number{build_.load(to.pointer), to.type}, value, stmt.range);
  if (auto stored = coerce_stored(result, to.type, stmt.range)) build_.store(to.pointer, *stored);
}

}  // namespace qd::frontend
