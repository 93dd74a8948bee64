// Functions of languages with braces.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "report/diff/function_bodies.h"
#include "report/diff/imported_version.h"

namespace qd::report {
namespace {

/// "head-first-last" of each function.
std::vector<std::string> found(const std::string& text) {
  std::vector<std::string> result;
  for (const FunctionBody& body : function_bodies(text))
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

TEST(ChangedCodeLines, AreThoseInFunctions) {
  const std::string text = "int a;\nint f() {\n  // no\n\n  return 1;\n}\n";
  EXPECT_EQ(changed_code_lines(text, {1, 2, 3, 4, 5, 6, 7}), (std::vector<int32_t>{2, 5}));
}

}  // namespace
}  // namespace qd::report
