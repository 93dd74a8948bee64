// Syntax that the Python which runs the tests may not know yet (3.12 to 3.14): trees by hand-written expectation.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/syntax/parse.h"

namespace qd::syntax {
namespace {

ParseResult parsed(const std::string& source) {
  ParseResult result = parse(source);
  EXPECT_FALSE(result.error) << source << ": " << (result.error ? result.error->message : "");
  return result;
}

template <class Node>
const Node& statement(const ParseResult& result, size_t index = 0) {
  return std::get<Node>(result.module->body[index]->node);
}

template <class Node>
const Node& expression(ExprPtr expr) {
  return std::get<Node>(expr->node);
}

TEST(NewSyntax, TypeAlias) {
  const ParseResult result = parsed("type A[T: int = str, *Ts = *U, **P = V] = list[T]\n");
  EXPECT_EQ(result.module->minor_version, 13);
  const auto& alias = statement<TypeAlias>(result);
  EXPECT_EQ(expression<Name>(alias.name).id, "A");
  EXPECT_EQ(expression<Name>(alias.name).ctx, ExprContext::Store);
  ASSERT_EQ(alias.type_params.size(), 3u);
  EXPECT_EQ(alias.type_params[0].kind, TypeParamKind::TypeVar);
  EXPECT_EQ(expression<Name>(alias.type_params[0].bound).id, "int");
  EXPECT_EQ(expression<Name>(alias.type_params[0].default_value).id, "str");
  EXPECT_EQ(alias.type_params[0].range.end_col, 19);
  EXPECT_EQ(alias.type_params[1].kind, TypeParamKind::TypeVarTuple);
  EXPECT_EQ(alias.type_params[1].name, "Ts");
  EXPECT_EQ(expression<Name>(expression<Starred>(alias.type_params[1].default_value).value).id, "U");
  EXPECT_EQ(alias.type_params[2].kind, TypeParamKind::ParamSpec);
  EXPECT_EQ(alias.type_params[2].range.col, 31);
  EXPECT_EQ(parsed("type A = int\n").module->minor_version, 12);
}

TEST(NewSyntax, TypeParametersOfFunctionsAndClasses) {
  const ParseResult result = parsed("def f[T, *Ts](a: T): pass\nclass A[**P](B): pass\n");
  EXPECT_EQ(result.module->minor_version, 12);
  EXPECT_EQ(statement<FunctionDef>(result).type_params.size(), 2u);
  EXPECT_EQ(statement<ClassDef>(result, 1).type_params[0].name, "P");
  EXPECT_EQ(statement<ClassDef>(result, 1).bases.size(), 1u);
}

TEST(NewSyntax, NestedQuotesInFStrings) {
  const ParseResult result = parsed("f'{'a' f'{'b'}'}'\n");
  EXPECT_EQ(result.module->minor_version, 12);
  const auto& outer = expression<JoinedStr>(statement<ExprStmt>(result).value);
  const auto& field = expression<FormattedValue>(outer.values[0]);
  const auto& inner = expression<JoinedStr>(field.value);
  ASSERT_EQ(inner.values.size(), 2u);
  EXPECT_EQ(expression<Constant>(inner.values[0]).text, "a");
  EXPECT_EQ(field.value->range.col, 3);
  EXPECT_EQ(parsed("f\"{'a'}\"\n").module->minor_version, 8);
  EXPECT_EQ(parsed("f'{\"\\n\"}'\n").module->minor_version, 12);
  EXPECT_EQ(parsed("f'{a # b\n}'\n").module->minor_version, 12);
}

TEST(NewSyntax, ExceptionsWithoutParentheses) {
  const ParseResult result = parsed("try:\n  a\nexcept A, B.c:\n  b\n");
  EXPECT_EQ(result.module->minor_version, 14);
  const ExceptHandler& handler = statement<Try>(result).handlers[0];
  EXPECT_EQ(expression<Tuple>(handler.type).elts.size(), 2u);
  EXPECT_EQ(handler.type->range.col, 7);
  EXPECT_EQ(handler.type->range.end_col, 13);
  EXPECT_TRUE(parse("try:\n  a\nexcept* A, B:\n  b\n").module);
}

TEST(NewSyntax, TemplateStrings) {
  const ParseResult result = parsed("t'a{ b.c !r:>{d}}' t\"e\"\n");
  EXPECT_EQ(result.module->minor_version, 14);
  const auto& string = expression<TemplateStr>(statement<ExprStmt>(result).value);
  ASSERT_EQ(string.values.size(), 3u);
  EXPECT_EQ(expression<Constant>(string.values[0]).text, "a");
  const auto& field = expression<Interpolation>(string.values[1]);
  EXPECT_EQ(field.str, " b.c");
  EXPECT_EQ(field.conversion, 'r');
  const auto& format = expression<JoinedStr>(field.format_spec);
  EXPECT_EQ(expression<FormattedValue>(format.values[1]).conversion, -1);
  EXPECT_EQ(expression<Constant>(string.values[2]).text, "e");
  EXPECT_EQ(parse("t'a' 'b'\n").error->message, "cannot mix t-string literals with string or bytes literals");
}

TEST(NewSyntax, VersionsOfOlderSyntax) {
  const auto version = [](const std::string& source) { return parsed(source).module->minor_version; };
  EXPECT_EQ(version("(a := 1)\n"), 8);
  EXPECT_EQ(version("@a[b]\ndef f(): pass\n"), 9);
  EXPECT_EQ(version("@a.b(c)\ndef f(): pass\n"), 8);
  EXPECT_EQ(version("with (a, b): pass\n"), 8);
  EXPECT_EQ(version("with (a as b): pass\n"), 9);
  EXPECT_EQ(version("a[(b := 1)]; {(c := 1)}\n"), 8);
  EXPECT_EQ(version("a[b := 1]\n"), 10);
  EXPECT_EQ(version("{a, b := 1}\n"), 10);
  EXPECT_EQ(version("match a:\n case b: pass\n"), 10);
  EXPECT_EQ(version("try: pass\nexcept* A: pass\n"), 11);
  EXPECT_EQ(version("a[*b]\n"), 11);
  EXPECT_EQ(version("def f(*a: *b): pass\n"), 11);
}

TEST(Values, OfNumbers) {
  const auto constant = [](std::string_view text) { return Constant{ConstantKind::Int, text}; };
  EXPECT_EQ(int_value(constant("1_000")), 1000);
  EXPECT_EQ(int_value(constant("0xfF")), 255);
  EXPECT_EQ(int_value(constant("0b_101")), 5);
  EXPECT_EQ(int_value(constant("9223372036854775807")), INT64_MAX);
  EXPECT_EQ(int_value(constant("9223372036854775808")), std::nullopt);
  EXPECT_EQ(float_value({ConstantKind::Float, "1_0.5e-1"}), 1.05);
  EXPECT_EQ(float_value({ConstantKind::Float, "1e999"}), HUGE_VAL);
  EXPECT_EQ(float_value({ConstantKind::Float, "1e-999"}), 0.0);
  EXPECT_EQ(float_value({ConstantKind::Complex, "2.5J"}), 2.5);
}

TEST(Decoding, MarksDeclarationsAndLineEnds) {
  EXPECT_EQ(decode_source("\xEF\xBB\xBF"
                          "a\r\nb\rc"),
            "a\nb\nc\n");
  EXPECT_EQ(decode_source("# -*- coding: latin-1 -*-\n'\xE4'\n"), "# -*- coding: latin-1 -*-\n'\xC3\xA4'\n");
  EXPECT_EQ(decode_source("#!/bin/sh\n# vim: set fileencoding=cp1252 :\n'\x80'\n"),
            "#!/bin/sh\n# vim: set fileencoding=cp1252 :\n'\xE2\x82\xAC'\n");
  EXPECT_EQ(decode_source("a = 1\n# coding: latin-1\n'\xE4'\n"), "a = 1\n# coding: latin-1\n'\xEF\xBF\xBD'\n");
  EXPECT_EQ(decode_source("'\xE2\x82' '\xED\xA0\x80'"),
            "'\xEF\xBF\xBD\xEF\xBF\xBD' '\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD'\n");
  EXPECT_EQ(decode_source("# coding: no-such-encoding\n"), "# coding: no-such-encoding\n");
  EXPECT_EQ(decode_source(""), "");
}

}  // namespace
}  // namespace qd::syntax
