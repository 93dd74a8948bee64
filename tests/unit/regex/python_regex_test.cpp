// Regular expressions of Python: translation, matching, and literals that a match must contain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "report/regex/python_regex.h"
#include "report/regex/regex_parser.h"

namespace qd::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(RegexParser, WritesWhatPcreUnderstands) {
  EXPECT_EQ(to_pcre(R"(\Aa\Z)"), R"(\Aa\z)");
  EXPECT_EQ(to_pcre(R"(\\Z)"), R"(\\Z)");
  EXPECT_EQ(to_pcre(R"(é)"), "\xC3\xA9");
  EXPECT_EQ(to_pcre(R"(x\u00e9y)"), "x\xC3\xA9y");
  EXPECT_EQ(to_pcre(R"(a{,3}b{,}c{}d{2)"), R"(a{0,3}b*c\{\}d\{2)");
  EXPECT_EQ(to_pcre(R"([[:a]])"), R"([\[\:a]\])");
  EXPECT_EQ(to_pcre(R"([]a]x)"), R"([\]a]x)");
  EXPECT_EQ(to_pcre(R"((?P<n>a)(?P=n)\1(?(n)b|c))"), R"((a)\g{1}\g{1}(?(1)b|c))");
  EXPECT_EQ(to_pcre("(?x) a # no\n \\  b"), R"(a b)");
  EXPECT_EQ(to_pcre(R"((?a)\d(?u:\d))"), R"([0-9](?:\d))");
}

TEST(PythonRegex, FindKeepsToItsBounds) {
  EXPECT_EQ(PythonRegex("b+").in("abbb").find(0, 3), std::pair(size_t{1}, size_t{4}));
  EXPECT_EQ(PythonRegex("b+").in("abbb").find(2, 3), std::pair(size_t{2}, size_t{4}));
  EXPECT_EQ(PythonRegex("b+").in("aabb").find(0, 1), std::nullopt);
  EXPECT_TRUE(PythonRegex("b+").search("aabb"));  // the bound does not stay
}

TEST(RegexParser, RejectsWhatIsNone) {
  auto reason = [](const char* pattern) {
    try {
      check_regex(pattern);
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(reason("a("), "missing ), unterminated subpattern at position 1");
  EXPECT_EQ(reason("a\n*+*"), "multiple repeat at position 4 (line 2, column 3)");
  EXPECT_EQ(reason(R"(\h)"), R"(bad escape \h at position 0)");
  EXPECT_EQ(reason("(?<=a|bc)"), "look-behind requires fixed-width pattern");
  EXPECT_EQ(
      reason(R"([a\N{EM DASH}])"),  // Python knows it
      R"(qd-cov does not know characters by name: instead of \N{EM DASH}, write the character or its number, as in \u2014)");
  EXPECT_EQ(reason("\\"), "bad escape (end of pattern) at position 0");
}

/// PCRE2 refuses them in a look-behind, Python does not.
TEST(PythonRegex, RepetitionsOfWhatIsEmptyInLookBehinds) {
  for (const char* pattern : {"(?<=a(?:)*)b", "(?<=a()+?)b", "(?<=a(?:^|$){0,3})b", "()(?<=a\\1*)b", "(?<=a(?=b)*+)b",
                              "(?<=a(?:(?!x)|(?=x)){2,})b"}) {
    EXPECT_TRUE(PythonRegex(pattern).search("xab")) << pattern;
    EXPECT_FALSE(PythonRegex(pattern).search("xxb")) << pattern;
  }
}

/// Bytes that are no UTF-8 stand for characters that no text has.
TEST(PythonRegex, ACharacterThatNoTextHasInALookBehind) {
  for (const char* pattern : {"(?<=\xFF|a)b", "(?<=([\xFF]|a))b"}) {
    EXPECT_TRUE(PythonRegex(pattern).search("ab")) << pattern;
    EXPECT_FALSE(PythonRegex(pattern).search("xb")) << pattern;
  }
}

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

TEST(PythonRegex, SurvivesBadUtf8) {
  EXPECT_TRUE(
      PythonRegex("b").search("a\xFF\xFE"
                              "b"));
}

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
  EXPECT_THAT(literals("one{2,3}two"), ElementsAre("two"));
  EXPECT_THAT(literals("one{1|two"), IsEmpty());  // a brace that repeats nothing is text
  EXPECT_THAT(literals("one{a|two}"), IsEmpty());
  EXPECT_THAT(literals("one(?#[)|two"), IsEmpty());
  EXPECT_THAT(literals("one(?#\\)|two"), IsEmpty());
  EXPECT_THAT(literals(""), IsEmpty());
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

}  // namespace
}  // namespace qd::report
