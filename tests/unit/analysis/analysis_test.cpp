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

/// Arcs that Quadrants writes for lines of kernels that ran.
std::vector<Arc> lines_alone(const std::vector<int32_t>& lines, std::vector<Arc> arcs = {}) {
  for (int32_t line : lines) arcs.insert(arcs.end(), {{-1, line}, {line, -1}});
  return arcs;
}

constexpr const char* kKernel = R"(import quadrants as qd
@qd.kernel
def k(x):
    for i in x:
        if x[i] > 1:
            x[i] = 6
        x[i] += 7
        if x[i] > 8:
            x[i] = 9
        elif x[i] < 0:
            x[i] = 11
)";
const std::vector<Arc> kHost = {{-1, 1}, {1, 2}, {2, 3}, {3, -1}};

TEST(LinesAlone, ArcsAreInferredWhereThereIsNoOtherWay) {
  // 9 and 11 did not run, so 10->4 is the only way out of 10, but 5->7 and 6->7 are two ways into 7.
  Analysis analysis = analysis_of(kKernel, lines_alone({4, 5, 6, 7, 8, 10}, kHost));
  EXPECT_THAT(analysis.missing, ElementsAre(9, 11));
  EXPECT_THAT(analysis.missing_branches, ElementsAre(Pair(8, ElementsAre(9)), Pair(10, ElementsAre(11))));
  EXPECT_THAT(analysis.unknown_branches, ElementsAre(Arc{5, 7}));
  EXPECT_THAT(analysis.branch_stats, ElementsAre(Pair(4, ElementsAre(2, 2)), Pair(5, ElementsAre(1, 1)),
                                                 Pair(8, ElementsAre(2, 1)), Pair(10, ElementsAre(2, 1))));
  EXPECT_EQ(analysis.numbers.n_branches, 7);
  EXPECT_EQ(analysis.numbers.n_missing_branches, 2);
  EXPECT_EQ(analysis.numbers.n_partial_branches, 2);
  EXPECT_EQ(analysis.numbers.n_unknown_branches, 1);
  EXPECT_EQ(analysis.missing_formatted(), "9, 11");
}

TEST(LinesAlone, ArcsThatSomebodyMeasuredAreKnown) {
  std::vector<Arc> arcs = lines_alone({4, 5, 6, 7, 8, 10}, kHost);
  arcs.push_back({5, 7});
  Analysis analysis = analysis_of(kKernel, arcs);
  EXPECT_THAT(analysis.unknown_branches, IsEmpty());
  EXPECT_EQ(analysis.numbers.n_branches, 8);
}

TEST(LinesAlone, LineThatRanOnlyElsewhereIsNotReached) {
  // Another program measured 4->5->7->8->10->4 as arcs, and 6 alone ran in Quadrants' data: nothing shows 5->6.
  std::vector<Arc> arcs = lines_alone({6}, kHost);
  arcs.insert(arcs.end(), {{-2, 4}, {4, 5}, {5, 7}, {7, 8}, {8, 10}, {10, 4}, {4, -2}});
  Analysis analysis = analysis_of(kKernel, arcs);
  EXPECT_THAT(analysis.missing_branches,
              ElementsAre(Pair(5, ElementsAre(6)), Pair(8, ElementsAre(9)), Pair(10, ElementsAre(11))));
  EXPECT_THAT(analysis.unknown_branches, IsEmpty());
}

TEST(LinesAlone, LoopsWithinLoops) {
  // Control comes to line 5 from 4 first, and leaves the inner loop by going back to 4. 6->8 and 8->5 are not certain.
  const std::string text =
      "import k\n@k\ndef f(x):\n    for i in x:\n        for j in x:\n            if j:\n                j = 7\n"
      "            if i:\n                i = 9\n";
  Analysis analysis = analysis_of(text, lines_alone({4, 5, 6, 7, 8, 9}, kHost));
  EXPECT_THAT(analysis.unknown_branches, ElementsAre(Arc{6, 8}, Arc{8, 5}));
  EXPECT_THAT(analysis.missing_branches, IsEmpty());
  EXPECT_EQ(analysis.missing_formatted(), "");
}

TEST(LinesAlone, UnknownBranchesDoNotCount) {
  const std::string text =
      "import k\n@k\ndef f(x):\n    while x:\n        if x > 1:\n            if x > 2:\n                x = 7\n"
      "        else:\n            if x < 0:\n                x = 7\n            if x < -1:\n                continue\n"
      "        x = 9\n";
  Analysis analysis = analysis_of(text, lines_alone({4, 5, 6, 7, 9, 10, 11, 12, 13}, kHost));
  EXPECT_THAT(analysis.unknown_branches, ElementsAre(Arc{6, 13}, Arc{9, 11}, Arc{11, 13}));
  EXPECT_THAT(analysis.branch_stats,
              ElementsAre(Pair(4, ElementsAre(2, 2)), Pair(5, ElementsAre(2, 2)), Pair(6, ElementsAre(1, 1)),
                          Pair(9, ElementsAre(1, 1)), Pair(11, ElementsAre(1, 1))));
  EXPECT_EQ(analysis.numbers.n_unknown_branches, 3);
  EXPECT_EQ(analysis.numbers.pc_covered(), 100.0);
}

TEST(LinesAlone, FunctionsOnOneLine) {
  const std::string text = "import k\n@k\ndef f(x): return x\n@k\ndef g(x): return x\ng = f\n";
  const std::vector<Arc> host = {{-1, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, -1}};
  EXPECT_EQ(analysis_of(text, lines_alone({3}, host)).missing_formatted(), "5->exit");
  EXPECT_EQ(analysis_of(text, lines_alone({3, 5}, host)).missing_formatted(), "");
  // A module of one statement is entered and left there.
  EXPECT_EQ(analysis_of("# one\nf = lambda x: x\n", {{-1, 2}, {2, -1}}).executed_arcs,
            (std::vector<Arc>{{-1, 2}, {2, -1}}));
}

TEST(LinesAlone, DataOfCoveragePyIsNotTakenForIt) {
  // A function on line 1 has the module's number; the second function has a line that is entered and left.
  const std::string text = "def f(a):\n    if a: return 2\n    return 3\ndef g(a):\n    for b in a:\n        pass\n";
  Analysis analysis = analysis_of(text, {{-1, 1}, {1, 4}, {4, -1}, {-1, 2}, {2, -1}, {-4, 5}, {5, -4}});
  EXPECT_THAT(analysis.unknown_branches, IsEmpty());
  EXPECT_THAT(analysis.missing_branches, ElementsAre(Pair(2, ElementsAre(3)), Pair(5, ElementsAre(6))));
  analysis = analysis_of("f = 1 if a else 2\n", {{-1, 1}, {1, -1}});
  EXPECT_THAT(analysis.missing, IsEmpty());
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
