// Exclusion spreading: first over tokens, then over the syntax tree.
#include "report/analysis/source/exclusions.h"

#include "report/analysis/source/logical_lines.h"
#include "report/analysis/source/tree_walk.h"

namespace qd::report {

using namespace syntax;

void exclude_suites(const std::vector<Token>& tokens, LineSet& excluded, bool decorators) {
  int indent = 0, nesting = 0, excluding_indent = 0;
  bool excluding = false, decorator_excluded = false;
  int32_t start = 0;  // of the logical line
  for (const Token& token : tokens) {
    if (token.kind == TokenKind::Indent) {
      ++indent;
    } else if (token.kind == TokenKind::Dedent) {
      --indent;
    } else if (token.kind == TokenKind::Newline) {
      start = 0;
    } else if (token.kind == TokenKind::Op && token.text.size() == 1) {
      switch (token.text[0]) {
        case '@':
          if (!decorators || start != 0) break;
          decorator_excluded = decorator_excluded || excluded.contains(token.range.end_line);
          if (decorator_excluded) excluded.insert(token.range.end_line);
          break;
        case '(':
        case '[':
        case '{': ++nesting; break;
        case ')':
        case ']':
        case '}': --nesting; break;
        case ':':
          if (nesting == 0 && !excluding &&
              (decorator_excluded || excluded.contains_any(start, token.range.end_line))) {
            decorator_excluded = false;
            excluded.insert(token.range.end_line);
            excluding_indent = indent;
            excluding = true;
          }
          break;
      }
    }
    if (start == 0 && is_visible(token)) {
      start = token.range.line;
      if (excluding && indent <= excluding_indent) excluding = false;
      if (excluding) excluded.insert(token.range.end_line);
    }
  }
}

namespace {

/// Calls `visit` with the physical lines that have code of a statement of several lines. Approximates CPython's
/// compiler.
template <typename Visit>
void for_each_code_line(const Expr& expr, Visit&& visit) {
  walk_expression(expr, [&](const Expr& part) {
    bool is_attribute = std::holds_alternative<Attribute>(part.node);
    visit(is_attribute ? part.range.end_line : part.range.line);
    return true;
  });
}

class DefinitionExcluder {
 public:
  DefinitionExcluder(const LineSet& statements, LineSet& excluded) : statements_(statements), excluded_(excluded) {}

  void suite(List<StmtPtr> body) {
    for (StmtPtr stmt : body) {
      bool defines = std::holds_alternative<FunctionDef>(stmt->node) || std::holds_alternative<ClassDef>(stmt->node);
      if (defines && excluded_.contains_any(start_line(*stmt), stmt->range.line))
        excluded_.insert(start_line(*stmt), stmt->range.end_line);
      if (auto* match = std::get_if<Match>(&stmt->node)) {
        for (const MatchCase& match_case : match->cases) {
          if (is_wildcard_case(match_case) && whole_suite_excluded(match_case.body))
            excluded_.insert(match_case.pattern->range.line, match_case.pattern->range.end_line);
          suite(match_case.body);
        }
      } else {
        for_each_suite(*stmt, [&](List<StmtPtr> inner) { suite(inner); });
      }
    }
  }

 private:
  bool whole_suite_excluded(List<StmtPtr> body) const {
    bool any = false;
    for (int32_t line = body.front()->range.line; line <= body.back()->range.end_line; ++line) {
      if (!statements_.contains(line)) continue;
      if (!excluded_.contains(line)) return false;
      any = true;
    }
    return any && continuations_excluded(body);
  }

  bool continuations_excluded(List<StmtPtr> body) const {
    bool result = true;
    for (StmtPtr stmt : body) {
      if (statements_.contains(stmt->range.line))
        for_each_expression(*stmt, [&](const Expr& expr) {
          for_each_code_line(expr, [&](int32_t line) { result = result && excluded_.contains(line); });
        });
      for_each_suite(*stmt, [&](List<StmtPtr> inner) { result = result && continuations_excluded(inner); });
    }
    return result;
  }

  const LineSet& statements_;
  LineSet& excluded_;
};

}  // namespace

void exclude_definitions(const Module& module, const LineSet& statements, LineSet& excluded) {
  DefinitionExcluder(statements, excluded).suite(module.body);
}

}  // namespace qd::report
