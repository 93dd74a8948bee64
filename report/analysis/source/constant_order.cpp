// Order of constants: numbers the constants of a code object in the order in which CPython's compiler meets them. It is
// exact enough to tell which constant is used last.
#include "report/analysis/source/constant_order.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "report/analysis/source/tree_walk.h"

namespace qd::report {

using namespace syntax;

namespace {

constexpr const char* kNone = "0:";  // the key of None, as key_of gives it

/// Key of the value of an expression that becomes one constant.
std::optional<std::string> key_of(const Expr& expr) {
  if (auto* constant = std::get_if<Constant>(&expr.node)) {
    bool has_text = constant->kind >= ConstantKind::Int;
    return fmt::format("{}:{}", static_cast<int>(constant->kind), has_text ? std::string(constant->text) : "");
  }
  if (auto* unary = std::get_if<UnaryOp>(&expr.node)) {
    std::optional<std::string> operand = key_of(*unary->operand);
    return operand ? std::optional(fmt::format("u{}({})", static_cast<int>(unary->op), *operand)) : std::nullopt;
  }
  if (auto* tuple = std::get_if<Tuple>(&expr.node)) {
    std::string key = "(";
    for (ExprPtr element : tuple->elts) {
      std::optional<std::string> part = key_of(*element);
      if (!part) return std::nullopt;
      key += *part + ",";
    }
    return key;
  }
  return std::nullopt;
}

class ConstantOrder {
 public:
  explicit ConstantOrder(const std::set<StmtPtr>& dead) : dead_(dead) {}

  void code_object(List<StmtPtr> body, Scope scope) {
    if (scope == Scope::kFunction)
      constant(kNone);  // or the docstring: the first constant of a function stays in any case
    if (scope == Scope::kClass) constant("qualified name");
    suite(body);
    constant(kNone);
  }

  std::set<const void*> kept() const {
    std::set<const void*> result;
    for (auto [node, index] : dead_nodes_)
      if (index < last_used_) result.insert(node);
    return result;
  }

 private:
  void constant(const std::string& key) {
    int index = indices_.emplace(key, static_cast<int>(indices_.size())).first->second;
    if (live_) last_used_ = std::max(last_used_, index);
  }
  void code(const void* node) {
    constant(fmt::format("code {}", node));
    if (!live_) dead_nodes_.emplace(node, indices_.size() - 1);
  }

  void suite(List<StmtPtr> body) {
    for (StmtPtr stmt : body) {
      bool live = std::exchange(live_, live_ && !dead_.contains(stmt));
      statement(*stmt);
      live_ = live;
    }
  }

  void statement(const Stmt& stmt) {
    auto* simple = std::get_if<ExprStmt>(&stmt.node);
    if (simple && std::holds_alternative<Constant>(simple->value->node)) return;
    for_each_expression(stmt, [&](const Expr& child) { expression(child); });
    if (std::holds_alternative<FunctionDef>(stmt.node)) return code(&stmt);
    if (auto* klass = std::get_if<ClassDef>(&stmt.node)) {
      code(&stmt);
      constant(fmt::format("{}:{}", static_cast<int>(ConstantKind::Str), klass->name));
      return;
    }
    if (auto* import = std::get_if<ImportFrom>(&stmt.node)) {
      constant(fmt::format("{}:{}", static_cast<int>(ConstantKind::Int), import->level));
      std::string names = "(";
      for (const Alias& alias : import->names)
        names += fmt::format("{}:{},", static_cast<int>(ConstantKind::Str), alias.name);
      constant(names);
    }
    if (std::holds_alternative<Import>(stmt.node)) {
      constant(fmt::format("{}:0", static_cast<int>(ConstantKind::Int)));
      constant(kNone);
    }
    for_each_suite(stmt, [&](List<StmtPtr> inner) { suite(inner); });
    auto* result = std::get_if<Return>(&stmt.node);
    if ((result && !result->value) || std::holds_alternative<With>(stmt.node)) constant(kNone);
  }

  void expression(const Expr& whole) {
    walk_expression(whole, [&](const Expr& expr) {
      if (is_nested_code(expr)) {
        code(&expr);
        return false;
      }
      if (std::optional<std::string> key = key_of(expr)) {
        constant(*key);
        return false;
      }
      if (auto* call = std::get_if<Call>(&expr.node)) {
        std::string names;
        for (const Keyword& keyword : call->keywords) names += fmt::format("{},", keyword.arg);
        if (!names.empty()) constant("keywords " + names);
      }
      return true;
    });
  }

  const std::set<StmtPtr>& dead_;
  bool live_ = true;
  std::map<std::string, int> indices_;
  int last_used_ = -1;
  std::map<const void*, int> dead_nodes_;
};

}  // namespace

std::set<const void*> kept_dead_code(List<StmtPtr> body, Scope scope, const std::set<StmtPtr>& dead) {
  ConstantOrder order(dead);
  order.code_object(body, scope);
  return order.kept();
}

}  // namespace qd::report
