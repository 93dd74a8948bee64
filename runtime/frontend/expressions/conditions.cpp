// Lazy evaluation: and, or, chained comparisons, `x if test else y`; and tests that are known at compile time.
#include "runtime/frontend/expressions/conditions.h"

#include <fmt/format.h>

#include "runtime/frontend/constants/compound_types.h"
#include "runtime/frontend/constants/function_bodies.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/expressions/kernel_scope.h"
#include "runtime/frontend/expressions/made_objects.h"
#include "runtime/frontend/expressions/object_operators.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/elementwise.h"
#include "runtime/frontend/values/operators.h"
#include "runtime/frontend/values/places.h"
#include "runtime/frontend/values/tensors.h"

namespace qd::frontend {

using ir::BinaryOp;
using ir::BlockId;
using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::CmpOperator;
using syntax::Expr;
using syntax::Range;

namespace {

Item either_side(Compilation& c, bool is_and, const Item& first, const Expr& part, const Range& range);
Item compare_chain(Compilation& c, const syntax::Compare& e, size_t i, const Item& left, const Expr& expr);
std::optional<std::vector<Item>> parts_of(const Item& item);
std::vector<Item> choose_numbers(Compilation& c, ir::InstId test, const ir::BlockId (&blocks)[2],
                                 const std::array<std::vector<Item>, 2>& items, const std::array<Range, 2>& ranges,
                                 int inlined);
Item choose_object(Compilation& c, ir::InstId test, const ir::BlockId (&blocks)[2], const MadeObject& yes,
                   const MadeObject& no, size_t objects, const Range& range);
Item choose_compound(Compilation& c, ir::InstId condition, const ir::BlockId (&blocks)[2], Item (&items)[2],
                     const Range& range);

// One of two values, the second of which is evaluated in a block of its own.
Item join_sides(Compilation& c, bool is_and, InstId test, Number first, BlockId block, Number second,
                bool may_speculate) {
  const Type type = first.type;
  if (may_speculate && c.build.speculatable(block)) {
    c.build.splice(block, test, is_and);
    // A select, because the second value may be no value at all (a shift too far) where the first decides.
    InstId decided = type == Type::U1 ? c.build.constant(Type::U1, Value(!is_and)) : first.id;
    std::array operands = is_and ? std::array{test, second.id, decided} : std::array{test, decided, second.id};
    return Number{c.build.inst(Op::Select, type, operands), type};
  }
  InstId place = c.build.variable(type);
  c.build.store(place, first.id);
  ir::Builder(c.kernel, block, c.build.location()).store(place, second.id);
  InstId branch = c.build.inst(Op::If, Type::Void, {test});
  c.kernel[branch].blocks = is_and ? std::array{block, c.kernel.add_block()} : std::array{c.kernel.add_block(), block};
  return Number{c.build.load(place), type};
}

/// Lowers `first and rest()` or `first or rest()`; `rest` gives a u1.
template <class Rest>
Item short_circuit(Compilation& c, bool is_and, InstId first, Rest&& rest) {
  if (!c.options.short_circuit_operators) {
    std::optional<InstId> second = rest();
    if (!second) return Poison{};
    return Number{c.build.binary(is_and ? BinaryOp::BitAnd : BinaryOp::BitOr, first, *second), Type::U1};
  }
  int inlined = c.inlined;
  BlockId block;
  std::optional<InstId> second = c.build.in_new_block(block, rest);
  if (!second) return Poison{};
  return join_sides(c, is_and, first, {first, Type::U1}, block, {*second, Type::U1}, inlined == c.inlined);
}

}  // namespace

std::optional<InstId> truth_of(Compilation& c, const syntax::BoolOp& e) {
  bool is_and = e.op == syntax::BoolOperator::And;
  auto result = lower_test(c, *e.values[0]);
  for (size_t i = 1; i < e.values.size(); ++i) {
    auto rest = [&] { return lower_test(c, *e.values[i]); };
    if (!result) {
      BlockId unused;
      c.build.in_new_block(unused, rest);  // for its errors
      continue;
    }
    Item item = short_circuit(c, is_and, *result, rest);
    auto* number = std::get_if<Number>(&item);
    result = number ? std::optional(number->id) : std::nullopt;
  }
  return result;
}

// The operand that decides, in the type that all of them have together.
Item lower_boolop(Compilation& c, const syntax::BoolOp& e) {
  Item result = evaluate(c, *e.values[0]);
  for (size_t i = 1; i < e.values.size(); ++i)
    result = either_side(c, e.op == syntax::BoolOperator::And, result, *e.values[i], e.values[0]->range);
  return result;
}

namespace {

/// Lowers `a and b` of vectors: a vector of u1, component by component. A number stands for a vector of it.
Item logic_of_tensors(Compilation& c, bool is_and, const Item& a, const Item& b, const Range& range) {
  return elementwise(c, std::array{a, b}, range, [&](const std::vector<Item>& x) -> Item {
    auto first = to_condition(c, x[0], range), second = to_condition(c, x[1], range);
    if (!first || !second) return Poison{};
    return Number{c.build.binary(is_and ? BinaryOp::BitAnd : BinaryOp::BitOr, *first, *second), Type::U1};
  });
}

/// Lowers `number and vector`: the vector is evaluated in a block of its own, which runs if the number does not decide.
Item number_and_tensor(Compilation& c, bool is_and, InstId test, BlockId block, const Item& vector,
                       const Range& range) {
  const InstId decided = c.build.constant(Type::U1, Value(!is_and));
  if (!c.options.short_circuit_operators) return logic_of_tensors(c, is_and, Number{test, Type::U1}, vector, range);
  Item truths;
  {
    const ir::Builder::Scope inside(c.build, block);
    truths = logic_of_tensors(c, is_and, Number{c.build.constant(Type::U1, Value(is_and)), Type::U1}, vector, range);
  }
  auto* tensor = std::get_if<Tensor>(&truths);
  if (!tensor) return Poison{};
  const Item whole = Tensor{Type::U1, tensor->shape, std::vector<InstId>(tensor->numbers.size(), decided)};
  const Item place = new_place(c, whole, false);
  {
    const ir::Builder::Scope inside(c.build, block);
    store_item(c, place, truths, range, false);
  }
  const InstId branch = c.build.inst(Op::If, Type::Void, {test});
  c.kernel[branch].blocks = is_and ? std::array{block, c.kernel.add_block()} : std::array{c.kernel.add_block(), block};
  return loaded(c, place);
}

Item either_side(Compilation& c, bool is_and, const Item& first, const Expr& part, const Range& range) {
  if (is_tensor(first)) return logic_of_tensors(c, is_and, first, evaluate(c, part), range);
  auto own = number_type(c, first, range);
  auto test = own ? to_condition(c, first, range) : std::nullopt;
  int inlined = c.inlined;
  BlockId block;
  Item second;
  auto evaluate_second = [&]() -> std::optional<Type> {
    second = evaluate(c, part);
    return is_tensor(second) ? std::nullopt : number_type(c, second, part.range);
  };
  auto other = c.options.short_circuit_operators ? c.build.in_new_block(block, evaluate_second) : evaluate_second();
  if (test && is_tensor(second)) return number_and_tensor(c, is_and, *test, block, second, range);
  if (!test || !other) return Poison{};
  const Type type = ir::promote(*own, *other);
  const Number one{*coerce(c, first, type, range), type};
  const auto coerce_second = [&] {
    const ir::Builder::Scope inside(c.build, c.options.short_circuit_operators ? block : c.build.block());
    return *coerce(c, second, type, part.range);
  };
  const Number two{coerce_second(), type};
  if (c.options.short_circuit_operators) return join_sides(c, is_and, *test, one, block, two, inlined == c.inlined);
  if (type == Type::U1)
    return Number{c.build.binary(is_and ? BinaryOp::BitAnd : BinaryOp::BitOr, one.id, two.id), Type::U1};
  return Number{c.build.inst(Op::Select, type, {*test, is_and ? two.id : one.id, is_and ? one.id : two.id}), type};
}

}  // namespace

Item lower_comparison(Compilation& c, const syntax::Compare& e, const Expr& expr) {
  if (auto test = static_test(c, expr); test.is_static) return test.value ? Item(Value(*test.value)) : Item(Poison{});
  const bool looks_into = e.ops[0] == CmpOperator::In || e.ops[0] == CmpOperator::NotIn;
  if (looks_into && e.ops.size() == 1) {
    const Item item = evaluate(c, *e.left), object = evaluate(c, *e.comparators[0]);
    if (poisoned(item) || poisoned(object)) return Poison{};
    if (auto found = found_in_object(c, e.ops[0] == CmpOperator::In, item, object, expr.range)) return *found;
  }
  for (CmpOperator op : e.ops) {
    if (op == CmpOperator::Is || op == CmpOperator::IsNot || op == CmpOperator::In || op == CmpOperator::NotIn) {
      const bool contains = op == CmpOperator::In || op == CmpOperator::NotIn;
      return c.report.error(
          ErrorKind::Syntax, expr.range,
          fmt::format("`{}` is only supported under qd.static; values of the run are compared by `==`{}", text(op),
                      contains ? ", one by one" : ""));
    }
  }
  return compare_chain(c, e, 0, evaluate(c, *e.left), expr);
}

namespace {

/// The comparison of known values of which one is an object of the host, as Python makes it.
std::optional<Item> compare_known_objects(Compilation& c, CmpOperator op, const Item& a, const Item& b,
                                          const Range& range) {
  auto *left = std::get_if<Value>(&a), *right = std::get_if<Value>(&b);
  KernelScope scope(c);
  auto outcome = left && right ? compare_on_host(op, *left, *right, scope) : std::nullopt;
  if (!outcome) return std::nullopt;
  if (!outcome->value) return c.report.error(ErrorKind::Compilation, range, outcome->error);
  const auto known = known_truth(*outcome->value, range, scope);
  return known ? Item(Value(*known)) : Item(Poison{});
}

Item compare_chain(Compilation& c, const syntax::Compare& e, size_t i, const Item& left, const Expr& expr) {
  const Expr& left_expr = i == 0 ? *e.left : *e.comparators[i - 1];
  const Expr& right_expr = *e.comparators[i];
  Item right = evaluate(c, right_expr);
  bool last = i + 1 == e.ops.size();
  if (!last && !std::holds_alternative<MadeObject>(right)) {
    // An operand of two comparisons is evaluated once: as a number of its own type from here on.
    auto value = to_number(c, right, right_expr.range);
    right = value ? Item(*value) : Item(Poison{});
  }
  Range range{left_expr.range.line, left_expr.range.col, right_expr.range.end_line, right_expr.range.end_col};
  auto of_objects = object_comparison(c, e.ops[i], left, right, range);
  if (!of_objects) of_objects = compare_known_objects(c, e.ops[i], left, right, range);
  if (of_objects && last && i == 0) return *std::move(of_objects);
  if (last && i == 0 && (is_tensor(left) || is_tensor(right))) return compare_tensors(c, e.ops[i], left, right, range);
  auto first = of_objects ? to_condition(c, object_truth(c, *of_objects, range), range)
                          : compare_pair(c, e.ops[i], left, right, range);
  if (!first) return Poison{};
  if (e.ops.size() > 1) c.notes.note_condition(expr, static_cast<uint32_t>(i), Number{*first, Type::U1});
  if (last) return Number{*first, Type::U1};
  return short_circuit(c, true, *first, [&]() -> std::optional<InstId> {
    Item rest = compare_chain(c, e, i + 1, right, expr);
    auto* value = std::get_if<Number>(&rest);
    return value ? std::optional(value->id) : std::nullopt;
  });
}

}  // namespace

Item lower_ternary(Compilation& c, const syntax::IfExp& e, const Expr& expr) {
  if (auto test = static_test(c, *e.test); test.is_static) {
    if (!test.value) return Poison{};
    c.notes.note_value(*e.test, Value(*test.value));
    return evaluate(c, *test.value ? *e.body : *e.orelse);
  }
  auto test = lower_test(c, *e.test);
  if (!test) {
    BlockId unused;
    c.build.in_new_block(unused, [&] { return evaluate(c, *e.body), evaluate(c, *e.orelse); });  // for their errors
    return Poison{};
  }
  const Expr* arms[2] = {e.body, e.orelse};
  return choose(c, *test, [&](int i) { return evaluate(c, *arms[i]); }, {e.body->range, e.orelse->range}, expr.range);
}

Item choose(Compilation& c, InstId test, const std::function<Item(int)>& arm, const std::array<Range, 2>& ranges,
            const Range& range) {
  int inlined = c.inlined;
  const size_t objects = c.objects.size();
  BlockId blocks[2];
  Item items[2];
  for (int i = 0; i < 2; ++i) c.build.in_new_block(blocks[i], [&] { items[i] = arm(i); });
  auto *yes = std::get_if<MadeObject>(&items[0]), *no = std::get_if<MadeObject>(&items[1]);
  if (yes && no) return choose_object(c, test, blocks, *yes, *no, objects, range);
  if (is_compound(items[0]) || is_compound(items[1])) return choose_compound(c, test, blocks, items, range);
  const auto parts = parts_of(items[0]), other_parts = parts_of(items[1]);
  if (parts && other_parts && parts->size() == other_parts->size()) {
    Items chosen;
    chosen.list = choose_numbers(c, test, blocks, {*parts, *other_parts}, ranges, inlined);
    if (chosen.list.empty()) return Poison{};
    const auto* list = std::get_if<Items>(&items[0]);
    chosen.is_list = list && list->is_list;
    return chosen;
  }
  const std::vector<Item> number =
      choose_numbers(c, test, blocks, {std::vector{items[0]}, std::vector{items[1]}}, ranges, inlined);
  return number.empty() ? Item(Poison{}) : number[0];
}

namespace {

// The parts of a tuple or list, of one or more; nothing for other items.
std::optional<std::vector<Item>> parts_of(const Item& item) {
  if (auto* items = std::get_if<Items>(&item))
    return items->keys.empty() && !items->named && !items->list.empty() ? std::optional(items->list) : std::nullopt;
  auto* tuple = known_as<Tuple>(item);
  if (!tuple || tuple->named || tuple->items.empty()) return std::nullopt;
  return std::vector<Item>(tuple->items.begin(), tuple->items.end());
}

// Chooses between numbers, one by one. Empty after an error. `inlined`: as Compilation's, before the arms.
std::vector<Item> choose_numbers(Compilation& c, InstId test, const BlockId (&blocks)[2],
                                 const std::array<std::vector<Item>, 2>& items, const std::array<Range, 2>& ranges,
                                 int inlined) {
  const size_t count = items[0].size();
  std::vector<Type> types;
  for (size_t k = 0; k < count; ++k) {
    const auto yes = number_type(c, items[0][k], ranges[0]), no = number_type(c, items[1][k], ranges[1]);
    if (!yes || !no) return {};
    types.push_back(ir::promote(*yes, *no));
  }
  std::vector<InstId> values[2];
  for (size_t i = 0; i < 2; ++i) {
    const ir::Builder::Scope inside(c.build, blocks[i]);
    for (size_t k = 0; k < count; ++k) values[i].push_back(*coerce(c, items[i][k], types[k], ranges[i]));
  }
  std::vector<Item> chosen;
  if (inlined == c.inlined && c.build.speculatable(blocks[0]) && c.build.speculatable(blocks[1])) {
    c.build.splice(blocks[0], test, true);
    c.build.splice(blocks[1], test, false);
    for (size_t k = 0; k < count; ++k)
      chosen.emplace_back(Number{c.build.inst(Op::Select, types[k], {test, values[0][k], values[1][k]}), types[k]});
    return chosen;
  }
  std::vector<InstId> places;
  for (size_t k = 0; k < count; ++k) places.push_back(c.build.variable(types[k]));
  for (size_t i = 0; i < 2; ++i) {
    ir::Builder inside(c.kernel, blocks[i], c.build.location());
    for (size_t k = 0; k < count; ++k) inside.store(places[k], values[i][k]);
  }
  InstId branch = c.build.inst(Op::If, Type::Void, {test});
  c.kernel[branch].blocks = {blocks[0], blocks[1]};
  for (size_t k = 0; k < count; ++k) chosen.emplace_back(Number{c.build.load(places[k]), types[k]});
  return chosen;
}

// Objects: those that are there before. What the arms did beside (a call that gives an object) runs in them.
Item choose_object(Compilation& c, InstId test, const BlockId (&blocks)[2], const MadeObject& yes, const MadeObject& no,
                   size_t objects, const Range& range) {
  if (yes.index >= objects || no.index >= objects)
    return c.report.error(ErrorKind::Type, range,
                          "an object is made in an arm of `x if test else y`: make it before, in a variable");
  const InstId branch = c.build.inst(Op::If, Type::Void, {test});
  c.kernel[branch].blocks = {blocks[0], blocks[1]};
  return chosen_object(c, test, yes, no, range);
}

// Chooses between vectors, matrices or structs: a variable that the arm which is taken fills.
Item choose_compound(Compilation& c, InstId test, const BlockId (&blocks)[2], Item (&items)[2], const Range& range) {
  if (poisoned(items[0]) || poisoned(items[1])) return Poison{};
  Item example;
  auto* record = std::get_if<Record>(&items[0]);
  auto* other = std::get_if<Record>(&items[1]);
  if (record && other && same_type(*record->type, *other->type)) {
    example = items[0];
  } else {
    std::optional<Tensor> tensors[2];
    for (int i = 0; i < 2; ++i) {
      const ir::Builder::Scope inside(c.build, blocks[i]);
      if (is_a_number(items[i]) && is_tensor(items[1 - i])) {  // a number stands for a vector of it
        const Number number = *to_number(c, items[i], range);
        const std::vector<int32_t> shape = tensor_facts(items[1 - i])->element_shape;
        tensors[i] = Tensor{number.type, shape, std::vector<InstId>(static_cast<size_t>(count_of(shape)), number.id)};
      } else {
        tensors[i] = as_tensor(c, items[i], range);
      }
      if (tensors[i]) items[i] = *tensors[i];
    }
    if (!tensors[0] || !tensors[1] || tensors[0]->shape != tensors[1]->shape) {
      return c.report.error(ErrorKind::Type, range,
                            fmt::format("{}{} and {} cannot stand for one another",
                                        tensors[0] && tensors[1] ? "Cannot broadcast tensor to tensor: " : "",
                                        describe_item(c, items[0]), describe_item(c, items[1])));
    }
    Tensor both = *tensors[0];
    both.type = ir::promote(both.type, tensors[1]->type);
    example = both;
  }
  Item place = empty_place(c, example);
  for (int i = 0; i < 2; ++i) {
    const ir::Builder::Scope inside(c.build, blocks[i]);
    store_item(c, place, items[i], range, false);
  }
  InstId branch = c.build.inst(Op::If, Type::Void, {test});
  c.kernel[branch].blocks = {blocks[0], blocks[1]};
  return loaded(c, place);
}

}  // namespace

StaticTest static_test(Compilation& c, const Expr& test) {
  if (static_call(c, test)) {
    Item item = static_value(c, test);
    if (poisoned(item)) return {true, std::nullopt};
    KernelScope scope(c);
    return {true, known_truth(std::get<Value>(item), test.range, scope)};
  }
  if (c.function().source->plain && !is_constant_test(test)) {
    QuietScope scope(c);
    const auto value = evaluate(test, scope, c.options);
    if (const auto known = value ? known_truth(*value, test.range, scope) : std::nullopt) return {true, known};
  }
  // `x is None` is known for every value that is no number at run time.
  const auto compared = none_test(c, test);
  if (!compared) return {};
  if (poisoned(compared->item)) return {true, std::nullopt};
  auto* value = std::get_if<Value>(&compared->item);
  return {true, (value && std::holds_alternative<None>(*value)) == compared->is};
}

}  // namespace qd::frontend
