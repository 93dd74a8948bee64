// Prints the decisions of every function in the files named on standard input, for test_decisions.py to compare: a line
// for each file, then one for each function, `LINE:COL NAME`, and one for each of its decisions, `  KIND RANGE
// CONDITIONS WAYS`. `isinstance(...)` plays the part of qd.static(...).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>

#include "runtime/syntax/decisions.h"
#include "runtime/syntax/parse.h"
#include "runtime/syntax/tree_walk.h"

namespace {

using namespace qd::syntax;

constexpr uint64_t kMaxWays = 64;

std::string text(const Range& range) {
  return fmt::format("{}:{}-{}:{}", range.line, range.col, range.end_line, range.end_col);
}

bool compile_time(const Expr& expr) {
  auto* call = std::get_if<Call>(&expr.node);
  auto* name = call ? std::get_if<Name>(&call->func->node) : nullptr;
  return name && name->id == "isinstance";
}

void print(const Decision& decision) {
  std::vector<std::string> conditions;
  for (const Condition& condition : decision.conditions) conditions.push_back(text(condition.range));
  std::string all = "many";
  if (count_ways(decision, kMaxWays) <= kMaxWays) {
    all = fmt::format("{}", fmt::join(ways(decision), ","));
    all += fmt::format(" {}", fmt::join(weights(decision), ","));
  }
  fmt::print("  {} {} {} {}\n", name(decision.kind), text(decision.expr->range), fmt::join(conditions, ","), all);
}

void print_functions(List<StmtPtr> statements) {
  for (const Stmt* stmt : statements) {
    if (auto* function = std::get_if<FunctionDef>(&stmt->node)) {
      fmt::print("{}:{} {}\n", stmt->range.line, stmt->range.col, function->name);
      for (const Decision& decision : decisions(*function, compile_time)) print(decision);
    }
    for_each_suite(*stmt, [](List<StmtPtr> inner) { print_functions(inner); });
  }
}

}  // namespace

int main() {
  for (std::string path; std::getline(std::cin, path);) {
    fmt::print("{}\n", path);
    ParseResult result = parse_file(path);
    if (result.module) print_functions(result.module->body);
  }
}
