// No source crashes or hangs the parser, and its result keeps the promises of a tree.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "tests/unit/syntax/tree_check.h"

namespace qd::syntax {
namespace {

std::vector<std::string> corpus() {
  std::vector<std::string> sources;
  for (const auto& entry : std::filesystem::directory_iterator(QD_SOURCE_DIR "/tests/fuzz/corpus/syntax")) {
    std::ostringstream contents;
    contents << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    sources.push_back(std::move(contents).str());
  }
  std::sort(sources.begin(), sources.end());
  return sources;
}

void check(const std::string& bytes) {
  const ParseResult result = parse(decode_source(bytes));
  ASSERT_EQ(promises_broken(result), "") << bytes;
}

TEST(DamagedSources, EveryCorpusFileParsesWhole) {
  ASSERT_GE(corpus().size(), 5u);
  for (const std::string& source : corpus()) {
    const ParseResult result = parse(decode_source(source));
    ASSERT_TRUE(result.module) << result.error->message << " in line " << result.error->line;
    EXPECT_EQ(promises_broken(result), "");
  }
}

TEST(DamagedSources, EveryPrefix) {
  for (const std::string& source : corpus()) {
    for (size_t size = 0; size < source.size(); ++size) check(source.substr(0, size));
  }
}

TEST(DamagedSources, FlippedBitsAndMovedBytes) {
  constexpr std::string_view kTelling("()[]{}'\"\\\n\t #:=,fbtr\0", 21);
  std::mt19937 random(20240);
  const auto below = [&](size_t limit) { return random() % limit; };
  for (const std::string& source : corpus()) {
    for (int round = 0; round < 2000; ++round) {
      const size_t begin = below(source.size());
      std::string damaged = source.substr(begin, 1 + below(400));
      for (size_t count = 1 + below(4); count > 0; --count) {
        const size_t place = below(damaged.size());
        switch (below(4)) {
          case 0: damaged[place] = static_cast<char>(damaged[place] ^ 1 << below(8)); break;
          case 1: damaged.erase(place, 1 + below(5)); break;
          case 2: damaged.insert(place, damaged.substr(below(damaged.size()), below(9))); break;
          default: damaged[place] = kTelling[below(kTelling.size())]; break;
        }
        if (damaged.empty()) break;
      }
      check(damaged);
    }
  }
}

std::string repeat(std::string_view text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

// Each of them nests, chains or repeats one construct far beyond ordinary code; all must come back at once.
TEST(DamagedSources, EndlessRepetitions) {
  constexpr int kMany = 100000;
  for (const char* piece : {"(",
                            "[",
                            "{",
                            "(a,",
                            "[a for a in ",
                            "{a:",
                            "f(",
                            "a[",
                            "a.",
                            "a(b)(",
                            "-",
                            "not ",
                            "await ",
                            "lambda: ",
                            "lambda x=",
                            "a if b else ",
                            "a ** ",
                            "a + ",
                            "a and ",
                            "a < ",
                            "a = ",
                            "a: ",
                            "a, ",
                            "*",
                            "**",
                            "yield ",
                            "f'{",
                            "f'{a:",
                            "f\"{f'{",
                            "f'''{",
                            "t'{",
                            "'a' ",
                            "\"",
                            "'''",
                            "\\\n",
                            "a\n",
                            " a\n",
                            "\t",
                            "if a:\n",
                            "if a: ",
                            "with (",
                            "with (a, ",
                            "@a\n",
                            "match (",
                            "match a:\n case (",
                            "class A[",
                            "def f(a=",
                            "try:\n",
                            "else:\n",
                            "elif a:\n pass\n",
                            "#",
                            ";",
                            "a;",
                            "\n",
                            "\r",
                            "\f",
                            "0",
                            "_",
                            "0_",
                            "1.",
                            "\xC3",
                            "\xEF\xBB\xBF",
                            "import a.",
                            "from .",
                            "{**",
                            "(yield ",
                            "(a := ",
                            "print ",
                            "x = (",
                            "del (",
                            "for a in b: ",
                            "for (",
                            "async ",
                            "type a = "}) {
    SCOPED_TRACE(piece);
    const std::string source = repeat(piece, kMany);
    ASSERT_EQ(promises_broken(parse(decode_source(source))), "");
    ASSERT_EQ(promises_broken(parse(decode_source("if a:\n pass\n" + source + "a"))), "");
  }
}

TEST(DamagedSources, BalancedNestingIsRefusedOnlyWhereItIsTooDeep) {
  const auto nested = [](std::string_view open, std::string_view inner, std::string_view close, int count) {
    return repeat(open, count) + std::string(inner) + repeat(close, count) + "\n";
  };
  EXPECT_TRUE(parse(nested("(", "a", ")", 199)).module);
  EXPECT_EQ(parse(nested("(", "a", ")", 201)).error->message, "too many nested parentheses");
  EXPECT_TRUE(parse(nested("-", "a", "", 500)).module);
  EXPECT_EQ(parse(nested("-", "a", "", 5000)).error->message, "too many nested expressions or statements");
  EXPECT_TRUE(parse(nested("a + ", "a", "", 2500)).module);
  EXPECT_EQ(parse(nested("a + ", "a", "", 5000)).error->message, "too many nested expressions");
  EXPECT_EQ(parse(nested("a.", "a", "", 5000)).error->message, "too many nested expressions");
  EXPECT_TRUE(parse(nested("a, ", "a", "", 50000)).module);
  EXPECT_TRUE(parse(nested("a < ", "a", "", 50000)).module);
  EXPECT_TRUE(parse(nested("'a' ", "'a'", "", 50000)).module);
  EXPECT_TRUE(parse("if a:\n b\n" + nested("elif a:\n b\n", "", "", 2500)).module);
  EXPECT_EQ(parse("if a:\n b\n" + nested("elif a:\n b\n", "", "", 5000)).error->message,
            "too many nested expressions or statements");
  std::string indented;
  for (int level = 0; level < 150; ++level) indented += std::string(static_cast<size_t>(level), ' ') + "if a:\n";
  EXPECT_EQ(parse(indented).error->message, "too many levels of indentation");
}

}  // namespace
}  // namespace qd::syntax
