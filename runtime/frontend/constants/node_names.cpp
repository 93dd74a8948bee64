// Names of Python's constructs in messages.
#include "runtime/frontend/constants/static_eval.h"

#include <fmt/format.h>

namespace qd::frontend {

using syntax::overloaded;

std::string_view node_name(const syntax::Expr& expr) {
  return std::visit(overloaded{
                        [](const syntax::BoolOp&) { return "`and`, `or`"; },
                        [](const syntax::NamedExpr&) { return "`:=`"; },
                        [](const syntax::BinOp&) { return "a binary operator"; },
                        [](const syntax::UnaryOp&) { return "a unary operator"; },
                        [](const syntax::Lambda&) { return "`lambda`"; },
                        [](const syntax::IfExp&) { return "a conditional expression"; },
                        [](const syntax::Dict&) { return "a dict display"; },
                        [](const syntax::Set&) { return "a set display"; },
                        [](const syntax::ListComp&) { return "a list comprehension"; },
                        [](const syntax::SetComp&) { return "a set comprehension"; },
                        [](const syntax::DictComp&) { return "a dict comprehension"; },
                        [](const syntax::GeneratorExp&) { return "a generator expression"; },
                        [](const syntax::Await&) { return "`await`"; },
                        [](const syntax::Yield&) { return "`yield`"; },
                        [](const syntax::YieldFrom&) { return "`yield from`"; },
                        [](const syntax::Compare&) { return "a comparison"; },
                        [](const syntax::Call&) { return "a call"; },
                        [](const syntax::FormattedValue&) { return "a formatted value"; },
                        [](const syntax::Interpolation&) { return "a template string"; },
                        [](const syntax::JoinedStr&) { return "an f-string"; },
                        [](const syntax::TemplateStr&) { return "a template string"; },
                        [](const syntax::Constant&) { return "a constant"; },
                        [](const syntax::Attribute&) { return "an attribute"; },
                        [](const syntax::Subscript&) { return "an index"; },
                        [](const syntax::Starred&) { return "`*`"; },
                        [](const syntax::Name&) { return "a name"; },
                        [](const syntax::ListExpr&) { return "a list"; },
                        [](const syntax::Tuple&) { return "a tuple"; },
                        [](const syntax::Slice&) { return "a slice"; },
                    },
                    expr.node);
}

std::string_view node_name(const syntax::Stmt& stmt) {
  return std::visit(syntax::exhaustive{
                        [](const syntax::FunctionDef& s) { return s.is_async ? "`async def`" : "a nested `def`"; },
                        [](const syntax::ClassDef&) { return "`class`"; },
                        [](const syntax::Return&) { return "`return`"; },
                        [](const syntax::Delete&) { return "`del`"; },
                        [](const syntax::Assign&) { return "an assignment"; },
                        [](const syntax::TypeAlias&) { return "`type`"; },
                        [](const syntax::AugAssign&) { return "an augmented assignment"; },
                        [](const syntax::AnnAssign&) { return "an annotated assignment"; },
                        [](const syntax::For& s) { return s.is_async ? "`async for`" : "`for`"; },
                        [](const syntax::While&) { return "`while`"; },
                        [](const syntax::If&) { return "`if`"; },
                        [](const syntax::With& s) { return s.is_async ? "`async with`" : "`with`"; },
                        [](const syntax::Match&) { return "`match`"; },
                        [](const syntax::Raise&) { return "`raise`"; },
                        [](const syntax::Try&) { return "`try`"; },
                        [](const syntax::Assert&) { return "`assert`"; },
                        [](const syntax::Import&) { return "`import`"; },
                        [](const syntax::ImportFrom&) { return "`import`"; },
                        [](const syntax::Global&) { return "`global`"; },
                        [](const syntax::Nonlocal&) { return "`nonlocal`"; },
                        [](const syntax::ExprStmt&) { return "an expression statement"; },
                        [](const syntax::Pass&) { return "`pass`"; },
                        [](const syntax::Break&) { return "`break`"; },
                        [](const syntax::Continue&) { return "`continue`"; },
                    },
                    stmt.node);
}

namespace {

/// The class in Python's `ast` of a node that kernels refuse.
std::string_view ast_class(const syntax::Expr& expr) {
  return std::visit(overloaded{
                        [](const syntax::Lambda&) { return "Lambda"; },
                        [](const syntax::Set&) { return "Set"; },
                        [](const syntax::SetComp&) { return "SetComp"; },
                        [](const syntax::Await&) { return "Await"; },
                        [](const syntax::Yield&) { return "Yield"; },
                        [](const syntax::YieldFrom&) { return "YieldFrom"; },
                        [](const syntax::TemplateStr&) { return "TemplateStr"; },
                        [](const syntax::Starred&) { return "Starred"; },
                        [](const syntax::Slice&) { return "Slice"; },
                        [](const auto&) { return "expr"; },
                    },
                    expr.node);
}

std::string_view ast_class(const syntax::Stmt& stmt) {
  return std::visit(overloaded{
                        [](const syntax::FunctionDef&) { return "AsyncFunctionDef"; },
                        [](const syntax::For&) { return "AsyncFor"; },
                        [](const syntax::With&) { return "AsyncWith"; },
                        [](const syntax::ClassDef&) { return "ClassDef"; },
                        [](const syntax::Delete&) { return "Delete"; },
                        [](const syntax::TypeAlias&) { return "TypeAlias"; },
                        [](const syntax::Match&) { return "Match"; },
                        [](const syntax::Raise&) { return "Raise"; },
                        [](const syntax::Try& s) { return s.is_star ? "TryStar" : "Try"; },
                        [](const syntax::Import&) { return "Import"; },
                        [](const syntax::ImportFrom&) { return "ImportFrom"; },
                        [](const syntax::Global&) { return "Global"; },
                        [](const syntax::Nonlocal&) { return "Nonlocal"; },
                        [](const auto&) { return "stmt"; },
                    },
                    stmt.node);
}

template <class Node>
std::string refusal_of(const Node& node) {
  return fmt::format("Unsupported node \"{}\": {} is not supported in kernels", ast_class(node), node_name(node));
}

}  // namespace

std::string refusal(const syntax::Expr& expr) { return refusal_of(expr); }
std::string refusal(const syntax::Stmt& stmt) { return refusal_of(stmt); }

}  // namespace qd::frontend
