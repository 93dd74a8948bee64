// What conditions were and which decisions were made, for coverage: marks beside the code, which stays as it is without
// them.
#include <algorithm>

#include "runtime/frontend/lowering.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using syntax::Expr;

const Decided* Lowering::decided_in(const FunctionSource& source) {
  if (!options_.wants(ir::Instrument::Conditions) || !covered_) return nullptr;
  auto [found, fresh] = decided_.try_emplace(source.def);
  Decided& decided = found->second;
  if (!fresh) return &decided;
  decided.list = syntax::decisions(source.function(), [this](const Expr& expr) { return compile_time_call(expr); });
  for (const syntax::Decision& decision : decided.list) {
    decided.decisions[decision.expr] = &decision;
    for (uint32_t i = 0; i < decision.conditions.size(); ++i) {
      decided.conditions[{decision.conditions[i].expr, decision.conditions[i].link}] = {&decision, i};
    }
  }
  return &decided;
}

bool Lowering::compile_time_call(const Expr& expr) {
  auto* call = std::get_if<syntax::Call>(&expr.node);
  const BuiltinInfo* info = call ? builtin_of(*call->func) : nullptr;
  return info && (info->kind == BuiltinKind::Static || info->kind == BuiltinKind::StaticAssert ||
                  info->kind == BuiltinKind::StaticPrint);
}

uint32_t Lowering::decision_row(const syntax::Decision& decision) {
  auto [found, fresh] = decision_rows_.try_emplace(&decision, static_cast<uint32_t>(kernel_.decisions.size()));
  if (!fresh) return found->second;
  auto range = [&](const Range& r) {
    const int32_t offset = frame().source->line_offset;
    return SourceRange{r.line + offset, r.col, r.end_line + offset, r.end_col};
  };
  ir::Decision row{frame().function, std::string(syntax::name(decision.kind)), range(decision.expr->range), {}};
  for (const syntax::Condition& condition : decision.conditions)
    row.conditions.push_back({range(condition.range), condition.if_true, condition.if_false});
  kernel_.decisions.push_back(std::move(row));
  return found->second;
}

void Lowering::note_condition(const Expr& expr, uint32_t link, const Item& item) {
  if (!frame().decided) return;
  auto found = frame().decided->conditions.find({&expr, link});
  if (found == frame().decided->conditions.end()) return;
  const uint32_t row = decision_row(*found->second.decision);
  const uint64_t number = 2 * uint64_t{found->second.condition};
  if (auto* value = std::get_if<Number>(&item)) {
    build_.inst(Op::Condition, ir::Type::Void, {value->id}, row, number);
  } else if (auto* known = std::get_if<Value>(&item)) {
    build_.inst(Op::Condition, ir::Type::Void, {}, row, number + truth(*known));
  }  // else the kernel does not compile
}

void Lowering::note_decision(const Expr& expr) {
  auto found = frame().decided->decisions.find(&expr);
  if (found != frame().decided->decisions.end())
    build_.inst(Op::Decide, ir::Type::Void, {}, decision_row(*found->second));
}

}  // namespace qd::frontend
