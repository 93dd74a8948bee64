// Functions in dead code that CPython 3.11 keeps. It drops constants of a code object only after the last one that is
// in use, and the code of a function is such a constant.
#pragma once

#include <functional>
#include <set>

#include "runtime/syntax/ast.h"

namespace qd::report {

enum class Scope { kModule, kClass, kFunction };

/// Functions, classes (their Stmt), lambdas and comprehensions (their Expr) inside dead statements of `body`, the body
/// of one code object, that are compiled and kept, because a constant that comes after them is in use.
std::set<const void*> kept_dead_code(syntax::List<syntax::StmtPtr> body, Scope scope,
                                     const std::set<syntax::StmtPtr>& dead);

/// True for an expression with a function of its own: a lambda or a comprehension.
inline bool is_nested_code(const syntax::Expr& expr) {
  using namespace syntax;
  return std::holds_alternative<Lambda>(expr.node) || std::holds_alternative<ListComp>(expr.node) ||
         std::holds_alternative<SetComp>(expr.node) || std::holds_alternative<DictComp>(expr.node) ||
         std::holds_alternative<GeneratorExp>(expr.node);
}

}  // namespace qd::report
