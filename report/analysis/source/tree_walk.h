// Queries on nodes of the syntax tree that several parts of the analysis use.
#pragma once

#include "runtime/syntax/tree_walk.h"

namespace qd::report {

/// Decorators of a function or class; empty for other statements.
inline syntax::List<syntax::ExprPtr> decorators(const syntax::Stmt& stmt) {
  if (auto* function = std::get_if<syntax::FunctionDef>(&stmt.node)) return function->decorator_list;
  if (auto* klass = std::get_if<syntax::ClassDef>(&stmt.node)) return klass->decorator_list;
  return {};
}

/// First line of a statement: a decorated function or class begins at its first decorator.
inline int32_t start_line(const syntax::Stmt& stmt) {
  syntax::List<syntax::ExprPtr> list = decorators(stmt);
  return list.empty() ? stmt.range.line : list.front()->range.line;
}

/// True for a case that matches everything, as coverage.py sees it: a wildcard or a bare name, without a guard.
inline bool is_wildcard_case(const syntax::MatchCase& match_case) {
  using namespace syntax;
  if (match_case.guard) return false;
  const Pattern* pattern = match_case.pattern;
  while (auto* either = std::get_if<MatchOr>(&pattern->node)) pattern = either->patterns.back();
  auto* as = std::get_if<MatchAs>(&pattern->node);
  while (as && as->pattern) as = std::get_if<MatchAs>(&as->pattern->node);
  return as != nullptr;
}

}  // namespace qd::report
