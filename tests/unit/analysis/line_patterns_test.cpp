// Patterns joined into one, and the lines of its matches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "report/analysis/source/line_patterns.h"

namespace qd::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

std::vector<std::pair<int, int>> lines(std::vector<std::string> patterns, const std::string& text) {
  std::vector<std::pair<int, int>> result;
  LinePatterns(std::move(patterns)).find_lines(text, [&](int32_t first, int32_t last) {
    result.emplace_back(first, last);
  });
  return result;
}

TEST(LinePatterns, LinesOfMatches) {
  EXPECT_THAT(lines({"two", "four"}, "one\ntwo\nthree\nfour"), ElementsAre(Pair(2, 2), Pair(4, 4)));
  EXPECT_THAT(lines({"(?s:two.*four)"}, "one\ntwo\nthree\nfour"), ElementsAre(Pair(2, 4)));
  EXPECT_THAT(lines({"five", "six"}, "one\ntwo\n"), IsEmpty());
  EXPECT_THAT(lines({}, "one\n"), testing::SizeIs(5));  // the empty expression matches everywhere
}

TEST(LinePatterns, NearLiteralsAreAllMatches) {
  const std::vector<std::string> pieces = {"# pragma: no cover",
                                           "#",
                                           "pragma",
                                           "PRAGMA no",
                                           "cover",
                                           "...",
                                           ":",
                                           ")",
                                           "def f(",
                                           " -> int",
                                           "\n",
                                           "\n",
                                           "\n\n",
                                           " ",
                                           "    ",
                                           "if TYPE_CHECKING:",
                                           "typing.",
                                           "if ",
                                           "while True:",
                                           "1:",
                                           "\u00a0",
                                           "\x1c",
                                           "x"};
  const std::vector<std::vector<std::string>> lists = {
      {R"(#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(cover|COVER))",
       R"(^\s*(((async )?def .*?)?[\])]+(\s*->.*?)?:\s*)?\.\.\.\s*(#|$))", R"(^\s*if (typing\.)?TYPE_CHECKING:)"},
      {R"(^\s*while (True|1|False|0):)", R"(^\s*if (True|1|False|0):)",
       R"(#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(branch|BRANCH))"},
      {R"(x\s\s*\)[:\s]?\s+x)", R"(:\s*:?\s*\.\.\.)", "[x\\s]+x"},
      {R"(\.\.)", R"(x\Z)", R"((?<=x)x(?!x))"}};
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (size_t n = random() % 25; n > 0; --n) text += pieces[random() % pieces.size()];
    for (const std::vector<std::string>& patterns : lists) {
      std::string joined;
      for (const std::string& pattern : patterns) joined += (joined.empty() ? "(?:" : "|(?:") + pattern + ")";
      std::vector<std::pair<int, int>> expected;
      PythonRegex(joined, RegexMode::kMultiline).find_all(text, [&](size_t start, size_t end) {
        auto line = [&](size_t place) {
          return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n')) +
                 1;
        };
        expected.emplace_back(line(start), line(end));
      });
      ASSERT_EQ(lines(patterns, text), expected) << text << "\n" << joined;
    }
  }
}

TEST(LinePatterns, ALongLineOfLiteralsTakesNoLongTime) {
  EXPECT_THAT(lines({R"(^\s*def .*\.\.\.x)"}, "a" + std::string(1 << 20, '.')), IsEmpty());
}

TEST(LiteralScan, FindsTheFirstOfAny) {
  std::string text = "aab cab " + std::string(40, '-') + "cab";
  EXPECT_EQ(LiteralScan({"ab", "cab"}).find(text, 0), 1);
  EXPECT_EQ(LiteralScan({"cab", "x"}).find(text, 0), 4);
  EXPECT_EQ(LiteralScan({"cab", "x"}).find(text, 5), 48);
  EXPECT_EQ(LiteralScan({"cab", "x"}).find(text, 49), std::string::npos);
  EXPECT_EQ(LiteralScan({"b"}).find(text, 3), 6);
  EXPECT_EQ(LiteralScan({"b"}).find(text, 7), 50);
  EXPECT_EQ(LiteralScan({"cabs"}).find(text, 0), std::string::npos);
  EXPECT_EQ(LiteralScan({"a"}).find("", 0), std::string::npos);
}

TEST(LinePatterns, GroupNumbersCountThroughAllPatterns) {
  EXPECT_THAT(lines({"(never)", R"((\w)\2)"}, "ab\naa\n"), ElementsAre(Pair(2, 2)));
}

}  // namespace
}  // namespace qd::report
