// Statements: one at a time, suites, and ifs.
#include "runtime/frontend/statements/statements.h"

#include <fmt/format.h>

#include "runtime/frontend/constants/function_bodies.h"
#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/expressions/conditions.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/expressions/object_branches.h"
#include "runtime/frontend/memory/names.h"
#include "runtime/frontend/statements/loops.h"
#include "runtime/frontend/statements/region_rules.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::exhaustive;
using syntax::OneOf;
using syntax::Range;
using syntax::Stmt;

namespace {

void dead_statements(Compilation& c, Body statements, int32_t next);
Flow lower_statement(Compilation& c, const Stmt& stmt, int32_t next);
Flow unsupported_statement(Compilation& c, const Stmt& stmt, int32_t next);
void expression_statement(Compilation& c, const syntax::ExprStmt& s, const Stmt& stmt);
Flow if_statement(Compilation& c, const syntax::If& s, const Stmt& stmt, int32_t next);
Flow runtime_if(Compilation& c, const syntax::If& s, ir::InstId condition, const Stmt& stmt, int32_t next);

Flow lower_statements(Compilation& c, Body statements, int32_t next) {
  for (size_t i = 0; i < statements.size(); ++i) {
    c.function().endless = false;
    Flow flow = lower_statement(c, *statements[i], c.notes.next_line(statements, i, next));
    if (flow == Flow::Left && c.function().endless) dead_statements(c, statements.subspan(i + 1), next);
    if (flow != Flow::Next) return flow;
  }
  return Flow::Next;
}

// Statements behind a loop that never ends are none for coverage, as Python makes no code of them. They are lowered for
// their errors, and for the type of a func's result.
void dead_statements(Compilation& c, Body statements, int32_t next) {
  const ir::BlockId guarded = std::exchange(c.function().dead, ir::BlockId::None);
  const bool covered = std::exchange(c.function().covered, false);
  c.function().push_scope();
  {
    const ir::Builder::Scope there(c.build, guarded != ir::BlockId::None ? guarded : c.build.block());
    lower_statements(c, statements, next);
  }
  c.function().scopes.pop_back();
  if (guarded != ir::BlockId::None) c.build.inst(Op::Break, Type::Void, {});
  c.function().covered = covered;
  c.function().endless = true;
}

// Limits the size of a kernel. Unrolled loops in unrolled loops, and funcs that call a func twice that calls a func
// twice, would be lowered until the memory ends.
void limit_size(Compilation& c, const Stmt& stmt) {
  constexpr size_t kMaxInstructions = 1'000'000, kMaxStatements = 1'000'000;
  if (++c.n_statements <= kMaxStatements && c.kernel.insts.size() <= kMaxInstructions) return;
  c.report.error(
      ErrorKind::Compilation, stmt.range,
      fmt::format("kernel `{}` grows beyond a million {} here: qd.static unrolls its loops, and each call of a "
                  "qd.func is a copy of it; "
                  "take a loop without qd.static, or fewer calls",
                  c.kernel.name, c.n_statements > kMaxStatements ? "statements" : "instructions"));
  throw TooLarge{};
}

Flow lower_statement(Compilation& c, const Stmt& stmt, int32_t next) {
  limit_size(c, stmt);
  if (!may_stand_here(c, stmt)) return Flow::Next;
  c.function().statement_block = c.build.block();
  c.build.set_location(c.build.location_of(stmt.range));
  c.notes.statement_probe(stmt);
  return std::visit(
      exhaustive{
          [&](const syntax::Assign& s) { return lower_assign(c, s), Flow::Next; },
          [&](const syntax::AnnAssign& s) { return annotated_assign(c, s, stmt), Flow::Next; },
          [&](const syntax::AugAssign& s) { return augmented_assign(c, s, stmt), Flow::Next; },
          [&](const syntax::ExprStmt& s) { return expression_statement(c, s, stmt), Flow::Next; },
          [&](const syntax::If& s) { return if_statement(c, s, stmt, next); },
          [&](const syntax::For& s) {
            return s.is_async ? unsupported_statement(c, stmt, next) : for_statement(c, s, stmt, next);
          },
          [&](const syntax::While& s) { return while_statement(c, s, stmt, next); },
          [&](const syntax::With& s) {
            return s.is_async ? unsupported_statement(c, stmt, next) : with_statement(c, s, stmt, next);
          },
          [&](const syntax::Break&) { return break_statement(c, stmt); },
          [&](const syntax::Continue&) { return continue_statement(c, stmt); },
          [&](const syntax::Return& s) { return return_statement(c, s, stmt); },
          [&](const syntax::Assert& s) { return lower_assert(c, s, stmt), Flow::Next; },
          [](const syntax::Pass&) { return Flow::Next; },
          [&](const OneOf<syntax::FunctionDef, syntax::ClassDef, syntax::Match, syntax::Try, syntax::Raise,
                          syntax::Delete, syntax::TypeAlias, syntax::Import, syntax::ImportFrom, syntax::Global,
                          syntax::Nonlocal> auto&) { return unsupported_statement(c, stmt, next); },
      },
      stmt.node);
}

// Reports a construct, and goes on inside it: its body may have errors too, and its names are known afterwards.
Flow unsupported_statement(Compilation& c, const Stmt& stmt, int32_t next) {
  std::string_view name = node_name(stmt);
  size_t begin = name.find('`');
  int32_t width = static_cast<int32_t>(name.rfind('`') - begin) - 1;
  Range keyword{stmt.range.line, stmt.range.col, stmt.range.line, stmt.range.col + width};
  auto* def = std::get_if<syntax::FunctionDef>(&stmt.node);
  const std::string message = def && !def->is_async ? fmt::format("Function definition is not allowed in 'qd.{}'",
                                                                  c.functions.size() > 1 ? "func" : "kernel")
                                                    : refusal(stmt);
  c.report.error(ErrorKind::Syntax, keyword, message);
  auto poison_alias = [&](const syntax::Alias& alias) {
    std::string_view bound = alias.asname.empty() ? alias.name.substr(0, alias.name.find('.')) : alias.asname;
    bind(c, bound, {Item(Poison{})});
  };
  std::visit(exhaustive{
                 [&](const OneOf<syntax::FunctionDef, syntax::ClassDef> auto& s) { bind(c, s.name, {Item(Poison{})}); },
                 [&](const syntax::Import& s) {
                   for (const auto& alias : s.names) poison_alias(alias);
                 },
                 [&](const syntax::ImportFrom& s) {
                   for (const auto& alias : s.names) poison_alias(alias);
                 },
                 [&](const syntax::With& s) {
                   for (const auto& item : s.items) {
                     auto* target = item.optional_vars ? std::get_if<syntax::Name>(&item.optional_vars->node) : nullptr;
                     if (target) bind(c, target->id, {Item(Poison{})});
                   }
                   lower_statements(c, s.body, next);
                 },
                 [&](const syntax::Try& s) {
                   lower_statements(c, s.body, next);
                   for (const auto& handler : s.handlers) {
                     if (!handler.name.empty()) bind(c, handler.name, {Item(Poison{})});
                     lower_statements(c, handler.body, next);
                   }
                   lower_statements(c, s.orelse, next);
                   lower_statements(c, s.finalbody, next);
                 },
                 [&](const syntax::Match& s) {
                   for (const auto& match_case : s.cases) {
                     for (std::string_view assigned : assigned_names(match_case.body))
                       bind(c, assigned, {Item(Poison{})});
                   }
                 },
                 [](const OneOf<syntax::For, syntax::While, syntax::If> auto&) {},
                 [](const syntax::SimpleStatement auto&) {},
             },
             stmt.node);
  return Flow::Next;
}

void expression_statement(Compilation& c, const syntax::ExprStmt& s, const Stmt& stmt) {
  auto* constant = std::get_if<syntax::Constant>(&s.value->node);
  if (constant && (constant->kind == syntax::ConstantKind::Str || constant->kind == syntax::ConstantKind::Ellipsis))
    return;
  evaluate(c, *s.value);
}

/// Whether the suite of a header follows its colon in the same logical line. Used for probes alone.
bool on_header_line(Compilation& c, Body statements, const Stmt& header) {
  if (!c.options.wants(ir::Instrument::Arcs) || statements.empty()) return false;
  auto* function = std::get_if<syntax::FunctionDef>(&header.node);
  if (function && function->name == kLambda) return true;  // coverage.py knows a way out of each lambda
  auto* branch = std::get_if<syntax::If>(&header.node);
  if (branch && !branch->orelse.empty() && statements[0] == branch->orelse[0])
    return false;  // `else:` has a line of its own
  const std::string& source = c.function().source->module->source;
  int32_t number = statements[0]->range.line;
  std::string before = source_line(source, number).substr(0, static_cast<size_t>(statements[0]->range.col));
  for (;;) {
    const size_t last = before.find_last_not_of(" \t\f");
    if (last != std::string::npos) return before[last] == ':';
    if (--number == 0) return false;
    before = source_line(source, number);
    if (!before.ends_with('\\')) return false;  // only a backslash lets the line before go on
    before.pop_back();
  }
}

}  // namespace

Flow lower_suite(Compilation& c, Body statements, const Stmt& header, int32_t next) {
  int32_t line = on_header_line(c, statements, header) ? c.function().line_of(statements[0]->range) : 0;
  int32_t outer = std::exchange(c.function().suite_line, line);
  Flow flow = lower_statements(c, statements, next);
  c.function().suite_line = outer;
  if (flow == Flow::Next && line != 0) c.notes.probe(line, next);
  return flow;
}

namespace {

Flow if_statement(Compilation& c, const syntax::If& s, const Stmt& stmt, int32_t next) {
  if (auto test = static_test(c, *s.test); test.is_static) {
    if (!test.value) return Flow::Next;
    if (c.function().source->plain) c.notes.note_value(*s.test, Value(*test.value));
    Body chosen = *test.value ? s.body : s.orelse;
    c.notes.edge(stmt, chosen, next);
    return lower_suite(c, chosen, stmt, next);
  }
  auto test = lower_test(c, *s.test);
  // A test with errors stands for any: its arms are read for their errors.
  return runtime_if(c, s, test ? *test : c.build.constant(Type::U1, Value(false)), stmt, next);
}

Flow runtime_if(Compilation& c, const syntax::If& s, InstId condition, const Stmt& stmt, int32_t next) {
  InstId branch = c.build.inst(Op::If, Type::Void, {condition});
  Body arms[2] = {s.body, s.orelse};
  Flow flows[2];
  ObjectBranches objects(c);
  bool edges = !is_constant_test(*s.test);
  ++c.function().runtime_depth;
  for (int i = 0; i < 2; ++i) {
    ir::BlockId block;
    c.function().push_scope();
    flows[i] = c.build.in_new_block(block, [&] {
      c.function().probed = {c.build.block(), c.function().line_of(stmt.range)};
      if (edges) c.notes.edge(stmt, arms[i], next);
      objects.begin();
      const Flow flow = lower_suite(c, arms[i], stmt, next);
      objects.end(flow != Flow::Next);
      return flow;
    });
    pop_scope(c, stmt.range);
    c.kernel[branch].blocks[i] = block;
  }
  --c.function().runtime_depth;
  objects.join(branch, stmt.range);
  return flows[0] == Flow::Left && flows[1] == Flow::Left ? Flow::Left : Flow::Next;
}

}  // namespace

}  // namespace qd::frontend
