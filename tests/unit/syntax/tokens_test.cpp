// The tokens of a module: kinds, texts, places.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "runtime/syntax/parse.h"

namespace qd::syntax {
namespace {

constexpr const char* kKindNames[] = {"Name", "Number",  "String", "FStringStart", "FStringMiddle", "FStringEnd",
                                      "Op",   "Newline", "Indent", "Dedent",       "EndMarker"};

/// Every token as `Kind line:col-line:col text`, one a line.
std::string tokens_of(const std::string& source) {
  const ParseResult result = parse(source);
  if (!result.module) return result.error->message;
  std::string lines;
  for (const Token& token : result.module->tokens) {
    const Range& r = token.range;
    lines +=
        fmt::format("{} {}:{}-{}:{}", kKindNames[static_cast<int>(token.kind)], r.line, r.col, r.end_line, r.end_col);
    if (token.kind != TokenKind::Newline && !token.text.empty()) lines += fmt::format(" {}", token.text);
    lines += '\n';
  }
  return lines;
}

TEST(Tokens, NamesNumbersOperators) {
  EXPECT_EQ(tokens_of("a **= 0x1F\n"),
            "Name 1:0-1:1 a\n"
            "Op 1:2-1:5 **=\n"
            "Number 1:6-1:10 0x1F\n"
            "Newline 1:10-1:11\n"
            "EndMarker 2:0-2:0\n");
}

TEST(Tokens, BlocksBlankLinesAndComments) {
  EXPECT_EQ(tokens_of("if a: # why\n\n  # alone\n  b\n\nc"),
            "Name 1:0-1:2 if\n"
            "Name 1:3-1:4 a\n"
            "Op 1:4-1:5 :\n"
            "Newline 1:11-1:12\n"
            "Indent 4:0-4:2\n"
            "Name 4:2-4:3 b\n"
            "Newline 4:3-4:4\n"
            "Dedent 6:0-6:0\n"
            "Name 6:0-6:1 c\n"
            "Newline 6:1-6:2\n"
            "EndMarker 7:0-7:0\n");
}

TEST(Tokens, LinesJoinInBracketsAndAfterBackslashes) {
  EXPECT_EQ(tokens_of("(a,\n b) \\\n + c\n"),
            "Op 1:0-1:1 (\n"
            "Name 1:1-1:2 a\n"
            "Op 1:2-1:3 ,\n"
            "Name 2:1-2:2 b\n"
            "Op 2:2-2:3 )\n"
            "Op 3:1-3:2 +\n"
            "Name 3:3-3:4 c\n"
            "Newline 3:4-3:5\n"
            "EndMarker 4:0-4:0\n");
}

TEST(Tokens, StringsOverLines) {
  EXPECT_EQ(tokens_of("rb'''a\nb''' 'c\\\nd'\n"), "cannot mix bytes and nonbytes literals");
  EXPECT_EQ(tokens_of("'''a\nb''' u'c\\\nd'\n"),
            "String 1:0-2:4 '''a\nb'''\n"
            "String 2:5-3:2 u'c\\\nd'\n"
            "Newline 3:2-3:3\n"
            "EndMarker 4:0-4:0\n");
}

TEST(Tokens, FStringsAreCutIntoTheirParts) {
  EXPECT_EQ(tokens_of("f'a{b!r:>{c}}{{'\n"),
            "FStringStart 1:0-1:2 f'\n"
            "FStringMiddle 1:2-1:3 a\n"
            "Op 1:3-1:4 {\n"
            "Name 1:4-1:5 b\n"
            "Op 1:5-1:6 !\n"
            "Name 1:6-1:7 r\n"
            "Op 1:7-1:8 :\n"
            "FStringMiddle 1:8-1:9 >\n"
            "Op 1:9-1:10 {\n"
            "Name 1:10-1:11 c\n"
            "Op 1:11-1:12 }\n"
            "Op 1:12-1:13 }\n"
            "FStringMiddle 1:13-1:15 {{\n"
            "FStringEnd 1:15-1:16 '\n"
            "Newline 1:16-1:17\n"
            "EndMarker 2:0-2:0\n");
}

TEST(Tokens, ColumnsAreBytes) {
  EXPECT_EQ(tokens_of("\xC3\xA4 = '\xE2\x82\xAC' + b"),
            "Name 1:0-1:2 \xC3\xA4\n"
            "Op 1:3-1:4 =\n"
            "String 1:5-1:10 '\xE2\x82\xAC'\n"
            "Op 1:11-1:12 +\n"
            "Name 1:13-1:14 b\n"
            "Newline 1:14-1:15\n"
            "EndMarker 2:0-2:0\n");
}

TEST(Tokens, AnEmptySourceIsOnlyItsEnd) {
  EXPECT_EQ(tokens_of(""), "EndMarker 1:0-1:0\n");
  EXPECT_EQ(tokens_of("\n  \n# comment\n"), "EndMarker 4:0-4:0\n");
}

}  // namespace
}  // namespace qd::syntax
