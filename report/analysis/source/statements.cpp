// Reachable code, found by walking the syntax tree. Each function returns whether control can go on behind the code
// that it was given.
#include "report/analysis/source/statements.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "report/analysis/source/constant_order.h"
#include "report/analysis/source/constants.h"
#include "report/analysis/source/tree_walk.h"

namespace qd::report {

using namespace syntax;

namespace {

using Suite = List<StmtPtr>;

constexpr int kLastMinorWithDeadFunctions = 11;  // up to 3.11, functions in dead code stay in the compiled file
constexpr int kFirstMinorWithLateAnnotations = 14;
constexpr int kFirstMinorWithCodeAtDef = 11;  // from 3.11 on, a function's own code begins at its `def`

/// A loop, or a try with finally, around a `break`.
struct Frame {
  enum Kind { kLoop, kFinally } kind;
  bool broken = false;         // loops: some `break` gets here
  bool finally_falls = false;  // finally: its suite can be left at its end
};

bool deletes_something(const Expr& target) {
  auto any = [](List<ExprPtr> elements) {
    return std::any_of(elements.begin(), elements.end(), [](ExprPtr element) { return deletes_something(*element); });
  };
  if (auto* tuple = std::get_if<Tuple>(&target.node)) return any(tuple->elts);
  if (auto* list = std::get_if<ListExpr>(&target.node)) return any(list->elts);
  return true;
}

bool is_irrefutable(const Pattern& pattern) {
  if (auto* as = std::get_if<MatchAs>(&pattern.node)) return !as->pattern || is_irrefutable(*as->pattern);
  if (auto* either = std::get_if<MatchOr>(&pattern.node)) return is_irrefutable(*either->patterns.back());
  return false;
}

bool has_future_annotations(const Module& module) {
  return std::any_of(module.body.begin(), module.body.end(), [](StmtPtr stmt) {
    auto* import = std::get_if<ImportFrom>(&stmt->node);
    return import && import->module == "__future__" && import->level == 0 &&
           std::any_of(import->names.begin(), import->names.end(),
                       [](const Alias& alias) { return alias.name == "annotations"; });
  });
}

class StatementFinder {
 public:
  StatementFinder(int32_t n_lines, int python_minor, bool future_annotations, bool annotate)
      : python_minor_(python_minor), future_annotations_(future_annotations), annotate_(annotate), found_(n_lines) {}

  /// Visits the body of a module, class or function, each with a state of its own. A muted one counts only with the
  /// functions inside it.
  void code_object(Suite body, Scope scope, bool muted = false) {
    std::vector<Frame> frames = std::exchange(frames_, {});
    std::set<StmtPtr> dead = std::exchange(dead_, {});
    Scope outer_scope = std::exchange(scope_, scope);
    int outer_depth = std::exchange(depth_, 0);
    bool outer_muted = std::exchange(muted_, muted);
    if (scope == Scope::kFunction && !body.empty()) {
      auto* first = std::get_if<ExprStmt>(&body[0]->node);
      if (first && is_string_constant(*first->value)) body = body.subspan(1);
    }
    suite(body);
    if (!dead_.empty()) add_kept_dead_code(body, kept_dead_code(body, scope, dead_));
    muted_ = outer_muted;
    depth_ = outer_depth;
    scope_ = outer_scope;
    dead_ = std::move(dead);
    frames_ = std::move(frames);
  }

  LineSet take() { return std::move(found_); }

 private:
  void emit(int32_t line) {
    if (!muted_) found_.insert(line);
  }

  bool suite(Suite body) {
    size_t i = 0;
    ++depth_;
    while (i < body.size() && statement(*body[i])) ++i;
    --depth_;
    if (i == body.size()) return true;
    dead(body.subspan(i + 1));
    return false;
  }

  bool statement(const Stmt& stmt) {
    if (muted_) for_each_expression(stmt, [&](const Expr& expr) { emit_nested_code(expr); });
    if (!has_code(stmt)) return true;
    emit(stmt.range.line);
    return std::visit(
        exhaustive{
            [&](const FunctionDef& n) {
              return define(stmt, n.body, Scope::kFunction, !annotate_ && n.name == "__annotate__");
            },
            [&](const ClassDef& n) { return define(stmt, n.body, Scope::kClass, false); },
            [](const OneOf<Return, Raise, Continue> auto&) { return false; },
            [&](const Break&) { return leave_loop(); },
            [&](const Assert& n) { return outcomes(*n.test).can_be_true; },
            [&](const If& n) { return either(outcomes(*n.test), n.body, n.orelse); },
            [&](const While& n) { return loop(outcomes(*n.test), n.body, n.orelse); },
            [&](const For& n) { return loop({true, true}, n.body, n.orelse); },
            [&](const With& n) { return suite(n.body), true; },  // the context manager may swallow an exception
            [&](const Try& n) { return try_statement(n); },
            [&](const Match& n) { return match(n); },
            [](const PlainStatement auto&) { return true; },
        },
        stmt.node);
  }

  /// Emits lambdas and the like, whose code counts wherever it stands. Later compilers inline comprehensions.
  void emit_nested_code(const Expr& expr) {
    walk_expression(expr, [&](const Expr& part) {
      bool has_own = std::holds_alternative<Lambda>(part.node) || std::holds_alternative<GeneratorExp>(part.node);
      if (has_own || (is_nested_code(part) && python_minor_ <= kLastMinorWithDeadFunctions))
        found_.insert(part.range.line);
      return true;
    });
  }

  bool has_code(const Stmt& stmt) const {
    if (std::holds_alternative<Global>(stmt.node) || std::holds_alternative<Nonlocal>(stmt.node)) return false;
    if (auto* deletion = std::get_if<Delete>(&stmt.node))
      return std::any_of(deletion->targets.begin(), deletion->targets.end(),
                         [](ExprPtr t) { return deletes_something(*t); });
    auto* annotation = std::get_if<AnnAssign>(&stmt.node);
    if (annotation && !annotation->value && std::holds_alternative<Name>(annotation->target->node)) {
      if (scope_ == Scope::kFunction) return false;
      if (future_annotations_ || python_minor_ < kFirstMinorWithLateAnnotations)
        return annotation->simple || !future_annotations_;
      // Since 3.14 an annotation has code (a mark that it was executed) only where its execution is uncertain: in a
      // module, which may be half imported, and in suites of a class.
      return annotation->simple && (scope_ == Scope::kModule || depth_ > 1);
    }
    return true;
  }

  Outcomes outcomes(const Expr& test) const { return compiled_outcomes(test, python_minor_); }

  /// Visits a function or class. coverage.py leaves out functions named __annotate__: these evaluate annotations, and
  /// hardly ever run.
  bool define(const Stmt& stmt, Suite body, Scope scope, bool muted) {
    for (ExprPtr decorator : decorators(stmt)) emit(decorator->range.line);
    bool begins_there = scope == Scope::kClass || python_minor_ >= kFirstMinorWithCodeAtDef;
    bool outer_muted = std::exchange(muted_, muted || (muted_ && !begins_there));
    emit(start_line(stmt));
    muted_ = outer_muted;
    code_object(body, scope, muted);
    return true;
  }

  bool leave_loop() {
    for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
      if (frame->kind == Frame::kLoop) {
        frame->broken = true;
        break;
      }
      if (!frame->finally_falls) break;
    }
    return false;
  }

  bool suite_if(bool reachable, Suite body) {
    if (!reachable) dead(body);
    return reachable && suite(body);
  }

  bool either(Outcomes test, Suite body, Suite orelse) {
    bool after_body = suite_if(test.can_be_true, body);
    bool after_else = suite_if(test.can_be_false, orelse);
    return after_body || after_else;
  }

  bool loop(Outcomes test, Suite body, Suite orelse) {
    frames_.push_back({Frame::kLoop});
    suite_if(test.can_be_true, body);
    bool broken = frames_.back().broken;
    frames_.pop_back();
    bool after_else = suite_if(test.can_be_false, orelse);
    return broken || after_else;
  }

  bool try_statement(const Try& n) {
    bool finally_falls = suite(n.finalbody);
    if (!n.finalbody.empty()) frames_.push_back({Frame::kFinally, false, finally_falls});
    bool falls = suite(n.body);
    falls = suite_if(falls, n.orelse);
    for (const ExceptHandler& handler : n.handlers) {
      emit(handler.range.line);
      falls = suite(handler.body) || falls;
    }
    if (!n.finalbody.empty()) frames_.pop_back();
    return falls && finally_falls;
  }

  bool match(const Match& n) {
    bool falls = false, always_matches = false;
    for (const MatchCase& c : n.cases) {
      emit(c.pattern->range.line);
      Outcomes guard = c.guard ? outcomes(*c.guard) : Outcomes{true, false};
      falls = suite_if(guard.can_be_true, c.body) || falls;
      always_matches = always_matches || (is_irrefutable(*c.pattern) && !guard.can_be_false);
    }
    return falls || !always_matches;
  }

  /// Marks code that is never reached; old compilers keep some of the functions, classes, lambdas and comprehensions in
  /// it.
  void dead(Suite body) {
    if (python_minor_ <= kLastMinorWithDeadFunctions) dead_.insert(body.begin(), body.end());
  }

  void add_kept_dead_code(Suite body, const std::set<const void*>& kept) {
    if (kept.empty()) return;
    for (StmtPtr stmt : body) {
      for_each_expression(*stmt, [&](const Expr& expr) { add_kept_expression(expr, kept); });
      bool is_function = std::holds_alternative<FunctionDef>(stmt->node);
      bool defines = is_function || std::holds_alternative<ClassDef>(stmt->node);
      if (kept.contains(stmt)) emit(start_line(*stmt));
      for_each_suite(*stmt, [&](Suite inner) {
        if (!defines)
          add_kept_dead_code(inner, kept);
        else if (kept.contains(stmt))
          code_object(inner, is_function ? Scope::kFunction : Scope::kClass);
      });
    }
  }

  void add_kept_expression(const Expr& expr, const std::set<const void*>& kept) {
    walk_expression(expr, [&](const Expr& part) {
      if (kept.contains(&part)) emit(part.range.line);
      return true;
    });
  }

  int python_minor_;
  bool future_annotations_, annotate_;
  Scope scope_ = Scope::kModule;
  int depth_ = 0;  // of suites in the present code object
  bool muted_ = false;
  std::vector<Frame> frames_;
  std::set<StmtPtr> dead_;  // of the present code object
  LineSet found_;
};

void add_docstring(Suite body, LineSet& found) {
  auto* first = body.empty() ? nullptr : std::get_if<ExprStmt>(&body[0]->node);
  if (first && is_string_constant(*first->value)) found.insert(body[0]->range.line, body[0]->range.end_line);
}

void add_docstrings(Suite body, LineSet& found) {
  for (StmtPtr stmt : body) {
    bool defines = std::holds_alternative<FunctionDef>(stmt->node) || std::holds_alternative<ClassDef>(stmt->node);
    for_each_suite(*stmt, [&](Suite inner) {
      if (defines) add_docstring(inner, found);
      add_docstrings(inner, found);
    });
  }
}

}  // namespace

LineSet find_statements(const Module& module, int32_t n_lines, int python_minor, bool annotate) {
  StatementFinder finder(n_lines, python_minor, has_future_annotations(module), annotate);
  finder.code_object(module.body, Scope::kModule);
  return finder.take();
}

LineSet find_first_strings(const Module& module, int32_t n_lines, int python_minor) {
  LineSet found(n_lines);
  TokenKind before = TokenKind::Indent;
  int32_t fstring = 0;  // the line of an f-string that comes first; up to 3.11, those are tokens like any other string
  for (const Token& token : module.tokens) {
    bool is_first = before == TokenKind::Indent && (&token != &module.tokens.front() || token.range.line == 1);
    if (token.kind == TokenKind::String && is_first) found.insert(token.range.line, token.range.end_line);
    if (token.kind == TokenKind::FStringStart && python_minor < 12 && (is_first || fstring == 0))
      fstring = is_first ? token.range.line : 0;
    if (token.kind == TokenKind::FStringEnd && fstring != 0)
      found.insert(std::exchange(fstring, 0), token.range.end_line);
    before = token.kind;
  }
  return found;
}

LineSet find_docstrings(const Module& module, int32_t n_lines) {
  LineSet found(n_lines);
  add_docstring(module.body, found);
  add_docstrings(module.body, found);
  return found;
}

}  // namespace qd::report
