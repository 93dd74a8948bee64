// Measured data against a source. The analysis of the source alone is compared with coverage.py in tests/differential.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/analysis/analysis.h"

namespace qd::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

const Exclusions kNoExclusions{{"# no cover"}, {"# no branch"}, {}};

Analysis analysis_of(const std::string& text, const std::vector<Arc>& arcs) {
  CoverageData data;
  data.has_arcs = true;
  data.files.try_emplace("f.py");
  for (const Arc& arc : arcs) data.add_arc("f.py", arc);
  return analyze("f.py", "f.py", analyze_source(text, "f.py", kNoExclusions), data.files["f.py"], true);
}

TEST(Analysis, LinesOfContinuationsBelongToTheirStatement) {
  CoverageData data;
  data.has_arcs = false;
  data.add_line("f.py", 2);
  Analysis analysis =
      analyze("f.py", "f.py", analyze_source("a = [\n  2,\n]\nb = 4\n", "f.py", kNoExclusions, {.arcs = false}),
              data.files["f.py"], false);
  EXPECT_THAT(analysis.executed, ElementsAre(1));
  EXPECT_THAT(analysis.missing, ElementsAre(4));
  EXPECT_THAT(analysis.source.arcs, IsEmpty());
  EXPECT_EQ(analysis.source.last_line[1], 3);
}

TEST(Analysis, MissingBranches) {
  Analysis analysis = analysis_of("def f(a):\n    if a:\n        b = 3\n    if b:\n        c = 5\n",
                                  {{-1, 1}, {1, -1}, {-1, 2}, {2, 3}, {3, 4}, {4, -1}});
  EXPECT_THAT(analysis.missing, ElementsAre(5));
  EXPECT_THAT(analysis.missing_branches, ElementsAre(Pair(2, ElementsAre(4)), Pair(4, ElementsAre(5))));
  EXPECT_EQ(analysis.missing_formatted(), "2->4, 5");  // the missing line stands for 4->5
  EXPECT_EQ(analysis.missing_formatted(false), "5");
  EXPECT_THAT(analysis.branch_stats, ElementsAre(Pair(2, ElementsAre(2, 1)), Pair(4, ElementsAre(2, 1))));
  EXPECT_EQ(analysis.numbers.n_branches, 4);
  EXPECT_EQ(analysis.numbers.n_missing_branches, 2);
  EXPECT_EQ(analysis.numbers.n_partial_branches, 2);
}

TEST(Analysis, NoBranchForgives) {
  Analysis analysis = analysis_of("if a:  # no branch\n    b = 2\nc = 3\n", {{-1, 1}, {1, 2}, {2, 3}, {3, -1}});
  EXPECT_THAT(analysis.missing_branches, IsEmpty());
  EXPECT_EQ(analysis.numbers.n_branches, 2);
}

TEST(Analysis, LeavingAWithGoesOn) {
  Analysis analysis =
      analysis_of("with a:\n    if b:\n        c = 3\nd = 4\n", {{-1, 1}, {1, 2}, {2, 3}, {3, 1}, {1, 4}, {4, -1}});
  EXPECT_THAT(analysis.missing_branches, ElementsAre(Pair(2, ElementsAre(4))));
}

TEST(Analysis, RangesPassOverWhatIsNoStatement) {
  Analysis analysis = analysis_of("a = 1\n# comment\nb = 3\n\nc = 5\nd = 6\ne = 7\n", {{6, 7}});
  EXPECT_EQ(analysis.missing_formatted(), "1-5");
}

TEST(Analysis, DeepExpressions) {
  std::string sum = "x = 1";
  for (int i = 0; i < 2'900; ++i) sum += " + a";
  std::string text = sum + "\nif 0:\n    lambda: 0\n    " + sum + "\nif " + sum.substr(4) + ":\n    b = 6\nc = 7\n";
  for (int minor : {11, 13})
    EXPECT_THAT(analyze_source(text, "f.py", kNoExclusions, {.python_minor = minor}).statements,
                testing::SizeIs(testing::Ge(5u)));
}

TEST(ReadSource, SaysWhatIsWrong) {
  EXPECT_THROW(read_source("/no/such/file.py"), NoSource);
  try {
    read_source("/");
    FAIL();
  } catch (const NoSource& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("No source for code: '/': [Errno 21]"));
  }
}

}  // namespace
}  // namespace qd::report
