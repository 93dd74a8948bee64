// The parser's error messages: CPython's words and places (columns here count from 0, CPython's from 1).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "runtime/syntax/parse.h"

namespace qd::syntax {
namespace {

struct ErrorRow {
  const char* source;
  const char* expected;  // line:col message
};

void PrintTo(const ErrorRow& row, std::ostream* out) { *out << row.source; }

class Errors : public testing::TestWithParam<ErrorRow> {};

TEST_P(Errors, SayWhatCPythonSays) {
  const ParseResult result = parse(GetParam().source);
  ASSERT_TRUE(result.error) << "accepted";
  EXPECT_EQ(fmt::format("{}:{} {}", result.error->line, result.error->col, result.error->message), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Tokenizer, Errors,
    testing::ValuesIn(std::vector<ErrorRow>{
        {"x = 'abc\n", "1:4 unterminated string literal (detected at line 1)"},
        {"x = 1\ny = '''abc\n\n", "2:4 unterminated triple-quoted string literal (detected at line 3)"},
        {"x = f'abc\n", "1:4 unterminated f-string literal (detected at line 1)"},
        {"x = f'''abc\n", "1:4 unterminated triple-quoted f-string literal (detected at line 1)"},
        {"f(a,\n  b\n", "1:1 '(' was never closed"},
        {"a = [1,\nb = 2\n", "1:4 '[' was never closed"},
        {"a)\n", "1:1 unmatched ')'"},
        {"(a]\n", "1:2 closing parenthesis ']' does not match opening parenthesis '('"},
        {"(a,\nb]\n", "2:1 closing parenthesis ']' does not match opening parenthesis '(' on line 1"},
        {"if a:\n    b\n  c\n", "3:2 unindent does not match any outer indentation level"},
        {"if a:\n        b\n\tc\n", "3:1 inconsistent use of tabs and spaces in indentation"},
        {"a = 1\n  b = 2\n", "2:1 unexpected indent"},
        {"a = \\ b\n", "1:5 unexpected character after line continuation character"},
        {"a = 0777\n",
         "1:4 leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers"},
        {"a = 1_\n", "1:5 invalid decimal literal"},
        {"a = 12abc\n", "1:5 invalid decimal literal"},
        {"a = 0xg\n", "1:5 invalid hexadecimal literal"},
        {"a = 0o8\n", "1:6 invalid digit '8' in octal literal"},
        {"a = 0b2\n", "1:6 invalid digit '2' in binary literal"},
        {"a = 1jx\n", "1:5 invalid imaginary literal"},
        {"a = \xE2\x80\x9Cquoted\xE2\x80\x9D\n", "1:4 invalid character '\xE2\x80\x9C' (U+201C)"},
        {"a =\xC2\xA0"
         "1\n",
         "1:3 invalid non-printable character U+00A0"},
        {"a = 1 $ 2\n", "1:6 invalid syntax"},
    }));

INSTANTIATE_TEST_SUITE_P(
    Expressions, Errors,
    testing::ValuesIn(std::vector<ErrorRow>{
        {"a = = b\n", "1:4 invalid syntax"},
        {"f(a b)\n", "1:2 invalid syntax. Perhaps you forgot a comma?"},
        {"[1 2]\n", "1:1 invalid syntax. Perhaps you forgot a comma?"},
        {"print 'a'\n", "1:0 Missing parentheses in call to 'print'. Did you mean print(...)?"},
        {"exec code\n", "1:0 Missing parentheses in call to 'exec'. Did you mean exec(...)?"},
        {"a <> b\n", "1:2 invalid syntax"},
        {"a if b\n", "1:0 expected 'else' after 'if' expression"},
        {"f(a=1, b)\n", "1:8 positional argument follows keyword argument"},
        {"f(**a, b)\n", "1:8 positional argument follows keyword argument unpacking"},
        {"f(**a, *b)\n", "1:5 iterable argument unpacking follows keyword argument unpacking"},
        {"f(a for a in b, c)\n", "1:2 Generator expression must be parenthesized"},
        {"f(a.b=1)\n", "1:2 expression cannot contain assignment, perhaps you meant \"==\"?"},
        {"f(True=1)\n", "1:2 cannot assign to True"},
        {"(*a)\n", "1:1 cannot use starred expression here"},
        {"[*a for a in b]\n", "1:1 iterable unpacking cannot be used in comprehension"},
        {"{**a for a in b}\n", "1:1 dict unpacking cannot be used in dict comprehension"},
        {"(a.b := 1)\n", "1:1 cannot use assignment expressions with attribute"},
        {"a := 1\n", "1:2 invalid syntax"},
        {"{1: }\n", "1:2 expression expected after dictionary key and ':'"},
        {"'\\x1'\n",
         "1:0 (unicode error) 'unicodeescape' codec can't decode bytes in position 0-2: truncated \\xXX escape"},
        {"b'\\x1'\n", "1:0 (value error) invalid \\x escape at position 0"},
        {"b'\xC3\xA4'\n", "1:0 bytes can only contain ASCII literal characters"},
        {"'a' b'b'\n", "1:0 cannot mix bytes and nonbytes literals"},
        {"f'{}'\n", "1:3 f-string: valid expression required before '}'"},
        {"f'}'\n", "1:2 f-string: single '}' is not allowed"},
        {"f'{a!x}'\n", "1:5 f-string: invalid conversion character 'x': expected 's', 'r', or 'a'"},
        {"f'{a'\n", "1:4 f-string: expecting '}'"},
        {"f'{lambda a: b}'\n", "1:3 f-string: lambda expressions are not allowed without parentheses"},
        {"t'{=a}'\n", "1:3 t-string: valid expression required before '='"},
        {"t'{a;b}'\n", "1:4 t-string: expecting '=', or '!', or ':', or '}'"},
        {"t'{a=b}'\n", "1:5 t-string: expecting '!', or ':', or '}'"},
        {"t'{a!s!}'\n", "1:6 t-string: expecting ':' or '}'"},
        {"f'{a!}'\n", "1:5 f-string: missing conversion character"},
        {"f'{a! r}'\n", "1:6 f-string: conversion type must come right after the exclamation mark"},
        {"f'{a:{;}}'\n", "1:6 f-string: expecting a valid expression after '{'"},
        {"f'{a:{b:{c:{d}}}}'\n", "1:11 f-string: expressions nested too deeply"},
        {"f'{a b}'\n", "1:3 invalid syntax. Perhaps you forgot a comma?"},
        {"lambda a, a=1, b: 0\n", "1:15 parameter without a default follows parameter with a default"},
    }));

INSTANTIATE_TEST_SUITE_P(
    Targets, Errors,
    testing::ValuesIn(std::vector<ErrorRow>{
        {"f() = 1\n", "1:0 cannot assign to function call here. Maybe you meant '==' instead of '='?"},
        {"1 = a\n", "1:0 cannot assign to literal here. Maybe you meant '==' instead of '='?"},
        {"a + 1 = 2\n", "1:0 cannot assign to expression here. Maybe you meant '==' instead of '='?"},
        {"None = 1\n", "1:0 cannot assign to None"},
        {"a < b = 1\n", "1:0 cannot assign to comparison"},
        {"(a, 1) = b\n", "1:4 cannot assign to literal"},
        {"a = 1 = b\n", "1:4 cannot assign to literal"},
        {"(yield) = 1\n", "1:1 cannot assign to yield expression here. Maybe you meant '==' instead of '='?"},
        {"if a = 1: pass\n", "1:3 invalid syntax. Maybe you meant '==' or ':=' instead of '='?"},
        {"a + 1 += 2\n", "1:0 'expression' is an illegal expression for augmented assignment"},
        {"a, b += 1\n", "1:0 'tuple' is an illegal expression for augmented assignment"},
        {"a, b: int\n", "1:0 only single target (not tuple) can be annotated"},
        {"f(): int\n", "1:0 illegal target for annotation"},
        {"del f()\n", "1:4 cannot delete function call"},
        {"del a, 1\n", "1:7 cannot delete literal"},
        {"for 1 in a: pass\n", "1:4 cannot assign to literal"},
        {"[a for f() in b]\n", "1:7 cannot assign to function call"},
        {"with a as 1: pass\n", "1:10 cannot assign to literal"},
    }));

INSTANTIATE_TEST_SUITE_P(
    Statements, Errors,
    testing::ValuesIn(std::vector<ErrorRow>{
        {"if a\n    b\n", "1:4 expected ':'"},
        {"def f()\n    b\n", "1:7 expected ':'"},
        {"class A\n    b\n", "1:7 expected ':'"},
        {"else:\n    b\n", "1:0 invalid syntax"},
        {"if a:\nb\n", "2:0 expected an indented block after 'if' statement on line 1"},
        {"def f():\nb\n", "2:0 expected an indented block after function definition on line 1"},
        {"class A:\nb\n", "2:0 expected an indented block after class definition on line 1"},
        {"try:\n    a\nb\n", "3:0 expected 'except' or 'finally' block"},
        {"try:\n    a\nexcept A:\n    b\nexcept* B:\n    c\n",
         "5:0 cannot have both 'except' and 'except*' on the same 'try'"},
        {"try:\n    a\nexcept A, B as c:\n    b\n",
         "3:7 multiple exception types must be parenthesized when using 'as'"},
        {"def f(a=1, b): pass\n", "1:11 parameter without a default follows parameter with a default"},
        {"def f(*): pass\n", "1:6 named arguments must follow bare *"},
        {"def f(/, a): pass\n", "1:6 at least one argument must precede /"},
        {"def f(**a, b): pass\n", "1:11 arguments cannot follow var-keyword argument"},
        {"def f(a, (b, c)): pass\n", "1:9 Function parameters cannot be parenthesized"},
        {"def f:\n", "1:5 expected '('"},
        {"from a import b,\n", "1:16 trailing comma not allowed without surrounding parentheses"},
        {"import\n", "1:6 Expected one or more names after 'import'"},
        {"import a as b.c\n", "1:13 invalid syntax"},
        {"match a:\n    case 1 as _: pass\n", "2:14 cannot use '_' as a target"},
        {"match a:\n    case A(b=c, d): pass\n", "2:16 positional patterns follow keyword patterns"},
        {"match a:\n    case 1 + 1: pass\n", "2:13 imaginary number required in complex literal"},
        {"a b\n", "1:2 invalid syntax"},
        {"@a\nb\n", "2:0 invalid syntax"},
        {"async a\n", "1:6 invalid syntax"},
        {"class A[]: pass\n", "1:8 Type parameter list cannot be empty"},
    }));

TEST(Errors, NullBytesAreRefusedWithTheirPlace) {
  const ParseResult result = parse(std::string("a\nb\0c\n", 6));
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->message, "source code cannot contain null bytes");
  EXPECT_EQ(result.error->line, 2);
  EXPECT_EQ(result.error->col, 1);
}

TEST(Errors, AnUnreadableFileHasLineZero) {
  const ParseResult missing = parse_file("/no/such/file.py");
  ASSERT_TRUE(missing.error);
  EXPECT_EQ(missing.error->line, 0);
  EXPECT_EQ(missing.error->message, "/no/such/file.py: No such file or directory");
  EXPECT_EQ(parse_file("/").error->message, "/: Is a directory");
}

}  // namespace
}  // namespace qd::syntax
