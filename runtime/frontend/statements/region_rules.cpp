// Rules for regions: the statements that may stand directly in a block that the schedule runs.
#include "runtime/frontend/statements/region_rules.h"

#include <fmt/format.h>

#include <utility>

#include "runtime/frontend/constants/diagnostics.h"
#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/expressions/conditions.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/values/conversion.h"

namespace qd::frontend {
namespace {

/// Whether a statement is a docstring or `...`.
bool is_text(const Stmt& stmt) {
  auto* expression = std::get_if<syntax::ExprStmt>(&stmt.node);
  auto* constant = expression ? std::get_if<syntax::Constant>(&expression->value->node) : nullptr;
  return constant && (constant->kind == syntax::ConstantKind::Str || constant->kind == syntax::ConstantKind::Ellipsis);
}

bool is_section(Compilation& c, const Stmt& stmt) {
  auto* with = std::get_if<syntax::With>(&stmt.node);
  auto* call =
      with && with->items.size() == 1 ? std::get_if<syntax::Call>(&with->items[0].context_expr->node) : nullptr;
  const BuiltinInfo* info = call ? builtin_of(c, *call->func) : nullptr;
  return info && info->kind == BuiltinKind::ParallelSection;
}

/// Whether a statement calls a func, or a method: its loops are loops of the block.
bool calls_func(Compilation& c, const Stmt& stmt) {
  auto* expression = std::get_if<syntax::ExprStmt>(&stmt.node);
  auto* call = expression ? std::get_if<syntax::Call>(&expression->value->node) : nullptr;
  return call && !builtin_of(c, *call->func);
}

std::string_view header(Region region) {
  return region == Region::StreamBlock ? "with qd.stream_parallel():" : "with qd.checkpoint(...):";
}

/// The error of a block that holds for-loops alone, or also calls of funcs.
std::string not_a_loop(Region region, const Stmt& stmt) {
  const bool branch = std::holds_alternative<syntax::If>(stmt.node);
  const std::string holds =
      fmt::format("a `{}` holds {} alone", header(region),
                  region == Region::StreamBlock ? "`for` loops and calls of funcs" : "`for` loops");
  if (!branch && !std::holds_alternative<syntax::While>(stmt.node))
    return fmt::format("{}: write `for _ in range(1):` around this statement", holds);
  return fmt::format("{}: write the `{}` in a loop", holds, branch ? "if" : "while");
}

}  // namespace

bool leaves_no_code(Compilation& c, const Stmt& stmt) {
  if (std::holds_alternative<syntax::Pass>(stmt.node) || is_text(stmt)) return true;
  auto* expression = std::get_if<syntax::ExprStmt>(&stmt.node);
  if (!expression) return false;
  if (is_compile_time_call(c, *expression->value)) return true;
  auto* call = std::get_if<syntax::Call>(&expression->value->node);
  const BuiltinInfo* info = call ? builtin_of(c, *call->func) : nullptr;
  return info && info->kind == BuiltinKind::LoopConfig;
}

bool may_stand_here(Compilation& c, const Stmt& stmt) {
  const Region region = c.regions.innermost();
  const bool loops = region == Region::StreamBlock || region == Region::Checkpoint;
  if (!loops && region != Region::ParallelContext) return true;
  if (c.functions.size() > 1 || !c.build.at_top_level() || leaves_no_code(c, stmt)) return true;
  if (region == Region::StreamBlock && calls_func(c, stmt)) return true;
  if (auto* loop = std::get_if<syntax::For>(&stmt.node)) {
    if (loops || static_call(c, *loop->iter)) return true;
  } else if (auto* branch = std::get_if<syntax::If>(&stmt.node)) {
    // Its values are noted when it is lowered.
    const bool covered = std::exchange(c.function().covered, false);
    const bool is_static = static_test(c, *branch->test).is_static;
    c.function().covered = covered;
    if (is_static) return true;
  } else if (auto* loop = std::get_if<syntax::While>(&stmt.node)) {
    auto* call = std::get_if<syntax::Call>(&loop->test->node);
    const BuiltinInfo* info = call ? builtin_of(c, *call->func) : nullptr;
    if (info && info->kind == BuiltinKind::GraphDoWhile) return true;  // it has a message of its own
  } else if (std::holds_alternative<syntax::With>(stmt.node)) {
    if (loops || is_section(c, stmt)) return true;  // nested blocks have messages of their own
  }
  c.report.error(ErrorKind::Syntax, stmt.range,
                 loops ? not_a_loop(region, stmt)
                       : "a `with qd.graph.parallel_context():` holds sections alone: write this in a `with "
                         "qd.graph.parallel():`, or before or behind the context");
  return false;
}

bool stands_where_it_may(Compilation& c, std::string_view name, Where where, const Range& range) {
  if (c.functions.size() > 1) {
    c.report.error(ErrorKind::Syntax, range, fmt::format("{} stands in a @qd.kernel, not in a func", name));
    return false;
  }
  const Region around = c.regions.innermost();
  const bool in_loop = around == Region::DoWhile && (where == Where::DoWhile || where == Where::OneInAnother);
  const bool at_top = around == Region::TopLevel && where != Where::Nowhere;
  if (c.build.at_top_level() && (at_top || in_loop)) return true;
  constexpr std::string_view kPlaces[] = {"", "", " or directly in a `while qd.graph.do_while(...)`",
                                          " or directly in another `while qd.graph.do_while(...)`"};
  c.report.error(
      ErrorKind::Syntax, range,
      fmt::format("{} stands at the top level of a kernel{}, not under an `if`, `for` or `while`, nor in {} "
                  "`with`",
                  name, kPlaces[static_cast<size_t>(where)], where == Where::OneInAnother ? "a" : "another"));
  return false;
}

void needs_graph(Compilation& c, std::string_view name, const Range& range) {
  if (!c.options.graph)
    c.report.error(ErrorKind::Syntax, range, fmt::format("{} requires @qd.kernel(graph=True)", name));
}

void takes_no_arguments(Compilation& c, const syntax::Call& call, std::string_view name) {
  if (call.args.empty() && call.keywords.empty()) return;
  c.report.error(ErrorKind::Syntax, call.args.empty() ? call.keywords[0].value->range : call.args[0]->range,
                 fmt::format("{} takes no arguments", name));
}

std::string source_text(Compilation& c, const Range& range) {
  const std::string line = source_line(c.function().source->module->source, range.line);
  if (range.end_line != range.line) return line.substr(static_cast<size_t>(range.col)) + " ...";
  return line.substr(static_cast<size_t>(range.col), static_cast<size_t>(range.end_col - range.col));
}

std::optional<Item> flag_argument(Compilation& c, const Expr& flag, std::string_view of) {
  Item item = evaluate(c, flag);
  if (poisoned(item)) return std::nullopt;
  auto* ref = std::get_if<ArrayRef>(&item);
  const ir::Array* array = ref ? &c.kernel.arrays[ref->index] : nullptr;
  const bool parameter = array && array->kind == ir::Array::Kind::Parameter;
  if (parameter && array->rank == 0 && array->type == ir::Type::I32 && ref->element_shape.empty()) return item;
  const std::string text = source_text(c, flag.range);
  auto* name = std::get_if<syntax::Name>(&flag.node);
  const Binding* binding = name ? c.function().find_local(name->id) : nullptr;
  if (parameter || (binding && binding->immutable)) {
    const std::string got = array
                                ? fmt::format("{} {} of {} dimension{}", ir::name(array->type),
                                              parameter ? "ndarray" : "field", array->rank, array->rank == 1 ? "" : "s")
                                : describe_item(c, item);
    c.report.error(ErrorKind::Type, flag.range,
                   fmt::format("`{}`, the flag of {}: expected i32 ndarray of 0 dimensions, got {}", text, of, got));
  } else {
    c.report.error(ErrorKind::Syntax, flag.range,
                   fmt::format("the flag of {} is an argument of the kernel: a parameter, a member of one, or one of "
                               "self, not `{}`",
                               of, text));
  }
  return std::nullopt;
}

}  // namespace qd::frontend
