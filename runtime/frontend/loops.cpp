// Loops at run time: `for` over ranges, ndranges, fields and arrays, and `while`.
#include <fmt/format.h>

#include "runtime/frontend/lowering.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::Expr;
using syntax::overloaded;
using syntax::Range;
using syntax::Stmt;

std::optional<InstId> Lowering::bound(const Item& item, const Range& range) {
  auto type = number_type(item, range);
  if (!type) return std::nullopt;
  if (ir::is_float(*type))
    warn(range, fmt::format("the bound of a loop is {}: it is truncated to i32", with_article(*type)));
  if (auto* value = std::get_if<Value>(&item); value && !ir::is_float(*type) && !fits(*value, Type::I32)) {
    error(ErrorKind::Type, range, "the bound of a loop does not fit i32");
    return std::nullopt;
  }
  return coerce(item, Type::I32, range);
}

bool Lowering::range_bounds(const syntax::Call& e, const Expr& expr, Axes& axes) {
  if (e.args.size() == 3) {
    error(ErrorKind::Syntax, e.args[2]->range, "`range` with a step is not supported in kernels");
    return false;
  }
  auto args = arguments(e, expr, "range", 1, 2);
  if (!args) return false;
  auto begin = args->size() == 2 ? bound((*args)[0], e.args[0]->range) : constant(Type::I32, Value(int64_t{0}));
  auto end = bound(args->back(), e.args.back()->range);
  if (!begin || !end) return false;
  axes.bounds = {*begin, *end};
  return true;
}

bool Lowering::ndrange_bounds(const syntax::Call& e, const Expr& expr, Axes& axes) {
  syntax::Call positional = e;
  if (e.keywords.size() == 1 && e.keywords[0].arg == "axes") positional.keywords = {};
  auto args = arguments(positional, expr, "ndrange", 1, 8);
  if (!args) return false;
  for (size_t i = 0; i < args->size(); ++i) {
    const Range& range = e.args.size() == args->size() ? e.args[i]->range : expr.range;
    std::vector<Item> pair;
    auto* value = std::get_if<Value>(&(*args)[i]);
    if (auto* items = std::get_if<Items>(&(*args)[i])) {
      pair = items->list;
    } else if (auto* tuple = value ? std::get_if<Tuple>(value) : nullptr) {
      for (const Value& v : tuple->items) pair.push_back(v);
    } else {
      pair = {Item(Value(int64_t{0})), (*args)[i]};
    }
    if (pair.size() != 2) {
      error(ErrorKind::Syntax, range, "an axis of `ndrange` is a number or a pair (begin, end)");
      return false;
    }
    auto begin = bound(pair[0], range);
    auto end = bound(pair[1], range);
    if (!begin || !end) return false;
    axes.bounds.push_back(*begin);
    axes.bounds.push_back(*end);
  }
  return positional.keywords.size() == e.keywords.size() || order_axes(e.keywords[0], axes);
}

bool Lowering::order_axes(const syntax::Keyword& keyword, Axes& axes) {
  Item item = static_value(*keyword.value);
  if (poisoned(item)) return false;
  const Value& value = std::get<Value>(item);
  if (std::holds_alternative<None>(value)) return true;
  const size_t count = axes.bounds.size() / 2;
  auto* order = std::get_if<Tuple>(&value);
  std::vector<InstId> bounds;
  std::vector<bool> seen(count);
  for (size_t i = 0; order && order->items.size() == count && i < count; ++i) {
    auto axis = as_integer(order->items[i]);
    if (!axis || *axis < 0 || *axis >= static_cast<int64_t>(count) || seen[static_cast<size_t>(*axis)]) break;
    const size_t at = static_cast<size_t>(*axis);
    seen[at] = true;
    axes.order.push_back(static_cast<uint32_t>(at));
    bounds.insert(bounds.end(), {axes.bounds[2 * at], axes.bounds[2 * at + 1]});
  }
  if (bounds.size() != axes.bounds.size()) {
    error(ErrorKind::Syntax, keyword.range,
          fmt::format("`axes` names each of the {} axes once, the outermost first", count));
    return false;
  }
  axes.bounds = std::move(bounds);
  return true;
}

bool Lowering::array_bounds(const Item& array, const Range& range, Axes& axes) {
  const Item* first = &array;
  while (auto* record = std::get_if<Record>(first)) first = &record->members.at(0);
  auto* value = std::get_if<Value>(first);
  auto* field = value ? std::get_if<Field>(value) : nullptr;
  Item shape = shape_of(*first);
  size_t axis = 0;
  for (const Item& extent : std::get<Items>(shape).list) {
    const int64_t begin = field ? field->first_index(axis++) : 0;
    axes.bounds.push_back(constant(Type::I32, Value(begin)));
    axes.bounds.push_back(begin == 0 ? *coerce(extent, Type::I32, range)
                                     : constant(Type::I32, Value(begin + field->shape[axis - 1])));
  }
  if (!axes.bounds.empty()) return true;
  error(ErrorKind::Type, range, fmt::format("{} has no axes to iterate over", describe_item(array)));
  return false;
}

std::optional<Lowering::Axes> Lowering::axes_of(const Expr& iter) {
  Axes axes;
  if (auto* call = std::get_if<syntax::Call>(&iter.node)) {
    const BuiltinInfo* info = builtin_of(*call->func);
    if (info && info->kind == BuiltinKind::Range)
      return range_bounds(*call, iter, axes) ? std::optional(axes) : std::nullopt;
    if (info && info->kind == BuiltinKind::NdRange)
      return ndrange_bounds(*call, iter, axes) ? std::optional(axes) : std::nullopt;
    if (info && info->kind == BuiltinKind::Grouped && call->args.size() == 1) {
      auto inner = axes_of(*call->args[0]);
      if (inner) inner->grouped = true;
      return inner;
    }
  }
  Item item = eval_place(iter);
  if (poisoned(item)) return std::nullopt;
  if (auto* view = std::get_if<View>(&item)) {
    axes.bounds = {constant(Type::I32, Value(int64_t{0})), view->size};
    return axes;
  }
  if (is_array(item)) {
    return array_bounds(item, iter.range, axes) ? std::optional(axes) : std::nullopt;
  }
  error(
      ErrorKind::Syntax, iter.range,
      fmt::format("a `for` of a kernel iterates over range, ndrange, a field, an array, or qd.static(...), not over {}",
                  describe_item(item)));
  return std::nullopt;
}

// The index itself where the body only reads it, a variable where it assigns it.
void Lowering::bind_loop_name(const syntax::For& s, const Expr& target, Binding binding) {
  auto* name = std::get_if<syntax::Name>(&target.node);
  if (!name) {
    error(ErrorKind::Syntax, target.range, fmt::format("{} cannot be a loop variable in kernels", node_name(target)));
    return;
  }
  if (assigns(s.body, name->id) && std::holds_alternative<LoopIndexRef>(binding.what)) {
    Item index = read(binding);
    if (auto* number = std::get_if<Number>(&index)) {
      InstId place = build_.variable(number->type);
      build_.store(place, number->id);
      binding.what = Variable{place, number->type, false};
    } else if (std::holds_alternative<Tensor>(index)) {
      binding.what = CompoundVariable{std::make_shared<const Item>(new_place(index, false)), false};
    }
  }
  declare_loop_variable(name->id, std::move(binding), target.range);
}

void Lowering::poison_targets(const Expr& target) {
  if (auto* name = std::get_if<syntax::Name>(&target.node)) bind(name->id, {Item(Poison{})});
  if (auto* several = std::get_if<syntax::Tuple>(&target.node)) {
    for (const Expr* element : several->elts) poison_targets(*element);
  }
}

void Lowering::bind_loop_targets(const syntax::For& s, InstId loop, const Axes& axes) {
  uint32_t count = static_cast<uint32_t>(axes.bounds.size() / 2);
  auto* several = std::get_if<syntax::Tuple>(&s.target->node);
  std::vector<uint32_t> position(count);  // in the loop, of each index
  for (uint32_t axis = 0; axis < count; ++axis) position[axes.order.empty() ? axis : axes.order[axis]] = axis;
  if (!several && !axes.order.empty()) {
    Tensor indices{Type::I32, {static_cast<int32_t>(count)}, {}};
    Items tuple;
    for (uint32_t axis : position) {
      indices.numbers.push_back(build_.inst(Op::LoopIndex, Type::I32, {}, static_cast<uint32_t>(loop), axis));
      tuple.list.push_back(Number{indices.numbers.back(), Type::I32});
    }
    bind_loop_name(s, *s.target, {axes.grouped ? Item(std::move(indices)) : Item(std::move(tuple))});
    return;
  }
  if (!several) {
    bool grouped = axes.grouped || count > 1;
    bind_loop_name(s, *s.target, {LoopIndexRef{loop, 0, count, grouped, axes.grouped}});
    return;
  }
  if (axes.grouped || several->elts.size() != count) {
    error(ErrorKind::Syntax, s.target->range,
          axes.grouped
              ? std::string("`grouped` gives one loop variable")
              : fmt::format("{} loop variables for {} {}", several->elts.size(), count, count == 1 ? "axis" : "axes"));
    poison_targets(*s.target);
    return;
  }
  for (uint32_t axis = 0; axis < count; ++axis) {
    bind_loop_name(s, *several->elts[axis], {LoopIndexRef{loop, position[axis], 1, false}});
  }
}

ir::LoopInfo Lowering::take_loop_info(const Stmt& stmt, bool top_level) {
  ir::LoopInfo info = loop_info_.value_or(ir::LoopInfo{});
  loop_info_.reset();
  if (!top_level && !info.name.empty()) {
    warn(stmt.range, "only a loop at the top level of a kernel can have a name");
    info.name.clear();
  }
  return info;
}

Flow Lowering::for_statement(const syntax::For& s, const Stmt& stmt, int32_t next) {
  if (!s.orelse.empty()) error(ErrorKind::Syntax, s.orelse[0]->range, "`else` of a loop is not supported in kernels");
  const Expr* iter = s.iter;
  while (auto* choice = std::get_if<syntax::IfExp>(&iter->node)) {
    auto test = static_test(*choice->test);
    if (!test.is_static || !test.value) break;
    note_value(*choice->test, Value(*test.value));
    iter = *test.value ? choice->body : choice->orelse;
  }
  if (const syntax::Call* call = static_call(*iter)) return static_for(s, *call, stmt, next);

  bool top_level = at_top_level();
  int32_t line = line_of(stmt.range);
  auto axes = axes_of(*iter);
  if (axes && axes->bounds.size() > 16) error(ErrorKind::Syntax, iter->range, "a loop has at most 8 axes");
  ir::LoopInfo info = take_loop_info(stmt, top_level);
  bool parallel = top_level && info.parallel;
  kernel_.loops.push_back(std::move(info));
  // A loop over something wrong is still read for the errors in its body.
  std::vector<InstId> bounds = axes ? axes->bounds : std::vector<InstId>();
  InstId loop = build_.inst(Op::For, Type::Void, bounds, static_cast<uint32_t>(kernel_.loops.size() - 1));
  bool outer_parallel = std::exchange(in_parallel_, in_parallel_ || parallel);
  ++frame().runtime_depth;
  frame().loops.push_back({false, parallel, frame().runtime_depth, line, next});
  push_scope();
  ir::BlockId block;
  in_new_block(block, [&] {
    probed_ = {build_.block(), line};
    edge(stmt, s.body, line);
    if (axes) {
      bind_loop_targets(s, loop, *axes);
    } else {
      poison_targets(*s.target);
    }
    suite(s.body, stmt, line);
  });
  kernel_[loop].blocks[0] = block;
  pop_scope(stmt.range);
  const LoopContext context = frame().loops.back();
  frame().loops.pop_back();
  --frame().runtime_depth;
  in_parallel_ = outer_parallel;
  if (options_.wants(ir::Instrument::Arcs) && !context.broken && !context.returns) {
    probe(line, next);
  } else if (options_.wants(ir::Instrument::Arcs)) {
    ir::BlockId exhausted;
    in_new_block(exhausted, [&] { probe(line, next); });
    kernel_[loop].blocks[1] = exhausted;
  }
  leave_after_loop(context);
  return Flow::Next;
}

Flow Lowering::while_statement(const syntax::While& s, const Stmt& stmt, int32_t next) {
  if (!s.orelse.empty()) error(ErrorKind::Syntax, s.orelse[0]->range, "`else` of a loop is not supported in kernels");
  int32_t line = line_of(stmt.range);
  InstId loop = build_.inst(Op::Loop, Type::Void, {});
  ++frame().runtime_depth;
  frame().loops.push_back({false, false, frame().runtime_depth, line, next});
  push_scope();
  ir::BlockId block;
  bool endless = false;
  in_new_block(block, [&] {
    statement_block_ = build_.block();
    const bool logic = std::holds_alternative<syntax::BoolOp>(s.test->node);
    Item test = logic ? Item(Poison{}) : eval(*s.test);
    auto* known = std::get_if<Value>(&test);
    endless = known && is_number(*known) && truth(*known);
    auto value = logic ? this->test(*s.test) : endless ? std::nullopt : condition(test, s.test->range);
    if (value) {
      InstId branch = build_.inst(Op::If, Type::Void, {build_.unary(ir::UnaryOp::LogicalNot, *value)});
      ir::BlockId leave;
      in_new_block(leave, [&] {
        if (!is_constant_test(*s.test)) probe(line, next);
        build_.inst(Op::Break, Type::Void, {});
      });
      kernel_[branch].blocks = {leave, kernel_.add_block()};
    }
    probed_ = {build_.block(), line};
    if (!is_constant_test(*s.test)) edge(stmt, s.body, line);
    suite(s.body, stmt, line);
  });
  kernel_[loop].blocks[0] = block;
  pop_scope(stmt.range);
  const LoopContext context = frame().loops.back();
  frame().loops.pop_back();
  --frame().runtime_depth;
  // Without a way out, what follows is dead.
  const bool dead = endless && !context.broken;
  const ir::BlockId rest = leave_after_loop(context);
  if (!dead) return Flow::Next;
  frame().endless = true;
  frame().dead = rest;
  return Flow::Left;
}

}  // namespace qd::frontend
