// Expressions that are decisions, and the numbering of the ways through one.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "runtime/syntax/decisions.h"
#include "runtime/syntax/parse.h"

namespace qd::syntax {
namespace {

bool is_static(const Expr& expr) {
  auto* call = std::get_if<Call>(&expr.node);
  auto* name = call ? std::get_if<Name>(&call->func->node) : nullptr;
  return name && name->id == "static";
}

/// Decisions of the first function: `kind line:col-line:col [conditions]`, a line each.
std::string decisions_of(const std::string& body) {
  ParseResult result = parse("def f():\n" + body);
  EXPECT_TRUE(result.module) << body;
  std::string text;
  auto place = [](const Range& r) { return fmt::format("{}:{}-{}:{}", r.line, r.col, r.end_line, r.end_col); };
  for (const Decision& decision : decisions(std::get<FunctionDef>(result.module->body[0]->node), is_static)) {
    text += fmt::format("{} {} [", name(decision.kind), place(decision.expr->range));
    for (const Condition& condition : decision.conditions) text += fmt::format(" {}", place(condition.range));
    text += " ]\n";
  }
  return text;
}

Decision decision_of(const std::string& expr) {
  static std::vector<ParseResult> kept;
  kept.push_back(parse("def f():\n x = " + expr + "\n"));
  return decisions(std::get<FunctionDef>(kept.back().module->body[0]->node)).at(0);
}

struct Row {
  const char* body;
  const char* expected;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.body; }

class Decisions : public testing::TestWithParam<Row> {};

TEST_P(Decisions, AreFound) { EXPECT_EQ(decisions_of(GetParam().body), GetParam().expected); }

INSTANTIATE_TEST_SUITE_P(Kinds, Decisions,
                         testing::ValuesIn(std::vector<Row>{
                             {" if a and b: pass\n elif c or d: pass\n",
                              "if 2:4-2:11 [ 2:4-2:5 2:10-2:11 ]\nif 3:6-3:12 [ 3:6-3:7 3:11-3:12 ]\n"},
                             {" while a and b: pass\n", "while 2:7-2:14 [ 2:7-2:8 2:13-2:14 ]\n"},
                             {" assert a, b or c\n",
                              "assert 2:8-2:9 [ 2:8-2:9 ]\nvalue 2:11-2:17 [ 2:11-2:12 2:16-2:17 ]\n"},
                             {" x = y if a else z\n", "ternary 2:10-2:11 [ 2:10-2:11 ]\n"},
                             {" return a and b\n", "value 2:8-2:15 [ 2:8-2:9 2:14-2:15 ]\n"},
                             {" x: int = a or b\n", "value 2:10-2:16 [ 2:10-2:11 2:15-2:16 ]\n"},
                         }));

INSTANTIATE_TEST_SUITE_P(Conditions, Decisions,
                         testing::ValuesIn(std::vector<Row>{
                             {" if a > 0: pass\n x = not a\n", ""},
                             {" if not (a and b): pass\n", "if 2:4-2:17 [ 2:9-2:10 2:15-2:16 ]\n"},
                             {" x = not a and not (b or c)\n", "value 2:5-2:27 [ 2:9-2:10 2:20-2:21 2:25-2:26 ]\n"},
                             {" if 0 < f(a) <= 2: pass\n", "if 2:4-2:17 [ 2:4-2:12 2:8-2:17 ]\n"},
                             {" if (a <\n  b < (c)): pass\n", "if 2:5-3:9 [ 2:5-3:3 3:2-3:8 ]\n"},
                             {" x = '\u00e9' < a < b\n", "value 2:5-2:17 [ 2:5-2:13 2:12-2:17 ]\n"},
                         }));

INSTANTIATE_TEST_SUITE_P(
    Nested, Decisions,
    testing::ValuesIn(std::vector<Row>{
        {" if a and f(b or c): pass\n", "if 2:4-2:19 [ 2:4-2:5 2:10-2:19 ]\nvalue 2:12-2:18 [ 2:12-2:13 2:17-2:18 ]\n"},
        {" x = 1 if a else 2 if b else 3\n", "ternary 2:10-2:11 [ 2:10-2:11 ]\nternary 2:22-2:23 [ 2:22-2:23 ]\n"},
        {" while (b if a else c): pass\n", "ternary 2:13-2:14 [ 2:13-2:14 ]\n"},
        {" x = 0 < (a if b else c) < 1\n", "value 2:5-2:28 [ 2:5-2:23 2:10-2:28 ]\nternary 2:15-2:16 [ 2:15-2:16 ]\n"},
    }));

INSTANTIATE_TEST_SUITE_P(NotMeasured, Decisions,
                         testing::ValuesIn(std::vector<Row>{
                             {" if static(a and b): pass\n x = static(a or b)\n", ""},
                             {" x = 1 if static(a) else 2\n assert not static(a)\n", ""},
                             {" if static(a and b) and c: pass\n", "if 2:4-2:25 [ 2:4-2:19 2:24-2:25 ]\n"},
                             {" x = [a and b for a in c]\n y = lambda a: a or b\n", ""},
                             {" def g(a=b or c): return a and b\n class C: x = a or b\n", ""},
                         }));

TEST(Ways, AreNumberedByTheWeightsOfTheirTrueConditions) {
  for (const char* expr : {"a and b", "a or b", "not (a or b) and c", "(a or b) and (c or d)",
                           "a and (b or not (c and d)) or e", "a < b < c < d"}) {
    Decision decision = decision_of(expr);
    std::vector<std::string> all = ways(decision);
    std::vector<uint64_t> weight = weights(decision);
    EXPECT_EQ(all.size(), count_ways(decision, 100)) << expr;
    for (size_t number = 0; number < all.size(); ++number) {
      uint64_t sum = 0;
      for (size_t i = 0; i < weight.size(); ++i) sum += all[number][i] == 'T' ? weight[i] : 0;
      EXPECT_EQ(sum, number) << expr;
    }
  }
}

TEST(Ways, SayWhatIsEvaluated) {
  EXPECT_EQ(fmt::format("{}", fmt::join(ways(decision_of("a and b")), " ")), "F-F TFF TTT");
  EXPECT_EQ(fmt::format("{}", fmt::join(ways(decision_of("not a or b")), " ")), "F-T TFF TTT");
  EXPECT_EQ(fmt::format("{}", fmt::join(ways(decision_of("(a or b) and c")), " ")), "FF-F FTFF FTTT T-FF T-TT");
}

TEST(Ways, AreCountedUpToALimit) {
  std::string many = "(a or b)";
  for (int i = 0; i < 80; ++i) many += " and (a or b)";
  EXPECT_EQ(count_ways(decision_of(many), 64), 65u);
  EXPECT_EQ(count_ways(decision_of("a and b and c"), 64), 4u);
}

}  // namespace
}  // namespace qd::syntax
