// Loops at run time: `for` and `while`.
#include "runtime/frontend/statements/loops.h"

#include <fmt/format.h>

#include "runtime/frontend/constants/diagnostics.h"
#include "runtime/frontend/constants/function_bodies.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/expressions/conditions.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/expressions/object_operators.h"
#include "runtime/frontend/memory/names.h"
#include "runtime/frontend/statements/checkpoints.h"
#include "runtime/frontend/statements/statements.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/places.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::Expr;
using syntax::Stmt;

namespace {

// Binds a loop's name: to the index itself if the body only reads it, to a variable if it assigns it.
void bind_loop_name(Compilation& c, const syntax::For& s, const Expr& target, Binding binding) {
  auto* name = std::get_if<syntax::Name>(&target.node);
  if (!name) {
    c.report.error(ErrorKind::Syntax, target.range,
                   fmt::format("{} cannot be a loop variable in kernels", node_name(target)));
    return;
  }
  if (assigns(s.body, name->id) && std::holds_alternative<LoopIndexRef>(binding.what)) {
    Item index = read_binding(c, binding);
    if (auto* number = std::get_if<Number>(&index)) {
      InstId place = c.build.variable(number->type);
      c.build.store(place, number->id);
      binding.what = Variable{place, number->type, false};
    } else if (std::holds_alternative<Tensor>(index)) {
      binding.what = CompoundVariable{std::make_shared<const Item>(new_place(c, index, false)), false};
    }
  }
  declare_loop_variable(c, name->id, std::move(binding), target.range);
}

void bind_loop_targets(Compilation& c, const syntax::For& s, InstId loop, const Axes& axes) {
  uint32_t count = static_cast<uint32_t>(axes.bounds.size() / 2);
  auto* several = std::get_if<syntax::Tuple>(&s.target->node);
  std::vector<uint32_t> position(count);  // in the loop, of each index
  for (uint32_t axis = 0; axis < count; ++axis) position[axes.order.empty() ? axis : axes.order[axis]] = axis;
  if (!several && !axes.order.empty()) {
    Tensor indices{vector_type_of(c.kernel, loop, 0, count), {static_cast<int32_t>(count)}, {}};
    Items tuple;
    for (uint32_t axis : position) {
      const Number index = loop_index(c, loop, axis);
      if (axes.grouped) indices.numbers.push_back(c.build.cast(indices.type, index.id));
      tuple.list.push_back(index);
    }
    bind_loop_name(c, s, *s.target, {axes.grouped ? Item(std::move(indices)) : Item(std::move(tuple))});
    return;
  }
  if (!several) {
    bool grouped = axes.grouped || count > 1;
    bind_loop_name(c, s, *s.target, {LoopIndexRef{loop, 0, count, grouped, axes.grouped}});
    return;
  }
  if (axes.grouped || several->elts.size() != count) {
    c.report.error(ErrorKind::Syntax, s.target->range,
                   axes.grouped ? std::string("`grouped` gives one loop variable")
                                : fmt::format("{} for {}", counted(several->elts.size(), "loop variable"),
                                              counted(count, "axis")));
    poison_targets(c, *s.target);
    return;
  }
  for (uint32_t axis = 0; axis < count; ++axis) {
    bind_loop_name(c, s, *several->elts[axis], {LoopIndexRef{loop, position[axis], 1, false}});
  }
}

/// Loop variables of a parallel loop, by which messages name an iteration.
std::vector<LoopVariable> loop_variables(Compilation& c, const syntax::For& s, InstId loop, const Axes& axes) {
  const auto count = static_cast<uint32_t>(axes.bounds.size() / 2);
  std::vector<std::pair<uint32_t, Type>> indices(count);  // in the order of the targets
  for (uint32_t axis = 0; axis < count; ++axis)
    indices[axes.order.empty() ? axis : axes.order[axis]] = {axis, index_type_of(c.kernel, loop, axis)};
  if (auto* name = std::get_if<syntax::Name>(&s.target->node))
    return {{name->id, loop, indices, axes.grouped || count > 1}};
  std::vector<LoopVariable> result;
  auto* several = std::get_if<syntax::Tuple>(&s.target->node);
  for (uint32_t axis = 0; several && axis < count && axis < several->elts.size(); ++axis) {
    if (auto* name = std::get_if<syntax::Name>(&several->elts[axis]->node))
      result.push_back({name->id, loop, {indices[axis]}, false});
  }
  return result;
}

/// Lowers the loop itself. Gives its context as it is behind the body.
LoopContext run_time_loop(Compilation& c, const syntax::For& s, const Stmt& stmt, const std::optional<Axes>& axes,
                          const std::vector<InstId>& bounds, uint32_t row, bool parallel, int32_t next) {
  const int32_t line = c.function().line_of(stmt.range);
  InstId loop = c.build.inst(Op::For, Type::Void, bounds, row);
  bool outer_parallel = std::exchange(c.function().in_parallel, c.function().in_parallel || parallel);
  std::vector<LoopVariable> outer_iteration = c.function().iteration;
  if (parallel && axes) c.function().iteration = loop_variables(c, s, loop, *axes);
  ++c.function().runtime_depth;
  c.function().loops.push_back({false, parallel, c.function().runtime_depth, line, next});
  c.function().loops.back().block_dim = c.kernel.loops[row].block_dim;
  c.function().push_scope();
  const size_t stopped = c.stopped.size();
  ir::BlockId block;
  c.build.in_new_block(block, [&] {
    c.function().probed = {c.build.block(), line};
    c.notes.edge(stmt, s.body, line);
    if (axes) {
      bind_loop_targets(c, s, loop, *axes);
    } else {
      poison_targets(c, *s.target);
    }
    lower_suite(c, s.body, stmt, line);
  });
  c.kernel[loop].blocks[0] = block;
  c.stopped.resize(stopped);
  pop_scope(c, stmt.range);
  const LoopContext context = c.function().loops.back();
  c.function().loops.pop_back();
  --c.function().runtime_depth;
  c.function().in_parallel = outer_parallel;
  c.function().iteration = std::move(outer_iteration);
  if (parallel) finish_block_loop(c, loop, stmt.range);
  if (c.options.wants(ir::Instrument::Arcs) && (context.broken || context.returns)) {
    ir::BlockId exhausted;
    c.build.in_new_block(exhausted, [&] { c.notes.probe(line, next); });
    c.kernel[loop].blocks[1] = exhausted;
  }
  return context;
}

}  // namespace

Flow for_statement(Compilation& c, const syntax::For& s, const Stmt& stmt, int32_t next) {
  if (!s.orelse.empty())
    c.report.error(ErrorKind::Syntax, s.orelse[0]->range, "`else` of a loop is not supported in kernels");
  const Expr* iter = s.iter;
  while (auto* choice = std::get_if<syntax::IfExp>(&iter->node)) {
    auto test = static_test(c, *choice->test);
    if (!test.is_static || !test.value) break;
    c.notes.note_value(*choice->test, Value(*test.value));
    iter = *test.value ? choice->body : choice->orelse;
  }
  if (const syntax::Call* call = static_call(c, *iter)) return static_for(c, s, *call, stmt, next);

  bool top_level = c.build.at_top_level();
  int32_t line = c.function().line_of(stmt.range);
  auto axes = axes_of(c, *iter);
  ir::LoopInfo info = take_loop_info(c, stmt.range, top_level);
  bool parallel = top_level && info.parallel;
  if (top_level && !parallel && c.regions.innermost() == Region::StreamBlock)
    c.report.error(ErrorKind::Syntax, stmt.range, std::string(kNoSerialLoopInStreams));
  c.kernel.loops.push_back(std::move(info));
  // A loop over an invalid iterable is still read for the errors in its body.
  std::vector<InstId> bounds = axes ? loop_bounds(c, *axes) : std::vector<InstId>();
  const auto row = static_cast<uint32_t>(c.kernel.loops.size() - 1);
  LoopContext context;
  auto lower_loop = [&] { context = run_time_loop(c, s, stmt, axes, bounds, row, parallel, next); };
  is_implicit_checkpoint(c) ? implicit_checkpoint(c, lower_loop) : lower_loop();
  if (c.options.wants(ir::Instrument::Arcs) && !context.broken && !context.returns) c.notes.probe(line, next);
  leave_after_loop(c, context);
  return Flow::Next;
}

Flow while_statement(Compilation& c, const syntax::While& s, const Stmt& stmt, int32_t next) {
  if (const syntax::Call* call = do_while_call(c, s)) return do_while_statement(c, s, *call, stmt, next);
  const auto& around = c.function().loops;
  if (c.functions.size() == 1 && !around.empty() && around.back().scheduled)
    c.report.error(
        ErrorKind::Syntax, stmt.range,
        "a `while` cannot stand directly in a `while qd.graph.do_while(...)`, nor under an `if` there: write "
        "`for _ in range(1):` around it");
  if (!s.orelse.empty())
    c.report.error(ErrorKind::Syntax, s.orelse[0]->range, "`else` of a loop is not supported in kernels");
  int32_t line = c.function().line_of(stmt.range);
  InstId loop = c.build.inst(Op::Loop, Type::Void, {});
  ++c.function().runtime_depth;
  c.function().loops.push_back({false, false, c.function().runtime_depth, line, next});
  c.function().push_scope();
  ir::BlockId block;
  bool endless = false;
  c.build.in_new_block(block, [&] {
    c.function().statement_block = c.build.block();
    const bool logic = std::holds_alternative<syntax::BoolOp>(s.test->node);
    Item test = logic ? Item(Poison{}) : evaluate(c, *s.test);
    auto* known = known_number(test);
    endless = known && truth(*known);
    auto value = logic     ? lower_test(c, *s.test)
                 : endless ? std::nullopt
                           : to_condition(c, object_truth(c, test, s.test->range), s.test->range);
    if (value) {
      InstId branch = c.build.inst(Op::If, Type::Void, {c.build.unary(ir::UnaryOp::LogicalNot, *value)});
      ir::BlockId leave;
      c.build.in_new_block(leave, [&] {
        if (!is_constant_test(*s.test)) c.notes.probe(line, next);
        c.build.inst(Op::Break, Type::Void, {});
      });
      c.kernel[branch].blocks = {leave, c.kernel.add_block()};
    }
    c.function().probed = {c.build.block(), line};
    if (!is_constant_test(*s.test)) c.notes.edge(stmt, s.body, line);
    lower_suite(c, s.body, stmt, line);
  });
  c.kernel[loop].blocks[0] = block;
  pop_scope(c, stmt.range);
  const LoopContext context = c.function().loops.back();
  c.function().loops.pop_back();
  --c.function().runtime_depth;
  // Without a way out, later statements are dead.
  const bool dead = endless && !context.broken;
  const ir::BlockId rest = leave_after_loop(c, context);
  if (!dead) return Flow::Next;
  c.function().endless = true;
  c.function().dead = rest;
  return Flow::Left;
}

}  // namespace qd::frontend
