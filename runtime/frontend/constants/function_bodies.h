// Properties of a function body, from its syntax tree, before it is lowered.
#pragma once

#include <string_view>
#include <unordered_set>

#include "runtime/syntax/parse.h"

namespace qd::frontend {

/// Names that a function body assigns anywhere.
std::unordered_set<std::string_view> assigned_names(syntax::List<syntax::StmtPtr> body);
/// Whether a name is assigned anywhere in a list of statements.
bool assigns(syntax::List<syntax::StmtPtr> body, std::string_view name);
/// Whether an expression assigns a name with `:=`.
bool has_walrus(const syntax::Expr& expr);
/// A function's body after its docstring.
syntax::List<syntax::StmtPtr> without_docstring(syntax::List<syntax::StmtPtr> body);
/// Whether coverage.py sees a constant in a test: a literal, __debug__, or `not`, `and`, `or` of them.
bool is_constant_test(const syntax::Expr& test);

}  // namespace qd::frontend
