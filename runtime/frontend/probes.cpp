// Probes: where coverage.py would have recorded a line or a branch edge.
#include "runtime/frontend/lowering.h"

namespace qd::frontend {

using syntax::Expr;
using syntax::overloaded;
using syntax::Stmt;

namespace {

// Statements that coverage.py does not count: they are no code.
bool counts(const Stmt& stmt) {
  return std::visit(overloaded{
                        [](const syntax::AnnAssign& s) { return s.value != nullptr || !s.simple; },
                        [](const syntax::Global&) { return false; },
                        [](const syntax::Nonlocal&) { return false; },
                        [](const auto&) { return true; },
                    },
                    stmt.node);
}

}  // namespace

bool is_constant_test(const Expr& test) {
  return std::visit(
      overloaded{
          [](const syntax::Constant&) { return true; },
          [](const syntax::Name& e) { return e.id == "__debug__"; },
          [](const syntax::UnaryOp& e) { return e.op == syntax::UnaryOperator::Not && is_constant_test(*e.operand); },
          [](const syntax::BoolOp& e) {
            for (const Expr* value : e.values) {
              if (!is_constant_test(*value)) return false;
            }
            return true;
          },
          [](const auto&) { return false; },
      },
      test.node);
}

void Lowering::probe(int32_t from, int32_t to) {
  if (!options_.wants(ir::Instrument::Arcs) || !covered_ || from == to) return;
  auto [it, fresh] = probes_.try_emplace({frame().function, from, to}, static_cast<uint32_t>(kernel_.probes.size()));
  if (fresh) kernel_.probes.push_back({frame().function, from, to});
  build_.inst(ir::Op::Probe, ir::Type::Void, {}, it->second);
}

void Lowering::statement_probe(const Stmt& stmt) {
  int32_t line = line_of(stmt.range);
  if (!counts(stmt) || probed_ == std::pair(build_.block(), line)) return;
  probe(-frame().first_line, line);
  probed_ = {build_.block(), line};
}

int32_t Lowering::next_line(Body statements, size_t i, int32_t next) {
  for (size_t k = i + 1; k < statements.size(); ++k) {
    if (counts(*statements[k])) return line_of(statements[k]->range);
  }
  return next;
}

void Lowering::edge(const Stmt& header, Body statements, int32_t next) {
  int32_t from = line_of(header.range);
  int32_t to = next;
  for (const Stmt* stmt : statements) {
    if (!counts(*stmt)) continue;
    to = line_of(stmt->range);
    break;
  }
  probe(from, to);
}

}  // namespace qd::frontend
