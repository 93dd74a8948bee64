// Functions of a source file, by name, or by name and line; lambdas, by line and column.
#include <memory>

#include "runtime/frontend/frontend.h"
#include "runtime/syntax/tree_walk.h"

namespace qd::frontend {
namespace {

using syntax::Stmt;

/// `into_functions`: also in functions and classes.
template <class Match>
const Stmt* find(syntax::List<syntax::StmtPtr> body, bool into_functions, const Match& match) {
  const Stmt* found = nullptr;
  for (const Stmt* stmt : body) {
    auto* def = std::get_if<syntax::FunctionDef>(&stmt->node);
    if (def && match(*stmt, *def)) found = stmt;
    if (!into_functions && (def || std::holds_alternative<syntax::ClassDef>(stmt->node))) continue;
    syntax::for_each_suite(*stmt, [&](syntax::List<syntax::StmtPtr> inner) {
      if (const Stmt* deeper = find(inner, into_functions, match)) found = deeper;
    });
  }
  return found;
}

std::optional<FunctionSource> source_of(std::shared_ptr<const syntax::Module> module, const std::string& file,
                                        const Stmt* def) {
  if (!def) return std::nullopt;
  return FunctionSource{std::move(module), def, file, 0};
}

int32_t first_line_of(const Stmt& stmt, const syntax::FunctionDef& def) {
  return def.decorator_list.empty() ? stmt.range.line : def.decorator_list[0]->range.line;
}

}  // namespace

int32_t FunctionSource::first_line() const { return first_line_of(*def, function()) + line_offset; }

std::optional<FunctionSource> find_function(std::shared_ptr<const syntax::Module> module, const std::string& file,
                                            std::string_view name) {
  // The last one counts, as it does when Python runs the module.
  const Stmt* def =
      find(module->body, false, [&](const Stmt&, const syntax::FunctionDef& d) { return d.name == name; });
  return source_of(std::move(module), file, def);
}

std::optional<FunctionSource> find_function_at(std::shared_ptr<const syntax::Module> module, const std::string& file,
                                               std::string_view name, int32_t first_line) {
  const Stmt* def = find(module->body, true, [&](const Stmt& stmt, const syntax::FunctionDef& d) {
    return d.name == name && first_line_of(stmt, d) == first_line;
  });
  return source_of(std::move(module), file, def);
}

namespace {

/// A lambda in the form of a function.
struct LambdaFunction {
  std::shared_ptr<const syntax::Module> module;  // of the lambda's own tree
  Stmt result, def;
  syntax::StmtPtr body[1];
};

const syntax::Expr* find_lambda(syntax::List<syntax::StmtPtr> body, int32_t line, int32_t column) {
  const syntax::Expr* found = nullptr;
  for (const Stmt* stmt : body) {
    syntax::for_each_expression(*stmt, [&](const syntax::Expr& expr) {
      syntax::walk_expression(expr, [&](const syntax::Expr& part) {
        if (std::holds_alternative<syntax::Lambda>(part.node) && part.range.line == line && part.range.col == column)
          found = &part;
        return !found;
      });
    });
    syntax::for_each_suite(*stmt, [&](syntax::List<syntax::StmtPtr> inner) {
      if (!found) found = find_lambda(inner, line, column);
    });
    if (found) break;
  }
  return found;
}

}  // namespace

std::optional<FunctionSource> find_lambda_at(std::shared_ptr<const syntax::Module> module, const std::string& file,
                                             int32_t line, int32_t column) {
  const syntax::Expr* found = find_lambda(module->body, line, column);
  if (!found) return std::nullopt;
  const auto& lambda = std::get<syntax::Lambda>(found->node);
  auto made = std::make_shared<LambdaFunction>();
  made->module = std::move(module);
  made->result = {lambda.body->range, syntax::Return{lambda.body}};
  made->body[0] = &made->result;
  made->def = {found->range, syntax::FunctionDef{kLambda, lambda.args, made->body, {}, nullptr, {}, false}};
  const Stmt* def = &made->def;
  const syntax::Module* tree = made->module.get();
  return source_of(std::shared_ptr<const syntax::Module>(std::move(made), tree), file, def);
}

bool decorated_with(const FunctionSource& source, std::string_view name) {
  for (const syntax::Expr* decorator : source.function().decorator_list) {
    auto* call = std::get_if<syntax::Call>(&decorator->node);
    for (const syntax::Keyword& keyword : call ? call->keywords : syntax::List<syntax::Keyword>()) {
      auto* value = std::get_if<syntax::Constant>(&keyword.value->node);
      if (keyword.arg == name && value && value->kind == syntax::ConstantKind::True) return true;
    }
  }
  return false;
}

}  // namespace qd::frontend
