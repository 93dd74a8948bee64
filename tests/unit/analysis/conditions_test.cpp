// Decisions that count, and the texts for them. MC/DC itself is compared with its definition in
// tests/differential/test_mcdc.py.
#include "report/analysis/conditions/conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/analysis/analysis.h"

namespace qd::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

// Line 6 is a decision of a kernel, 9 of a func, 14 of the host, 19 of a function that a decorator of another module
// makes a kernel.
const std::string kSource = R"(import qd
from mine import kernel_like

@qd.kernel
def k(a: qd.i32, b: qd.i32) -> qd.i32:
    return 1 if a < b else 0
@qd.func
def f(a, b):
    if a > 0 and not (
        b > 0  # so
        or 0 < a <= b
    ):
        a = 1
    while True and a:  # no branch
        pass
    return b
def host(a, b):
    return a and b
@kernel_like
def other(a, b):
    c = a or b
)";

FileConditions coverage_of(const std::string& text, const FileData& data) {
  return condition_coverage(
      analyze_source(text, "f.py", {{"# no cover"}, {"# no branch"}, {}}, {.arcs = false, .conditions = true}), data);
}

std::vector<int32_t> lines_of(const FileConditions& coverage) {
  std::vector<int32_t> lines;
  for (const DecisionCoverage& decision : coverage.decisions) lines.push_back(decision.source.line);
  return lines;
}

/// Data with one decision of `text`, the one on a line.
FileData measured(const std::string& text, int32_t line, const std::map<uint32_t, std::set<Evaluation>>& evaluations) {
  FileData data;
  SourceAnalysis source = analyze_source(text, "f.py", {}, {.arcs = false, .conditions = true});
  for (const SourceDecision& decision : *source.decisions) {
    if (decision.line != line) continue;
    MeasuredDecision& result = data.decisions[decision.range];
    result = {decision.function, decision.kind, {}, evaluations};
    for (const SourceCondition& condition : decision.conditions) result.conditions.push_back(condition.range);
  }
  return data;
}

TEST(Conditions, OnlyKernelsAndFuncsCount) {
  EXPECT_THAT(lines_of(coverage_of(kSource, {})), ElementsAre(6, 9));
  FileData compiled;
  compiled.kernel_functions[{19, "other", true, "cpu"}];
  EXPECT_THAT(lines_of(coverage_of(kSource, compiled)), ElementsAre(6, 9, 21));
  EXPECT_THAT(lines_of(coverage_of(kSource, measured(kSource, 21, {}))), ElementsAre(6, 9, 21));
  EXPECT_THAT(lines_of(coverage_of(kSource, measured(kSource, 18, {}))), ElementsAre(6, 9, 18));
}

TEST(Conditions, OfAssertsCountWhenTheyAreCompiled) {
  std::string text = "import qd\n@qd.kernel\ndef k(a, b):\n    assert a and b\n";
  EXPECT_THAT(lines_of(coverage_of(text, {})), IsEmpty());
  EXPECT_THAT(lines_of(coverage_of(text, measured(text, 4, {}))), ElementsAre(4));
}

TEST(Conditions, ExcludedLinesDoNot) {
  std::string text =
      "import qd\n@qd.kernel\ndef k(a, b):\n    if a and b:  # no cover\n        a = 1 if b else 2\n    a = 1 if b "
      "else 2\n";
  EXPECT_THAT(lines_of(coverage_of(text, {})), ElementsAre(6));
}

TEST(Conditions, TextIsOfOneLine) {
  FileConditions coverage = coverage_of(kSource, {});
  std::vector<std::string> texts;
  for (const ConditionCoverage& condition : coverage.decisions[1].conditions) texts.push_back(condition.source.text);
  EXPECT_THAT(texts, ElementsAre("a > 0", "b > 0", "0 < a", "a <= b"));
  EXPECT_EQ(coverage.decisions[1].source.text, "a > 0 and not ( b > 0 or 0 < a <= b )");
}

TEST(Conditions, AllContextsAreOne) {
  FileConditions coverage =
      coverage_of(kSource, measured(kSource, 9, {{0, {{"F---", 'F'}}}, {2, {{"TT--", 'F'}, {"TFF-", 'T'}}}}));
  const DecisionCoverage& decision = coverage.decisions[1];
  EXPECT_TRUE(decision.true_seen);
  EXPECT_TRUE(decision.false_seen);
  EXPECT_EQ(coverage.n_stale, 0);
  EXPECT_THAT(
      missing_conditions(coverage.decisions, {}),
      ElementsAre(Pair(6, "a < b never evaluated"), Pair(11, "0 < a never true"), Pair(11, "a <= b never evaluated")));
  EXPECT_THAT(missing_conditions(coverage.decisions, {6, 9}), IsEmpty());
  ConditionNumbers numbers = coverage.numbers();
  EXPECT_EQ(numbers.n_decisions, 2);
  EXPECT_EQ(numbers.n_outcomes, 10);
  EXPECT_EQ(numbers.n_missing_outcomes, 5);
  EXPECT_EQ(numbers.n_mcdc, 5);
  EXPECT_EQ(numbers.n_missing_mcdc, 3);
}

TEST(Conditions, ThatNeverDecideAreNamed) {
  std::string text = "import qd\n@qd.kernel\ndef k(a, b, c):\n    if a and b or c:\n        pass\n";
  FileConditions coverage = coverage_of(text, measured(text, 4, {{0, {{"TT-", 'T'}, {"F-F", 'F'}, {"TFT", 'T'}}}}));
  EXPECT_THAT(missing_conditions(coverage.decisions, {}),
              ElementsAre(Pair(4, "b never decides"), Pair(4, "c never decides")));
  const ConditionCoverage& b = coverage.decisions[0].conditions[1];
  ASSERT_EQ(b.independence.wanted.size(), 1u);
  EXPECT_EQ(evaluation_text(b.independence.wanted[0], coverage.decisions[0].conditions), "a true, b false, c false");
}

TEST(Conditions, LiteralsDoNotCount) {
  std::string text =
      "import qd\n@qd.kernel\ndef k(a):\n    while True and a:\n        pass\n    if a or 0.0 or not 1:\n        "
      "pass\n";
  FileConditions coverage = coverage_of(text, measured(text, 4, {{0, {{"TT", 'T'}, {"TF", 'F'}}}}));
  ConditionNumbers numbers = coverage.numbers();
  EXPECT_EQ(numbers.n_outcomes, 4);
  EXPECT_EQ(numbers.n_missing_outcomes, 2);
  EXPECT_EQ(numbers.n_mcdc, 2);
  EXPECT_TRUE(coverage.decisions[0].complete());
  EXPECT_THAT(coverage.decisions[1].source.possible, ElementsAre(Evaluation{"FFT", 'F'}, Evaluation{"T--", 'T'}));
}

TEST(Conditions, WithinStaticCallsAreNone) {
  std::string text =
      "import qd\n@qd.kernel\ndef k(a):\n    qd.static_assert(N > 0 and N < 9)\n    if qd.static(N > 1 and N < 5) and "
      "a:\n        pass\n"
      "    b = 1 if qd.static(N) else 2\n";
  FileConditions coverage = coverage_of(text, {});
  EXPECT_THAT(lines_of(coverage), ElementsAre(5));
  EXPECT_EQ(coverage.numbers().n_outcomes, 4);  // another variant could have another N
}

TEST(Conditions, OfALargeDecisionHaveNoMcdc) {
  std::string text =
      "import qd\n@qd.kernel\ndef k(a):\n    if a > 1 or a > 2 or a > 3 or a > 4 or a > 5 or a > 6 or a > 7:\n        "
      "pass\n";
  FileConditions coverage = coverage_of(text, measured(text, 4, {{0, {{"T------", '-'}, {"F------", '-'}}}}));
  ConditionNumbers numbers = coverage.numbers();
  EXPECT_EQ(numbers.n_without_mcdc, 1);
  EXPECT_EQ(numbers.n_mcdc, 0);
  EXPECT_EQ(numbers.n_missing_outcomes, 12);
  EXPECT_EQ(missing_conditions(coverage.decisions, {}).size(), 6u);
}

TEST(Conditions, OfAnotherSourceAreStale) {
  FileData data = measured(kSource, 9, {{0, {{"F---", 'F'}}}});
  FileConditions coverage = coverage_of("import qd\n@qd.kernel\ndef k(a, b):\n    if a and b:\n        pass\n", data);
  EXPECT_EQ(coverage.n_stale, 1);
  EXPECT_EQ(coverage.numbers().n_missing_outcomes, 4);
}

TEST(Conditions, LongTextIsShortened) {
  EXPECT_EQ(shortened("abcdé", 5), "abcdé");
  EXPECT_EQ(shortened("abcdéf", 5), "abcd…");
}

}  // namespace
}  // namespace qd::report
