// Possible arcs of a source: which line may follow which. Branch coverage compares these with the arcs that were taken.
//
//   def f(x):          # 1
//       while x:       # 2
//           if x > 9:  # 3
//               break  # 4
//           x -= 1     # 5
//       return x       # 6
//
// There is one function for each kind of statement. It gets the exits of the code before the statement, which are the
// lines from which control comes. It adds an arc from each of them to the first line of the statement, and returns the
// exits of the statement. The function for the `if` above gets exit 2, adds 2 -> 3, and returns the exits of its body
// (none) and of its missing else (3). The `break` adds its line to the exits of the loop around it; `continue`,
// `return` and `raise` do the same for the block that takes them. The head of the loop gets arcs from the exits of its
// body
// (5 -> 2), and the loop's exits are its head and its breaks:
//
//   -1 -> 2, 2 -> 3, 3 -> 4, 3 -> 5, 5 -> 2, 2 -> 6, 4 -> 6, 6 -> -1
//
// A negative number is a function's first line: its entry where it comes first, its exit where it comes last. A line
// with several arcs out of it is a branch. Numbers and omissions (conditions that are constants, excluded lines and
// unreachable code) are coverage.py's, for the version of Python that measured.
#include "report/analysis/source/possible_arcs.h"

#include <algorithm>
#include <set>

#include "report/analysis/source/constants.h"
#include "report/analysis/source/tree_walk.h"

namespace qd::report {

using namespace syntax;

namespace {

using Suite = List<StmtPtr>;

/// A line from which control goes on, and the cause why it may not have.
struct Exit {
  int32_t line;
  Cause cause = Cause::kUnknown;
  auto operator<=>(const Exit&) const = default;
};
using Exits = std::vector<Exit>;  // in no order, perhaps repeated

void append(Exits& exits, const Exits& more) { exits.insert(exits.end(), more.begin(), more.end()); }

void sort_unique(auto& items) {
  if (!std::is_sorted(items.begin(), items.end())) std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

Exits unique(Exits exits) {
  sort_unique(exits);
  return exits;
}

/// A loop, function or try around a statement, which takes its jumps.
struct Block {
  enum Kind { kLoop, kFunction, kTry } kind;
  int32_t start = 0;  // loop: its head; function: its first line; try: the first handler, 0 if there is none (any more)
  Exits breaks;       // loop
  std::string_view name = {};  // function
};

class ArcFinder {
 public:
  ArcFinder(const LogicalLines& lines, const LineSet& statements, bool reasons)
      : lines_(lines), statements_(statements), wants_reasons_(reasons) {}

  PossibleArcs find(const Module& module) {
    if (module.body.empty()) {
      add(1, -1);
    } else {
      for (const Exit& exit : unique(suite(module.body, {}))) add(exit, -1, ArcAction::kExitModule);
    }
    code_objects(module.body);
    PossibleArcs result;
    sort_unique(arcs_);
    result.with_jumps = with_jumps();
    result.arcs = std::move(arcs_);
    result.reasons = std::move(reasons_);
    return result;
  }

 private:
  int32_t line_of(const Range& range) const { return lines_.first_of(range.line); }
  int32_t start_of(const Stmt& stmt) const { return lines_.first_of(start_line(stmt)); }

  void add(int32_t from, int32_t to) {
    arcs_.push_back({from, to});
    if (std::find(open_withs_.begin(), open_withs_.end(), from) != open_withs_.end()) with_entries_.insert({from, to});
  }

  void add(const Exit& from, int32_t to, ArcAction action = ArcAction::kJump, std::string_view name = {}) {
    add(from.line, to);
    if (wants_reasons_) reasons_[{from.line, to}].push_back({from.cause, action, std::string(name)});
  }

  /// Visits all functions and classes, each by itself, the last ones first: that is the order in which coverage.py
  /// gives several reasons of one arc.
  void code_objects(Suite body) {
    for (size_t i = body.size(); i-- > 0;) {
      StmtPtr stmt = body[i];
      int32_t start = start_of(*stmt);
      if (auto* function = std::get_if<FunctionDef>(&stmt->node)) {
        blocks_.push_back({Block::kFunction, start, {}, function->name});
        leave_function(suite(function->body, {}));
        blocks_.pop_back();
      } else if (auto* klass = std::get_if<ClassDef>(&stmt->node)) {
        for (const Exit& exit : unique(suite(klass->body, {}))) add(exit, -start, ArcAction::kExitClass, klass->name);
      }
      std::vector<Suite> suites;
      for_each_suite(*stmt, [&](Suite inner) { suites.push_back(inner); });
      for (auto inner = suites.rbegin(); inner != suites.rend(); ++inner) code_objects(*inner);
    }
  }

  /// Adds the arcs from `from` into and through a suite; returns its exits.
  Exits suite(Suite body, Exits from) {
    for (StmtPtr stmt : body) {
      int32_t line = start_of(*stmt);
      if (!statements_.contains(line)) continue;
      sort_unique(from);
      for (const Exit& start : from) add(start, line);
      from = exits_of(*stmt);
    }
    return from;
  }

  Exits exits_of(const Stmt& stmt) {
    int32_t line = line_of(stmt.range);
    return std::visit(exhaustive{
                          [&](const OneOf<FunctionDef, ClassDef> auto&) { return definition(stmt); },
                          [&](const Return&) { return leave_function({{line, Cause::kReturn}}), Exits{}; },
                          [&](const Raise&) { return raise(line), Exits{}; },
                          [&](const Break&) { return break_loop(line), Exits{}; },
                          [&](const Continue&) { return continue_loop(line), Exits{}; },
                          [&](const If& n) { return if_statement(n); },
                          [&](const While& n) { return while_loop(n); },
                          [&](const For& n) { return for_loop(n); },
                          [&](const With& n) { return with_statement(n); },
                          [&](const Try& n) { return try_statement(n, line); },
                          [&](const Match& n) { return match(n, line); },
                          [&](const PlainStatement auto&) { return Exits{{line}}; },
                      },
                      stmt.node);
  }

  Exits definition(const Stmt& stmt) {
    int32_t last = 0;
    for (ExprPtr decorator : decorators(stmt)) {
      int32_t line = line_of(decorator->range);
      if (last != 0 && line != last) add(last, line);
      last = line;
    }
    if (last != 0) add(last, stmt.range.line);
    return {{stmt.range.line}};
  }

  // --- jumps, from the innermost block outwards

  void leave_function(Exits exits) {
    for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block)
      if (block->kind == Block::kFunction) {
        for (const Exit& exit : unique(std::move(exits))) add(exit, -block->start, ArcAction::kReturn, block->name);
        return;
      }
  }

  void raise(int32_t line) {
    Exit exit{line, Cause::kRaise};
    for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
      if (block->kind == Block::kLoop) continue;
      if (block->kind == Block::kFunction) add(exit, -block->start, ArcAction::kExcept, block->name);
      if (block->kind == Block::kTry && block->start != 0) add(exit, block->start);
      return;
    }
  }

  Block* innermost_loop() {
    for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block)
      if (block->kind == Block::kLoop) return &*block;
    return nullptr;
  }
  void break_loop(int32_t line) {
    if (Block* loop = innermost_loop()) loop->breaks.push_back({line, Cause::kBreak});
  }
  void continue_loop(int32_t line) {
    if (Block* loop = innermost_loop()) add(Exit{line, Cause::kContinue}, loop->start);
  }

  // --- compound statements

  Exits if_statement(const If& n) {
    int32_t start = line_of(n.test->range);
    std::optional<bool> constant = constant_test(*n.test);
    Exits exits;
    if (!constant || *constant) append(exits, suite(n.body, {{start, Cause::kNeverTrue}}));
    if (!constant || !*constant) append(exits, suite(n.orelse, {{start, Cause::kAlwaysTrue}}));
    return exits;
  }

  /// Adds the arcs of a loop's body, and those back to its head; returns the lines of its breaks.
  Exits loop_body(const Exit& head, Suite body) {
    blocks_.push_back({Block::kLoop, head.line, {}});
    for (const Exit& exit : unique(suite(body, {head}))) add(exit, head.line);
    Exits breaks = std::move(blocks_.back().breaks);
    blocks_.pop_back();
    return breaks;
  }

  Exits while_loop(const While& n) {
    int32_t start = line_of(n.test->range);
    Exits exits = loop_body({start, Cause::kNeverTrue}, n.body);
    Exit end{start, Cause::kAlwaysTrue};
    if (!n.orelse.empty())
      append(exits, suite(n.orelse, {end}));
    else if (!constant_test(*n.test))
      exits.push_back(end);
    return exits;
  }

  Exits for_loop(const For& n) {
    int32_t start = line_of(n.iter->range);
    Exits exits = loop_body({start, Cause::kNeverStarted}, n.body);
    append(exits, suite(n.orelse, {{start, Cause::kNotCompleted}}));
    return exits;
  }

  Exits match(const Match& n, int32_t line) {
    Exits exits;
    Exit next{line, Cause::kAlwaysMatched};
    for (const MatchCase& c : n.cases) {
      int32_t case_line = line_of(c.pattern->range);
      add(next, case_line);
      append(exits, suite(c.body, {{case_line, Cause::kNeverMatched}}));
      next.line = case_line;
    }
    if (!is_wildcard_case(n.cases.back())) exits.push_back(next);
    return exits;
  }

  Exits try_statement(const Try& n, int32_t line) {
    blocks_.push_back({Block::kTry, n.handlers.empty() ? 0 : line_of(n.handlers.front().range), {}});
    Exits exits = suite(n.body, {{line}});
    // The handlers' own exceptions do not go to the handlers; a `finally` still takes them.
    if (n.finalbody.empty())
      blocks_.pop_back();
    else
      blocks_.back().start = 0;
    Exits handler_exits;
    for (const ExceptHandler& handler : n.handlers)
      append(handler_exits, suite(handler.body, {{line_of(handler.range), Cause::kNoException}}));
    if (!n.orelse.empty()) exits = suite(n.orelse, std::move(exits));
    append(exits, handler_exits);
    if (!n.finalbody.empty()) {
      blocks_.pop_back();
      bool falls = !exits.empty();
      Exits final_exits = suite(n.finalbody, std::move(exits));
      exits = falls ? std::move(final_exits) : Exits{};
    }
    return exits;
  }

  Exits with_statement(const With& n) {
    int32_t start = line_of(n.items.back().context_expr->range);
    open_withs_.push_back(start);
    withs_.insert(start);
    Exits exits = suite(n.body, {{start}});
    std::erase(open_withs_, start);
    if (exits.empty()) return {};
    for (const Exit& exit : exits) {
      add(exit.line, start);
      with_exits_.insert({exit.line, start});
    }
    return {{start}};
  }

  std::map<Arc, std::optional<Arc>> with_jumps() const {
    std::map<int32_t, int32_t> nexts;  // head of a `with` -> destination after its body
    for (const Arc& arc : arcs_)
      if (withs_.contains(arc.from) && !with_entries_.contains(arc)) nexts.emplace(arc.from, arc.to);
    std::map<Arc, std::optional<Arc>> result;
    for (const Arc& exit : with_exits_) {
      auto next = nexts.find(exit.to);
      if (next == nexts.end()) continue;
      // A `with` that ends the body of another one goes on to that one's head, and from there behind it.
      int32_t from = exit.to, to = next->second;
      while (from != to && with_exits_.contains({from, to}) && nexts.contains(to))
        from = std::exchange(to, nexts.at(to));
      result[exit] = Arc{exit.from, to};
    }
    // Behind a body on lines of its own, the arc from the head onwards duplicates the jump; behind a body on the head's
    // line it is the only arc.
    for (auto [start, next] : nexts)
      if (!with_exits_.contains({start, start})) result[Arc{start, next}] = std::nullopt;
    return result;
  }

  const LogicalLines& lines_;
  const LineSet& statements_;
  const bool wants_reasons_;
  std::vector<Arc> arcs_;
  ArcReasons reasons_;
  std::vector<Block> blocks_;
  std::vector<int32_t> open_withs_;
  std::set<int32_t> withs_;
  std::set<Arc> with_entries_, with_exits_;
};

}  // namespace

std::vector<Arc> replace_with_jumps(std::vector<Arc> arcs, const std::map<Arc, std::optional<Arc>>& with_jumps) {
  if (with_jumps.empty()) {
    sort_unique(arcs);
    return arcs;
  }
  std::vector<Arc> result;
  result.reserve(arcs.size());
  for (const Arc& arc : arcs) {
    auto replacement = with_jumps.find(arc);
    if (replacement == with_jumps.end())
      result.push_back(arc);
    else if (replacement->second)
      result.push_back(*replacement->second);
  }
  sort_unique(result);
  return result;
}

PossibleArcs find_possible_arcs(const Module& module, const LogicalLines& lines, const LineSet& statements,
                                bool reasons) {
  return ArcFinder(lines, statements, reasons).find(module);
}

}  // namespace qd::report
