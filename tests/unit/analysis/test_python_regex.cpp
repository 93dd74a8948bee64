// Regular expressions of Python: translation, matching, and what a match must contain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(RequiredLiterals, LongestOfWhatMustBeThere) {
  EXPECT_THAT(required_literals(R"(#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(cover|COVER))"), ElementsAre("pragma", "PRAGMA"));
  EXPECT_THAT(required_literals(R"(^\s*(((async )?def .*?)?[\])]+(\s*->.*?)?:\s*)?\.\.\.\s*(#|$))"), ElementsAre("..."));
  EXPECT_THAT(required_literals("raise NotImplementedError"), ElementsAre("raise NotImplementedError"));
  EXPECT_THAT(required_literals("colou?r"), ElementsAre("colo"));
  EXPECT_THAT(required_literals("ab+cd"), ElementsAre("ab"));
}

TEST(RequiredLiterals, NothingWhenUnsure) {
  EXPECT_THAT(required_literals("one|two"), IsEmpty());
  EXPECT_THAT(required_literals("(?i)pragma"), IsEmpty());
  EXPECT_THAT(required_literals(R"(\x41\x42)"), IsEmpty());
  EXPECT_THAT(required_literals("(one)?"), IsEmpty());
  EXPECT_THAT(required_literals("(?!one)"), IsEmpty());
  EXPECT_THAT(required_literals("[abc]{2,3}"), IsEmpty());
  EXPECT_THAT(required_literals(""), IsEmpty());
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

TEST(LinePatterns, GroupNumbersCountThroughAllPatterns) {
  EXPECT_THAT(lines({"(never)", R"((\w)\2)"}, "ab\naa\n"), ElementsAre(Pair(2, 2)));
}

}  // namespace
}  // namespace qd::report
