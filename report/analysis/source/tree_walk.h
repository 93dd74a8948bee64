// Questions about nodes that several parts of the analysis ask.
#pragma once

#include "runtime/syntax/tree_walk.h"

namespace qd::report {

/// The decorators of a function or class, or nothing.
inline syntax::List<syntax::ExprPtr> decorators(const syntax::Stmt& stmt) {
  if (auto* function = std::get_if<syntax::FunctionDef>(&stmt.node)) return function->decorator_list;
  if (auto* klass = std::get_if<syntax::ClassDef>(&stmt.node)) return klass->decorator_list;
  return {};
}

/// Where a statement begins: a decorated function or class at its first decorator.
inline int32_t start_line(const syntax::Stmt& stmt) {
  syntax::List<syntax::ExprPtr> list = decorators(stmt);
  return list.empty() ? stmt.range.line : list.front()->range.line;
}

/// A case that takes whatever reaches it, as coverage.py sees it: a wildcard or a bare name, without a guard.
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
