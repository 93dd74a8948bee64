// Names of Python's constructs in messages.
#include "runtime/frontend/constants/static_eval.h"

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

}  // namespace qd::frontend
