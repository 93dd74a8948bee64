// Finds the decisions of a source and the ways to evaluate them, so that a decision that never ran counts as missing.
//
//   if x > 0 and not done or force:      # line 3
//
// is one decision with the conditions `x > 0`, `done` and `force`. syntax::decisions gives them for each function, with
// the order of evaluation; here they get their place, and their text on one line for reports. Literals are marked: no
// run can change their value, so they do not count.
//
// Kernels and host functions are treated alike, with one exception: in kernels, calls of qd.static are not looked into,
// because they are evaluated when the kernel is compiled.
#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "report/analysis/conditions/conditions.h"
#include "report/analysis/kernels/kernel_definitions.h"
#include "report/analysis/source/tree_walk.h"
#include "runtime/syntax/decisions.h"

namespace qd::report {

namespace {

/// True for a call of qd.static or of a similar function, under any name of the package. Its value is known when the
/// kernel is compiled, and no part of it runs in the kernel.
bool is_compile_time_call(const syntax::Expr& expr) {
  auto* call = std::get_if<syntax::Call>(&expr.node);
  if (!call) return false;
  auto* attribute = std::get_if<syntax::Attribute>(&call->func->node);
  auto* name = std::get_if<syntax::Name>(&call->func->node);
  std::string_view called = attribute ? attribute->attr : name ? name->id : "";
  return called == "static" || called == "static_assert" || called == "static_print";
}

bool truth(const syntax::Constant& constant) {
  switch (constant.kind) {
    case syntax::ConstantKind::None:
    case syntax::ConstantKind::False: return false;
    case syntax::ConstantKind::True:
    case syntax::ConstantKind::Ellipsis: return true;
    case syntax::ConstantKind::Int: return syntax::int_value(constant).value_or(1) != 0;
    case syntax::ConstantKind::Float: return syntax::float_value(constant) != 0;
    case syntax::ConstantKind::Complex: return constant.text.find_first_of("123456789") != std::string_view::npos;
    case syntax::ConstantKind::Str:
    case syntax::ConstantKind::Bytes: return !constant.text.empty();
  }
  return true;
}

class DecisionFinder {
 public:
  DecisionFinder(const syntax::Module& module, const std::vector<int32_t>& first_line)
      : module_(module), first_line_(first_line) {
    for (size_t at = 0; at <= module.source.size();) {
      line_starts_.push_back(at);
      at = std::min(module.source.find('\n', at), module.source.size()) + 1;
    }
    for (const KernelDefinition& kernel : kernel_definitions(module)) kernels_.insert(kernel.def);
  }

  std::vector<SourceDecision> run() {
    suite(module_.body);
    std::sort(found_.begin(), found_.end(),
              [](const SourceDecision& a, const SourceDecision& b) { return a.range < b.range; });
    return std::move(found_);
  }

 private:
  void suite(syntax::List<syntax::StmtPtr> statements) {
    for (const syntax::Stmt* stmt : statements) {
      if (std::holds_alternative<syntax::FunctionDef>(stmt->node)) function(*stmt);
      for_each_suite(*stmt, [&](syntax::List<syntax::StmtPtr> inner) { suite(inner); });
    }
  }

  void function(const syntax::Stmt& def) {
    for (const syntax::Decision& decision :
         syntax::decisions(std::get<syntax::FunctionDef>(def.node), is_compile_time_call)) {
      SourceDecision result;
      result.range = decision.expr->range;
      result.kind = syntax::name(decision.kind);
      result.text = text_of(result.range);
      size_t line = static_cast<size_t>(result.range.line);
      result.line = line < first_line_.size() ? first_line_[line] : result.range.line;
      result.function = start_line(def);
      result.in_kernel = kernels_.contains(&def);
      std::map<SourceRange, bool> literals = literals_in(*decision.expr);
      for (const syntax::Condition& condition : decision.conditions) {
        SourceRange range = condition.range;
        auto literal = literals.find(range);
        result.conditions.push_back(
            {range, text_of(range), literal == literals.end() ? std::nullopt : std::optional(literal->second)});
      }
      result.possible = possible(decision, result.conditions);
      found_.push_back(std::move(result));
    }
  }

  static std::map<SourceRange, bool> literals_in(const syntax::Expr& decision) {
    std::map<SourceRange, bool> result;
    walk_expression(decision, [&](const syntax::Expr& expr) {
      if (auto* constant = std::get_if<syntax::Constant>(&expr.node)) result[expr.range] = truth(*constant);
      return true;
    });
    return result;
  }

  static std::set<Evaluation> possible(const syntax::Decision& decision,
                                       const std::vector<SourceCondition>& conditions) {
    std::set<Evaluation> result;
    if (conditions.size() > kMaxMcdcConditions) return result;
    for (const std::string& way : syntax::ways(decision)) {
      bool agrees = true;
      for (size_t i = 0; i < conditions.size(); ++i)
        agrees = agrees && (!conditions[i].constant || way[i] == '-' || (way[i] == 'T') == *conditions[i].constant);
      if (agrees) result.insert({way.substr(0, conditions.size()), way.back()});
    }
    return result;
  }

  size_t offset(int32_t line, int32_t col) const {
    return line_starts_[static_cast<size_t>(line) - 1] + static_cast<size_t>(col);
  }

  /// The tokens of a piece of source, those of different lines a blank apart: comments and line joins are no tokens.
  std::string text_of(const SourceRange& range) const {
    auto position = [](const syntax::Range& r) { return std::pair(r.line, r.col); };
    auto token = std::lower_bound(
        module_.tokens.begin(), module_.tokens.end(), std::pair(range.line, range.col),
        [&](const syntax::Token& t, std::pair<int32_t, int32_t> at) { return position(t.range) < at; });
    std::string result;
    std::pair<int32_t, int32_t> end{0, 0};
    for (; token != module_.tokens.end() &&
           std::pair(token->range.end_line, token->range.end_col) <= std::pair(range.end_line, range.end_col);
         ++token) {
      if (token->text.empty()) continue;
      if (end.first == token->range.line) {
        size_t from = offset(end.first, end.second), to = offset(token->range.line, token->range.col);
        result += module_.source.substr(from, to - from);
      } else if (end.first != 0) {
        result += ' ';
      }
      result += token->text;
      end = {token->range.end_line, token->range.end_col};
    }
    std::replace(result.begin(), result.end(), '\n', ' ');
    return result;
  }

  const syntax::Module& module_;
  const std::vector<int32_t>& first_line_;
  std::vector<size_t> line_starts_;
  std::set<const syntax::Stmt*> kernels_;
  std::vector<SourceDecision> found_;
};

}  // namespace

std::vector<SourceDecision> find_decisions(const syntax::Module& module, const std::vector<int32_t>& first_line) {
  return DecisionFinder(module, first_line).run();
}

}  // namespace qd::report
