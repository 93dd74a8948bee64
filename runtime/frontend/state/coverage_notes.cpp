// Notes for coverage in a kernel: probes and decisions.
#include "runtime/frontend/state/coverage_notes.h"

#include <algorithm>

#include "runtime/frontend/constants/python_values.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using syntax::Expr;
using syntax::Stmt;

namespace {

// Whether coverage.py counts a statement: those that are no code, it does not.
bool counts(const Stmt& stmt) {
  using namespace syntax;
  return std::visit(
      exhaustive{
          [](const AnnAssign& s) { return s.value != nullptr || !s.simple; },
          [](const OneOf<Global, Nonlocal> auto&) { return false; },
          [](const CompoundStatement auto&) { return true; },
          [](const Jump auto&) { return true; },
          [](const OneOf<Delete, Assign, TypeAlias, AugAssign, Assert, Import, ImportFrom, ExprStmt, Pass> auto&) {
            return true;
          },
      },
      stmt.node);
}

}  // namespace

void CoverageNotes::probe(int32_t from, int32_t to) {
  if (!options_.wants(ir::Instrument::Arcs) || !counted() || from == to) return;
  auto [it, fresh] = probes_.try_emplace({function().row, from, to, function().variant},
                                         static_cast<uint32_t>(build_.kernel.probes.size()));
  if (fresh) build_.kernel.probes.push_back({function().row, from, to, function().variant});
  build_.inst(ir::Op::Probe, ir::Type::Void, {}, it->second);
}

void CoverageNotes::variant(const std::string& text) {
  if (text.empty()) return;
  std::vector<std::string>& variants = build_.kernel.variants;
  const auto known = std::ranges::find(variants, text);
  function().variant = static_cast<uint32_t>(known - variants.begin());
  if (known == variants.end()) variants.push_back(text);
}

void CoverageNotes::statement_probe(const Stmt& stmt) {
  int32_t line = function().line_of(stmt.range);
  if (!counts(stmt) || function().probed == std::pair(build_.block(), line)) return;
  probe(-function().first_line, line);
  function().probed = {build_.block(), line};
}

int32_t CoverageNotes::next_line(syntax::List<syntax::StmtPtr> statements, size_t i, int32_t next) {
  for (size_t k = i + 1; k < statements.size(); ++k) {
    if (counts(*statements[k])) return function().line_of(statements[k]->range);
  }
  return next;
}

void CoverageNotes::edge(const Stmt& header, syntax::List<syntax::StmtPtr> statements, int32_t next) {
  int32_t from = function().line_of(header.range);
  int32_t to = next;
  for (const Stmt* stmt : statements) {
    if (!counts(*stmt)) continue;
    to = function().line_of(stmt->range);
    break;
  }
  probe(from, to);
}

const Decided* CoverageNotes::decided_in(const FunctionSource& source,
                                         const std::function<bool(const Expr&)>& at_compile_time) {
  if (!options_.wants(ir::Instrument::Conditions)) return nullptr;
  auto [found, fresh] = decided_.try_emplace(source.def);
  Decided& decided = found->second;
  if (!fresh) return &decided;
  decided.list = syntax::decisions(source.function(), at_compile_time);
  for (const syntax::Decision& decision : decided.list) {
    decided.decisions[decision.expr] = &decision;
    for (uint32_t i = 0; i < decision.conditions.size(); ++i) {
      decided.conditions[{decision.conditions[i].expr, decision.conditions[i].link}] = {&decision, i};
    }
  }
  return &decided;
}

uint32_t CoverageNotes::decision_row(const syntax::Decision& decision) {
  auto [found, fresh] = decision_rows_.try_emplace(&decision, static_cast<uint32_t>(build_.kernel.decisions.size()));
  if (!fresh) return found->second;
  auto range = [&](const syntax::Range& r) {
    const int32_t offset = function().source->line_offset;
    return SourceRange{r.line + offset, r.col, r.end_line + offset, r.end_col};
  };
  ir::Decision row{function().row, std::string(syntax::name(decision.kind)), range(decision.expr->range), {}};
  for (const syntax::Condition& condition : decision.conditions)
    row.conditions.push_back({range(condition.range), condition.if_true, condition.if_false});
  build_.kernel.decisions.push_back(std::move(row));
  return found->second;
}

void CoverageNotes::note_condition(const Expr& expr, uint32_t link, const Item& item) {
  if (!function().decided || !counted()) return;
  auto found = function().decided->conditions.find({&expr, link});
  if (found == function().decided->conditions.end()) return;
  const uint32_t row = decision_row(*found->second.decision);
  const uint64_t number = 2 * uint64_t{found->second.condition};
  if (auto* value = std::get_if<Number>(&item)) {
    build_.inst(Op::Condition, ir::Type::Void, {value->id}, row, number);
  } else if (auto* known = std::get_if<Value>(&item)) {
    build_.inst(Op::Condition, ir::Type::Void, {}, row, number + truth(*known));
  }  // else the kernel does not compile
}

void CoverageNotes::note_value(const Expr& expr, const Item& item) {
  if (!function().decided || !counted()) return;
  auto* chain = std::get_if<syntax::Compare>(&expr.node);
  if (!chain || chain->ops.size() == 1) note_condition(expr, 0, item);
  auto found = function().decided->decisions.find(&expr);
  if (found != function().decided->decisions.end())
    build_.inst(Op::Decide, ir::Type::Void, {}, decision_row(*found->second));
}

void CoverageNotes::forget(size_t probes, size_t decisions) {
  forget_rows(probes_, probes);
  forget_rows(decision_rows_, decisions);
}

}  // namespace qd::frontend
