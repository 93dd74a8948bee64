// `with` statements: blocks of a kernel that may run beside others, and checkpoints.
//
//   with qd.stream_parallel():           region 1 { the loops of the first block }
//       for i in x: ...            ->    region 1 { those of the second }
//   with qd.stream_parallel():
//       for i in y: ...                  The sections of one group that stand side by side become one fork.
//
// Python comes back to the header when a `with` ends: so do the probes.
#include "runtime/frontend/statements/statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/frontend/constants/function_bodies.h"
#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/memory/names.h"
#include "runtime/frontend/statements/checkpoints.h"
#include "runtime/frontend/statements/region_rules.h"

namespace qd::frontend {

using ir::Op;
using ir::Type;
using syntax::Stmt;

namespace {

/// The group of all blocks of qd.stream_parallel(): they are the whole top level of their kernel.
constexpr uint64_t kStreams = 1;

void lower_body(Compilation& c, const syntax::With& s, const Stmt& stmt, Region region) {
  c.regions.around.push_back(region);
  c.function().push_scope();
  const int32_t line = c.function().line_of(stmt.range);
  c.function().probed = {c.build.block(), line};
  c.notes.edge(stmt, s.body, line);
  lower_suite(c, s.body, stmt, line);
  pop_scope(c, stmt.range);
  c.regions.around.pop_back();
}

void section(Compilation& c, const syntax::With& s, const Stmt& stmt, Region region, uint64_t group) {
  const ir::InstId inst = c.build.inst(Op::Region, Type::Void, {}, 0, group);
  ir::BlockId block;
  c.build.in_new_scheduled_block(block, [&] { lower_body(c, s, stmt, region); });
  c.kernel[inst].blocks[0] = block;
}

/// Checks, once a kernel: beside blocks that run at the same time nothing else may stand, because it would be in no
/// order with them.
void check_top_level(Compilation& c) {
  if (std::exchange(c.regions.streams_checked, true)) return;
  for (const Stmt* stmt : without_docstring(c.function().source->function().body)) {
    auto* with = std::get_if<syntax::With>(&stmt->node);
    auto* call =
        with && with->items.size() == 1 ? std::get_if<syntax::Call>(&with->items[0].context_expr->node) : nullptr;
    const BuiltinInfo* info = call ? builtin_of(c, *call->func) : nullptr;
    if ((info && info->kind == BuiltinKind::StreamParallel) || leaves_no_code(c, *stmt)) continue;
    c.report.error(
        ErrorKind::Syntax, stmt->range,
        "all statements at the top level of a kernel with qd.stream_parallel are such blocks: what runs before "
        "or behind them belongs into another kernel");
    return;
  }
}

void stream_block(Compilation& c, const syntax::With& s, const syntax::Call& call, const Stmt& stmt) {
  const Range& range = call.func->range;
  takes_no_arguments(c, call, "qd.stream_parallel");
  if (c.options.graph)
    c.report.error(
        ErrorKind::Syntax, range,
        "qd.stream_parallel is not compatible with graph=True: write the blocks as `with qd.graph.parallel():` "
        "in a `with qd.graph.parallel_context():`");
  // Not under `if qd.static(...)` either: code beside it could not be told from code beside the blocks.
  const auto& top = c.function().source->function().body;
  const bool at_top = std::find(top.begin(), top.end(), &stmt) != top.end();
  if (stands_where_it_may(c, "qd.stream_parallel", at_top ? Where::TopLevel : Where::Nowhere, range))
    check_top_level(c);
  section(c, s, stmt, Region::StreamBlock, kStreams);
}

void refuse_checkpoints(Compilation& c, std::string_view name, const Range& range) {
  if (c.options.checkpoints)
    c.report.error(
        ErrorKind::Syntax, range,
        fmt::format("{} is not supported in a kernel with checkpoints=True: its sections would run whatever a "
                    "launch has yielded or resumed",
                    name));
}

void parallel_context(Compilation& c, const syntax::With& s, const syntax::Call& call, const Stmt& stmt) {
  constexpr std::string_view kName = "qd.graph.parallel_context";
  const Range& range = call.func->range;
  takes_no_arguments(c, call, kName);
  needs_graph(c, kName, range);
  refuse_checkpoints(c, kName, range);
  stands_where_it_may(c, kName, Where::DoWhile, range);
  c.regions.groups = std::max(c.regions.groups, kStreams) + 1;
  lower_body(c, s, stmt, Region::ParallelContext);
}

void parallel_section(Compilation& c, const syntax::With& s, const syntax::Call& call, const Stmt& stmt) {
  constexpr std::string_view kName = "qd.graph.parallel";
  const Range& range = call.func->range;
  takes_no_arguments(c, call, kName);
  needs_graph(c, kName, range);
  refuse_checkpoints(c, kName, range);
  if (c.functions.size() > 1) {
    stands_where_it_may(c, kName, Where::TopLevel, range);
  } else if (c.regions.innermost() != Region::ParallelContext || !c.build.at_top_level()) {
    c.report.error(ErrorKind::Syntax, range,
                   "qd.graph.parallel stands directly in a `with qd.graph.parallel_context():`");
  }
  section(c, s, stmt, Region::ParallelSection, std::max(c.regions.groups, kStreams + 1));
}

/// Reports a header, and goes on inside of it: its body may have errors too, and its names are known afterwards.
Flow wrong_header(Compilation& c, const syntax::With& s, const Stmt& stmt, const Range& range, std::string message,
                  int32_t next) {
  c.report.error(ErrorKind::Syntax, range, std::move(message));
  for (const auto& item : s.items) {
    if (item.optional_vars) poison_targets(c, *item.optional_vars);
  }
  return lower_suite(c, s.body, stmt, next);
}

}  // namespace

Flow with_statement(Compilation& c, const syntax::With& s, const Stmt& stmt, int32_t next) {
  constexpr std::string_view kBlocks =
      "qd.stream_parallel(), qd.graph.parallel_context(), qd.graph.parallel() or qd.checkpoint(...)";
  if (s.items.size() != 1) {
    return wrong_header(c, s, stmt, s.items[1].context_expr->range,
                        "`with` in a kernel takes one context: write one `with` for each", next);
  }
  const Expr& item = *s.items[0].context_expr;
  if (const Expr* name = s.items[0].optional_vars) {
    return wrong_header(c, s, stmt, name->range,
                        "`with ... as` is not supported in kernels: their contexts have no value", next);
  }
  auto* call = std::get_if<syntax::Call>(&item.node);
  if (!call)
    return wrong_header(c, s, stmt, item.range, fmt::format("`with` in a kernel takes a call: {}", kBlocks), next);
  const BuiltinInfo* info = builtin_of(c, *call->func);
  switch (info ? info->kind : BuiltinKind::Namespace) {
    case BuiltinKind::StreamParallel: stream_block(c, s, *call, stmt); break;
    case BuiltinKind::ParallelContext: parallel_context(c, s, *call, stmt); break;
    case BuiltinKind::ParallelSection: parallel_section(c, s, *call, stmt); break;
    case BuiltinKind::Checkpoint: checkpoint(c, *call, [&] { lower_body(c, s, stmt, Region::Checkpoint); }); break;
    default:
      return wrong_header(c, s, stmt, item.range,
                          fmt::format("`with` in a kernel takes {}, not `{}`", kBlocks, source_text(c, item.range)),
                          next);
  }
  c.notes.probe(c.function().line_of(stmt.range), next);
  return Flow::Next;
}

}  // namespace qd::frontend
