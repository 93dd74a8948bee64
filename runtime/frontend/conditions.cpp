// What evaluates lazily: `and`, `or`, chained comparisons, conditional expressions.
#include <fmt/format.h>

#include "runtime/frontend/elementwise.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using ir::BinaryOp;
using ir::BlockId;
using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::CmpOperator;
using syntax::Expr;
using syntax::Range;

// One of two values, the second of which is evaluated in a block of its own.
Item Lowering::join(bool is_and, InstId test, Number first, BlockId block, Number second, bool may_speculate) {
  const Type type = first.type;
  if (may_speculate && speculatable(block)) {
    splice(block, test, is_and);
    // A select, because the second value may be no value at all (a shift too far) where the first decides.
    InstId decided = type == Type::U1 ? constant(Type::U1, Value(!is_and)) : first.id;
    std::array operands = is_and ? std::array{test, second.id, decided} : std::array{test, decided, second.id};
    return Number{build_.inst(Op::Select, type, operands), type};
  }
  InstId place = build_.variable(type);
  build_.store(place, first.id);
  ir::Builder(kernel_, block, build_.location()).store(place, second.id);
  InstId branch = build_.inst(Op::If, Type::Void, {test});
  kernel_[branch].blocks = is_and ? std::array{block, kernel_.add_block()} : std::array{kernel_.add_block(), block};
  return Number{build_.load(place), type};
}

template <class Rest>
Item Lowering::short_circuit(bool is_and, InstId first, Rest&& rest) {
  if (!options_.short_circuit_operators) {
    std::optional<InstId> second = rest();
    if (!second) return Poison{};
    return Number{build_.binary(is_and ? BinaryOp::BitAnd : BinaryOp::BitOr, first, *second), Type::U1};
  }
  int inlined = inlined_;
  BlockId block;
  std::optional<InstId> second = in_new_block(block, rest);
  if (!second) return Poison{};
  return join(is_and, first, {first, Type::U1}, block, {*second, Type::U1}, inlined == inlined_);
}

std::optional<InstId> Lowering::test(const Expr& expr) {
  auto* logic = std::get_if<syntax::BoolOp>(&expr.node);
  if (!logic) return condition(eval(expr), expr.range);
  const ir::Builder::Scope here(build_, location(expr.range));
  auto value = truth_of(*logic);
  note_value(expr, value ? Item(Number{*value, Type::U1}) : Item(Poison{}));
  return value;
}

std::optional<InstId> Lowering::truth_of(const syntax::BoolOp& e) {
  bool is_and = e.op == syntax::BoolOperator::And;
  auto result = test(*e.values[0]);
  for (size_t i = 1; i < e.values.size(); ++i) {
    auto rest = [&] { return test(*e.values[i]); };
    if (!result) {
      BlockId unused;
      in_new_block(unused, rest);  // for its errors
      continue;
    }
    Item item = short_circuit(is_and, *result, rest);
    auto* number = std::get_if<Number>(&item);
    result = number ? std::optional(number->id) : std::nullopt;
  }
  return result;
}

// The operand that decides, in the type that all of them have together.
Item Lowering::boolop(const syntax::BoolOp& e) {
  Item result = eval(*e.values[0]);
  for (size_t i = 1; i < e.values.size(); ++i)
    result = either(e.op == syntax::BoolOperator::And, result, *e.values[i], e.values[0]->range);
  return result;
}

Item Lowering::either(bool is_and, const Item& first, const Expr& part, const Range& range) {
  auto own = number_type(first, range);
  auto test = own ? condition(first, range) : std::nullopt;
  int inlined = inlined_;
  BlockId block;
  Item second;
  auto evaluate = [&] {
    second = eval(part);
    return number_type(second, part.range);
  };
  auto other = options_.short_circuit_operators ? in_new_block(block, evaluate) : evaluate();
  if (!test || !other) return Poison{};
  const Type type = ir::promote(*own, *other);
  const Number one{*coerce(first, type, range), type};
  const auto coerce_second = [&] {
    const ir::Builder::Scope inside(build_, options_.short_circuit_operators ? block : build_.block());
    return *coerce(second, type, part.range);
  };
  const Number two{coerce_second(), type};
  if (options_.short_circuit_operators) return join(is_and, *test, one, block, two, inlined == inlined_);
  if (type == Type::U1)
    return Number{build_.binary(is_and ? BinaryOp::BitAnd : BinaryOp::BitOr, one.id, two.id), Type::U1};
  return Number{build_.inst(Op::Select, type, {*test, is_and ? two.id : one.id, is_and ? one.id : two.id}), type};
}

Item Lowering::comparison(const syntax::Compare& e, const Expr& expr) {
  if (auto test = static_test(expr); test.is_static) return test.value ? Item(Value(*test.value)) : Item(Poison{});
  for (CmpOperator op : e.ops) {
    if (op == CmpOperator::Is || op == CmpOperator::IsNot || op == CmpOperator::In || op == CmpOperator::NotIn) {
      return error(ErrorKind::Syntax, expr.range, fmt::format("`{}` is only supported under qd.static", text(op)));
    }
  }
  return compare_chain(e, 0, eval(*e.left), expr);
}

Item Lowering::compare_chain(const syntax::Compare& e, size_t i, const Item& left, const Expr& expr) {
  const Expr& left_expr = i == 0 ? *e.left : *e.comparators[i - 1];
  const Expr& right_expr = *e.comparators[i];
  Item right = eval(right_expr);
  bool last = i + 1 == e.ops.size();
  if (!last) {
    // An operand of two comparisons is evaluated once: as a number of its own type from here on.
    auto value = number(right, right_expr.range);
    right = value ? Item(*value) : Item(Poison{});
  }
  Range range{left_expr.range.line, left_expr.range.col, right_expr.range.end_line, right_expr.range.end_col};
  if (last && i == 0 && (is_tensor(left) || is_tensor(right))) return compare_tensors(e.ops[i], left, right, range);
  auto first = compare_pair(e.ops[i], left, right, range);
  if (!first) return Poison{};
  if (e.ops.size() > 1) note_condition(expr, static_cast<uint32_t>(i), Number{*first, Type::U1});
  if (last) return Number{*first, Type::U1};
  return short_circuit(true, *first, [&]() -> std::optional<InstId> {
    Item rest = compare_chain(e, i + 1, right, expr);
    auto* value = std::get_if<Number>(&rest);
    return value ? std::optional(value->id) : std::nullopt;
  });
}

std::optional<InstId> Lowering::compare_pair(CmpOperator op, const Item& a, const Item& b, const Range& range) {
  auto *known = std::get_if<Value>(&a), *other = std::get_if<Value>(&b);
  if (known && other && is_number(*known) && is_number(*other))
    return constant(Type::U1, *frontend::compare(op, *known, *other).value);
  auto types = operand_types(a, b, range);
  if (!types) return std::nullopt;
  Type type = ir::promote(types->first, types->second);
  // u1 compares as a number.
  if (type == Type::U1) type = Type::I32;
  auto x = coerce(a, type, range);
  auto y = coerce(b, type, range);
  switch (op) {
    case CmpOperator::Lt: return build_.compare(ir::CompareOp::Lt, *x, *y);
    case CmpOperator::LtE: return build_.compare(ir::CompareOp::Le, *x, *y);
    case CmpOperator::Gt: return build_.compare(ir::CompareOp::Gt, *x, *y);
    case CmpOperator::GtE: return build_.compare(ir::CompareOp::Ge, *x, *y);
    case CmpOperator::NotEq: return build_.compare(ir::CompareOp::Ne, *x, *y);
    default: return build_.compare(ir::CompareOp::Eq, *x, *y);
  }
}

// A vector of u1.
Item Lowering::compare_tensors(CmpOperator op, const Item& a, const Item& b, const Range& range) {
  return elementwise(std::array{a, b}, range, [&](const std::vector<Item>& x) -> Item {
    auto result = compare_pair(op, x[0], x[1], range);
    return result ? Item(Number{*result, Type::U1}) : Item(Poison{});
  });
}

Item Lowering::ternary(const syntax::IfExp& e, const Expr& expr) {
  if (auto test = static_test(*e.test); test.is_static) {
    if (!test.value) return Poison{};
    note_value(*e.test, Value(*test.value));
    return eval(*test.value ? *e.body : *e.orelse);
  }
  auto test = this->test(*e.test);
  if (!test) {
    BlockId unused;
    in_new_block(unused, [&] { return eval(*e.body), eval(*e.orelse); });  // for their errors
    return Poison{};
  }
  return choose(*test, *e.body, *e.orelse, expr.range);
}

Item Lowering::choose(InstId test, const Expr& yes, const Expr& no, const Range& range) {
  int inlined = inlined_;
  BlockId blocks[2];
  const Expr* arms[2] = {&yes, &no};
  Item items[2];
  std::optional<Type> types[2];
  for (int i = 0; i < 2; ++i) {
    in_new_block(blocks[i], [&] {
      items[i] = eval(*arms[i]);
      if (!is_compound(items[i])) types[i] = number_type(items[i], arms[i]->range);
    });
  }
  if (is_compound(items[0]) || is_compound(items[1])) return choose_compound(test, blocks, items, range);
  if (!types[0] || !types[1]) return Poison{};
  Type type = ir::promote(*types[0], *types[1]);
  InstId values[2];
  for (int i = 0; i < 2; ++i) {
    const ir::Builder::Scope inside(build_, blocks[i]);
    values[i] = *coerce(items[i], type, arms[i]->range);
  }
  if (inlined == inlined_ && speculatable(blocks[0]) && speculatable(blocks[1])) {
    splice(blocks[0], test, true);
    splice(blocks[1], test, false);
    return Number{build_.inst(Op::Select, type, {test, values[0], values[1]}), type};
  }
  InstId place = build_.variable(type);
  for (int i = 0; i < 2; ++i) ir::Builder(kernel_, blocks[i], build_.location()).store(place, values[i]);
  InstId branch = build_.inst(Op::If, Type::Void, {test});
  kernel_[branch].blocks = {blocks[0], blocks[1]};
  return Number{build_.load(place), type};
}

// Vectors, matrices, structs: a variable that the arm that is taken fills.
Item Lowering::choose_compound(InstId test, const BlockId (&blocks)[2], Item (&items)[2], const Range& range) {
  if (poisoned(items[0]) || poisoned(items[1])) return Poison{};
  Item example;
  auto* record = std::get_if<Record>(&items[0]);
  auto* other = std::get_if<Record>(&items[1]);
  if (record && other && same_type(*record->type, *other->type)) {
    example = items[0];
  } else {
    std::optional<Tensor> tensors[2];
    for (int i = 0; i < 2; ++i) {
      const ir::Builder::Scope inside(build_, blocks[i]);
      tensors[i] = as_tensor(items[i], range);
      if (tensors[i]) items[i] = *tensors[i];
    }
    if (!tensors[0] || !tensors[1] || tensors[0]->shape != tensors[1]->shape) {
      return error(
          ErrorKind::Type, range,
          fmt::format("{} and {} cannot stand for one another", describe_item(items[0]), describe_item(items[1])));
    }
    Tensor both = *tensors[0];
    both.type = ir::promote(both.type, tensors[1]->type);
    example = both;
  }
  Item place = empty_place(example);
  for (int i = 0; i < 2; ++i) {
    const ir::Builder::Scope inside(build_, blocks[i]);
    store_item(place, items[i], range, false);
  }
  InstId branch = build_.inst(Op::If, Type::Void, {test});
  kernel_[branch].blocks = {blocks[0], blocks[1]};
  return loaded(place);
}

}  // namespace qd::frontend
