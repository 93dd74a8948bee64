// Regular expressions of Python: translation, matching, and what a match must contain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

#include "report/analysis/line_patterns.h"
#include "report/analysis/python_regex.h"

namespace qd::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(PythonRegex, Translation) {
  EXPECT_EQ(to_pcre(R"(\Aa\Z)"), R"(\Aa\z)");
  EXPECT_EQ(to_pcre(R"(\\Z)"), R"(\\Z)");
  EXPECT_EQ(to_pcre(R"(é)"), "\xC3\xA9");
  EXPECT_EQ(to_pcre(R"(x\u00e9y)"), R"(x\x{00e9}y)");
  EXPECT_EQ(to_pcre(R"(a{,3}b{,})"), R"(a{0,3}b{,})");
  EXPECT_EQ(to_pcre(R"([[:a]])"), R"([\[:a]])");
  EXPECT_EQ(to_pcre(R"([]a]x)"), R"([\]a]x)");
}

TEST(PythonRegex, FindKeepsToItsBounds) {
  EXPECT_EQ(PythonRegex("b+").find("abbb", 0, 3), std::pair(size_t{1}, size_t{4}));
  EXPECT_EQ(PythonRegex("b+").find("abbb", 2, 3), std::pair(size_t{2}, size_t{4}));
  EXPECT_EQ(PythonRegex("b+").find("aabb", 0, 1), std::nullopt);
  EXPECT_TRUE(PythonRegex("b+").search("aabb"));  // the bound does not stay
}

TEST(PythonRegex, RejectsWhatIsNone) { EXPECT_THROW(PythonRegex("a("), std::runtime_error); }

TEST(PythonRegex, EmptyMatchesGoOn) {
  std::vector<std::pair<size_t, size_t>> found;
  PythonRegex("x*").find_all("axxb", [&](size_t start, size_t end) { found.emplace_back(start, end); });
  EXPECT_THAT(found, ElementsAre(Pair(0, 0), Pair(1, 3), Pair(3, 3), Pair(4, 4)));  // as re.finditer
}

TEST(PythonRegex, CaretMatchesAfterTheLastLineEnd) {
  int n = 0;
  PythonRegex("^", RegexMode::kMultiline).find_all("a\nb\n", [&](size_t, size_t) { ++n; });
  EXPECT_EQ(n, 3);
}

TEST(PythonRegex, SurvivesBadUtf8) { EXPECT_TRUE(PythonRegex("b").search("a\xFF\xFE" "b")); }

std::vector<std::string> literals(const std::string& pattern) { return required_text(pattern).literals; }
std::optional<int> blank_runs(const std::string& pattern) { return required_text(pattern).blank_runs; }

TEST(RequiredLiterals, LongestOfWhatMustBeThere) {
  EXPECT_THAT(literals(R"(#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(cover|COVER))"), ElementsAre("pragma", "PRAGMA"));
  EXPECT_THAT(literals(R"(^\s*(((async )?def .*?)?[\])]+(\s*->.*?)?:\s*)?\.\.\.\s*(#|$))"), ElementsAre("..."));
  EXPECT_THAT(literals("raise NotImplementedError"), ElementsAre("raise NotImplementedError"));
  EXPECT_THAT(literals("colou?r"), ElementsAre("colo"));
  EXPECT_THAT(literals("ab+cd"), ElementsAre("ab"));
}

TEST(RequiredLiterals, NothingWhenUnsure) {
  EXPECT_THAT(literals("one|two"), IsEmpty());
  EXPECT_THAT(literals("(?i)pragma"), IsEmpty());
  EXPECT_THAT(literals(R"(\x41\x42)"), IsEmpty());
  EXPECT_THAT(literals("(one)?"), IsEmpty());
  EXPECT_THAT(literals("(?!one)"), IsEmpty());
  EXPECT_THAT(literals("[abc]{2,3}"), IsEmpty());
  EXPECT_THAT(literals(""), IsEmpty());
}

std::vector<std::pair<int, int>> lines(std::vector<std::string> patterns, const std::string& text) {
  std::vector<std::pair<int, int>> result;
  LinePatterns(std::move(patterns)).find_lines(text, [&](int32_t first, int32_t last) { result.emplace_back(first, last); });
  return result;
}

TEST(LinePatterns, LinesOfMatches) {
  EXPECT_THAT(lines({"two", "four"}, "one\ntwo\nthree\nfour"), ElementsAre(Pair(2, 2), Pair(4, 4)));
  EXPECT_THAT(lines({"(?s:two.*four)"}, "one\ntwo\nthree\nfour"), ElementsAre(Pair(2, 4)));
  EXPECT_THAT(lines({"five", "six"}, "one\ntwo\n"), IsEmpty());
  EXPECT_THAT(lines({}, "one\n"), testing::SizeIs(5));  // the empty expression matches everywhere
}

TEST(RequiredText, HowFarBackAMatchMayBegin) {
  EXPECT_EQ(blank_runs(R"(#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(cover|COVER))"), 1);
  EXPECT_EQ(blank_runs(R"(^\s*(((async )?def .*?)?[\])]+(\s*->.*?)?:\s*)?\.\.\.\s*(#|$))"), 3);
  EXPECT_EQ(blank_runs(R"(^\s*if (typing\.)?TYPE_CHECKING:)"), 1);
  EXPECT_EQ(blank_runs("[a-z\\s]one"), 1);
  EXPECT_EQ(blank_runs("[^a]?one"), std::nullopt);
  EXPECT_EQ(blank_runs("[\\s\\S]?one"), std::nullopt);
  EXPECT_EQ(blank_runs("[a\\s]*one"), std::nullopt);
  EXPECT_EQ(blank_runs("(a\\s)*one"), std::nullopt);
  EXPECT_EQ(blank_runs("\\n?one"), std::nullopt);
  EXPECT_EQ(blank_runs("[\\t-\\r]one"), std::nullopt);
  EXPECT_EQ(blank_runs("\\Wone"), std::nullopt);
  EXPECT_EQ(blank_runs("(?<=\\n)one"), std::nullopt);
  EXPECT_EQ(blank_runs("one(\\s|\\S)*"), 0);
}

TEST(LinePatterns, NearLiteralsAreAllMatches) {
  const std::vector<std::string> pieces = {"# pragma: no cover", "#", "pragma", "PRAGMA no", "cover", "...", ":", ")", "def f(", " -> int", "\n", "\n", "\n\n", " ", "    ",
                                           "if TYPE_CHECKING:", "typing.", "if ", "while True:", "1:", "\u00a0", "\x1c", "x"};
  const std::vector<std::vector<std::string>> lists = {
      {R"(#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(cover|COVER))", R"(^\s*(((async )?def .*?)?[\])]+(\s*->.*?)?:\s*)?\.\.\.\s*(#|$))", R"(^\s*if (typing\.)?TYPE_CHECKING:)"},
      {R"(^\s*while (True|1|False|0):)", R"(^\s*if (True|1|False|0):)", R"(#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(branch|BRANCH))"},
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
        auto line = [&](size_t place) { return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n')) + 1; };
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
