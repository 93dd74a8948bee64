// Code of languages with braces, without a parser.
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "report/diff/function_bodies.h"
#include "report/diff/imported_version.h"

namespace qd::report {
namespace {

/// "head-first-last" of each function.
std::vector<std::string> found(const std::string& text, const std::string& language = ".c") {
  std::vector<std::string> result;
  for (const FunctionBody& body : scan_code(text, language).functions)
    result.push_back(std::to_string(body.head) + "-" + std::to_string(body.first) + "-" + std::to_string(body.last));
  return result;
}

using List = std::vector<std::string>;

TEST(FunctionBodies, Functions) {
  EXPECT_EQ(found("int f() {\n  return 1;\n}\n"), (List{"1-1-3"}));
  EXPECT_EQ(found("template <class T>\nT g(T a,\n    T b) noexcept -> T\n{\n  if (a) { return b; }\n}\nint h() { "
                  "return 2; }\n"),
            (List{"1-4-6", "7-7-7"}));
  EXPECT_EQ(found("namespace a {\nclass B : public C {\n public:\n  int f() const override { return 1; }\n  ~B() {\n  "
                  "}\n};\n}\n"),
            (List{"3-4-4", "5-5-6"}));
  EXPECT_EQ(found("A::A(int x) : a_{x}, b_(x), c_{1, {2}} {\n  run();\n}\n"), (List{"1-1-3"}));
  EXPECT_EQ(found("TEST(A, B) {\n  auto f = [](int x) { return x; };\n}\n"), (List{"1-1-3"}));
}

TEST(FunctionBodies, OtherBraces) {
  EXPECT_EQ(found("struct S {\n  int x{1};\n  void f();\n};\nenum E { A, B };\nint a[] = {1, 2};\nnamespace {\nint b = "
                  "g(1);\n}\n"),
            List{});
  EXPECT_EQ(found("std::vector<int> v = make({1, 2});\nextern \"C\" {\nint f(void);\n}\n"), List{});
  EXPECT_EQ(found("#define F(x) { \\\n  g(x); \\\n}\nint y;\n"), List{});
}

TEST(FunctionBodies, TextThatIsNoCode) {
  EXPECT_EQ(found("// f() {\n/* g() {\n*/\nconst char* s = \"h() {\";\nchar c = '{', d = '\\'', e = 1'000;\nint f() "
                  "{\n  // }\n  s = R\"x(})\" }})x\";\n}\n"),
            (List{"6-6-9"}));
  EXPECT_EQ(found("int f() {\n"), List{});
  EXPECT_EQ(found("}}}\nint f() {}\n"), (List{"2-2-2"}));
  EXPECT_EQ(found(""), List{});
}

TEST(FunctionBodies, OtherLanguages) {
  EXPECT_EQ(found("fn f<'a>(x: &'a str) -> usize {\n  1\n}\nimpl A for B {\n  fn g(&self) {\n  }\n}\n"),
            (List{"1-1-3", "5-5-6"}));
  EXPECT_EQ(found("export const f = (x) => {\n  return `}${x}`;\n};\nclass A {\n  g() {\n  }\n}\n"),
            (List{"1-1-3", "5-5-6"}));
  EXPECT_EQ(found("func (t *T) F() (int, error) {\n\treturn 1, nil\n}\n"), (List{"1-1-3"}));
}

TEST(FunctionBodies, OfSpecialForms) {
  EXPECT_EQ(found("int f(a)\nint a;\n{\n  return a;\n}\n"), (List{"3-3-5"}));
  EXPECT_EQ(found("enum E f(int x) {\n  return a;\n}\nclass A g(int x) {\n  return A();\n}\n"),
            (List{"1-1-3", "4-4-6"}));
  EXPECT_EQ(found("auto x = add([&] {\n  return 1;\n});\nint a[] {1};\n"), (List{"1-1-3"}));
  EXPECT_EQ(found("class B {\n  int P {\n    get {\n    }\n  }\n}\n", ".cs"), (List{"2-2-5"}));
  EXPECT_EQ(found("class A(val x: Int) {\n  init {\n  }\n  val y by lazy {\n  }\n}\n", ".kt"),
            (List{"2-2-3", "4-4-5"}));
  EXPECT_EQ(found("class A(val x: Int)\n\nfun f() {\n}\nimport b\nval y = 1\n", ".kt"), (List{"3-3-4"}));
  EXPECT_EQ(found("object f() {\n}\nrecord g() {\n}\nextern \"C\" {\nint h(void);\n}\n"), (List{"1-1-2", "3-3-4"}));
  EXPECT_EQ(found("class A {\n  object F() {\n  }\n  void record(int x) {\n  }\n}\n", ".cs"), (List{"2-2-3", "4-4-5"}));
  EXPECT_EQ(found("class A {\n  class func f() {\n  }\n}\n", ".swift"), (List{"2-2-3"}));
  EXPECT_EQ(found("pub unsafe extern \"C\" fn f() {\n}\nextern \"C\" {\n  fn g();\n}\n", ".rs"), (List{"1-1-2"}));
  EXPECT_EQ(found("class A {\n  static {\n  }\n  {\n  }\n}\n", ".java"), (List{"2-2-3", "4-4-5"}));
}

TEST(FunctionBodies, LiteralsOfOtherLanguages) {
  EXPECT_EQ(found("function f() {\n  a('/*', 'b\"{', /\\/*$/, \"'{\");\n}\n", ".js"), (List{"1-1-3"}));
  EXPECT_EQ(found("fn f() {\n  a(r#\"\"{\"#, r\"\\\", '{');\n}\n", ".rs"), (List{"1-1-3"}));
  EXPECT_EQ(found("#[test] fn f() {\n}\n", ".rs"), (List{"1-1-2"}));
  EXPECT_EQ(found("func f() {\n  a(`{\\`)\n}\n", ".go"), (List{"1-1-3"}));
  EXPECT_EQ(found("void f() {\n  a(@\"{\\\", @\"\"\"{\");\n}\n", ".cs"), (List{"1-1-3"}));
  EXPECT_EQ(found("void f() {\n  a(\"\"\"\n \" { \"\"\");\n}\n", ".java"), (List{"1-1-4"}));
  EXPECT_EQ(found("class A {\n  #f() {\n  }\n}\n", ".js"), (List{"2-2-3"}));
}

TEST(ChangedCodeLines, AreThoseInFunctions) {
  const std::string text = "int a;\nint f() {\n  // no\n\n  return 1;\n}\n";
  EXPECT_EQ(changed_code_lines(text, {1, 2, 3, 4, 5, 6, 7}), (std::vector<int32_t>{2, 5}));
}

/// The lines of code, of all lines of a text.
std::vector<int32_t> code(const std::string& text, const std::string& language) {
  std::vector<int32_t> lines(20);
  std::iota(lines.begin(), lines.end(), 1);
  return changed_code_lines(
      text, lines, {language != ".pl" && language != ".clj", language == ".pl" || language == ".clj", language});
}

using Lines = std::vector<int32_t>;

TEST(ChangedCodeLines, ThatLookLikeComments) {
  EXPECT_EQ(code("void f(int* p) {\n  *p = 1;\n  /* a */ g();\n  /* b\n  * c\n  d */\n}\n", ".c"), (Lines{1, 2, 3}));
  EXPECT_EQ(code("--$x;\n# a\n", ".pl"), (Lines{1}));
  EXPECT_EQ(code("#(inc %)\n", ".clj"), (Lines{1}));
}

TEST(ChangedCodeLines, OfInitializers) {
  EXPECT_EQ(
      code("int a = f(1),\n    b;\nint c = 5;\nconstexpr int d = f(1);\nA& operator=(const A&) = default;\n"
           "enum { E = sizeof(int), F = g(1) };\nstatic const int h[] = {\n  1,\n  k(2),\n};\nvoid i(int j = f(1));\n",
           ".c"),
      (Lines{1, 2, 9}));
  EXPECT_EQ(code("class B {\n  int x = f();\n  int F() => 1;\n  int y = 1;\n}\n", ".cs"), (Lines{2, 3}));
  EXPECT_EQ(code("fun f(x: Int) = x\nval y = 1\ntypealias A = B\n", ".kt"), (Lines{1, 2}));
  EXPECT_EQ(code("import a\nval y = 1\nval z =\n  2\n", ".kt"), (Lines{2, 3, 4}));
  EXPECT_EQ(code("extern \"C\" {\nint f(int);\n}\nA b{f(1)};\n", ".c"), (Lines{4}));
  EXPECT_EQ(code("#define A /* b\n  c */\nextern \"C\" {\nint d(int);\n}\nclass E {\n private:\n  using F = int G((1), "
                 "h(2));\n"
                 "  auto operator<=>(const E&) const = default;\n};\nconstexpr int i[] = {j(1)};\nint k = l(1);\n",
                 ".c"),
            (Lines{12}));
  EXPECT_EQ(code("class A {\n  List<B> x = new C<>();\n  int y = 1;\n}\n", ".java"), (Lines{2}));
  EXPECT_EQ(code("var x = f()\nconst y = 1\n", ".go"), Lines{});
}

TEST(ChangedCodeLines, OfScripts) {
  EXPECT_EQ(code("'use strict';\nimport a from 'a';\nimport {\n  b,\n} from 'b';\nexport {\n  c\n};\nexport * from "
                 "'d';\nconst e = 1;\n"
                 "export default f;\nimport('g');\n",
                 ".js"),
            (Lines{10, 11, 12}));
  EXPECT_EQ(
      code("export interface A {\n  b: string;\n}\ntype C = {\n  d: 1;\n};\ndeclare const e: F;\ntype(1);\n", ".ts"),
      (Lines{8}));
  EXPECT_EQ(code("<?php\nnamespace A;\nuse B\\C;\ninterface D {\n  function e();\n}\nf();  # g\n#[H]\n", ".php"),
            (Lines{7}));
}

TEST(ChangedCodeLines, OfAnUnclearText) {
  EXPECT_EQ(code("int a;\n#if B\nint f() {\n#else\nint g() {\n#endif\n  return 1;\n}\n// c\n", ".c"),
            (Lines{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(code("int a;\n/* b\n", ".c"), (Lines{1}));
}

}  // namespace
}  // namespace qd::report
