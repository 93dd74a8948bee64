// Kernels and funcs are found by their decorators, under any names of the source. Lines of the sources are those of
// their literals.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/analysis/kernels/kernel_definitions.h"

namespace qd::report {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// "kernel name first-def-last" or "func ..." for each definition.
std::vector<std::string> found(const std::string& text) {
  syntax::ParseResult parsed = syntax::parse(text);
  EXPECT_TRUE(parsed.module) << text;
  std::vector<std::string> result;
  for (const KernelDefinition& d : kernel_definitions(*parsed.module)) {
    EXPECT_EQ(d.def->range.line, d.def_line);
    result.push_back(
        fmt::format("{} {} {}-{}-{}", d.is_kernel ? "kernel" : "func", d.name, d.first_line, d.def_line, d.last_line));
  }
  return result;
}

/// A function `f` under the decorator, after some lines that bind names.
std::vector<std::string> decorated(const std::string& before, const std::string& decorator) {
  return found(before + "\n@" + decorator + "\ndef f(): pass\n");
}

TEST(KernelDefinitions, EveryDecoratorOfTheLanguage) {
  EXPECT_THAT(decorated("import qd", "qd.kernel"), ElementsAre("kernel f 2-3-3"));
  EXPECT_THAT(decorated("import qd", "qd.kernel(fastcache=True)"), ElementsAre("kernel f 2-3-3"));
  EXPECT_THAT(decorated("import qd", "qd.kernel()"), ElementsAre("kernel f 2-3-3"));
  for (const char* name : {"func", "func(requires_top_level=True)", "real_func", "pyfunc"})
    EXPECT_THAT(decorated("import qd", std::string("qd.") + name), ElementsAre("func f 2-3-3")) << name;
}

TEST(KernelDefinitions, EveryWayToImportIt) {
  EXPECT_THAT(decorated("import quadrants as q", "q.kernel"), ElementsAre("kernel f 2-3-3"));
  EXPECT_THAT(decorated("import quadrants", "quadrants.kernel"), ElementsAre("kernel f 2-3-3"));
  EXPECT_THAT(decorated("import quadrants.lang", "quadrants.lang.kernel"), ElementsAre("kernel f 2-3-3"));
  EXPECT_THAT(decorated("import taichi as ti", "ti.func"), ElementsAre("func f 2-3-3"));
  EXPECT_THAT(decorated("from qd import kernel", "kernel"), ElementsAre("kernel f 2-3-3"));
  EXPECT_THAT(decorated("from qd import func as device", "device"), ElementsAre("func f 2-3-3"));
  EXPECT_THAT(decorated("from quadrants import *", "kernel(pure=True)"), ElementsAre("kernel f 2-3-3"));
  EXPECT_THAT(decorated("from .compat import qd", "qd.kernel"), ElementsAre("kernel f 2-3-3"));
  EXPECT_THAT(decorated("from .compat import qd as q", "q.kernel"), ElementsAre("kernel f 2-3-3"));
  EXPECT_THAT(decorated("import compat", "compat.qd.kernel"), ElementsAre("kernel f 2-3-3"));
  EXPECT_THAT(decorated("from compat import *", "qd.kernel"), ElementsAre("kernel f 2-3-3"));
}

TEST(KernelDefinitions, OtherNamesForTheDecorators) {
  EXPECT_THAT(decorated("import qd; fast = qd.kernel(fastcache=True)", "fast"), ElementsAre("kernel f 2-3-3"));
  EXPECT_THAT(decorated("import qd; device = qd.func", "device"), ElementsAre("func f 2-3-3"));
  EXPECT_THAT(
      found(
          "try:\n    import quadrants as lang\nexcept ImportError:\n    lang = None\n\n@lang.kernel\ndef f(): pass\n"),
      ElementsAre("kernel f 6-7-7"));
}

TEST(KernelDefinitions, OtherThingsOfTheSameName) {
  EXPECT_THAT(decorated("import warp as wp", "wp.kernel"), IsEmpty());
  EXPECT_THAT(decorated("from warp import kernel", "kernel"), IsEmpty());
  EXPECT_THAT(decorated("", "kernel"), IsEmpty());
  EXPECT_THAT(decorated("import qd", "qd.data_oriented"), IsEmpty());
  EXPECT_THAT(decorated("import qd", "qd"), IsEmpty());
  EXPECT_THAT(decorated("import qd", "qd.kernel(other)"), IsEmpty()) << "a kernel is no decorator";
  EXPECT_THAT(found("def f():\n    from qd import kernel\n\n@kernel\ndef g(): pass\n"), IsEmpty())
      << "a name of another scope";
}

TEST(KernelDefinitions, LinesBeginAtTheFirstDecorator) {
  EXPECT_THAT(found("import qd\n"
                    "@log(\n"
                    "    'all')\n"
                    "@qd.kernel\n"
                    "def f(\n"
                    "    x: qd.i32,\n"
                    ") -> qd.i32:\n"
                    "    return (\n"
                    "        x)\n"),
              ElementsAre("kernel f 2-5-9"));
  EXPECT_THAT(found("import qd\n@ \\\n  qd.kernel\ndef f(): pass\n"), ElementsAre("kernel f 3-4-4"))
      << "as co_firstlineno";
}

TEST(KernelDefinitions, MethodsNestedFunctionsAndConditionalOnes) {
  EXPECT_THAT(
      found("import qd\n"
            "@qd.data_oriented\n"
            "class Solver:\n"
            "    @staticmethod\n"
            "    @qd.func\n"
            "    def half(x): return x / 2\n"
            "    @qd.kernel\n"
            "    def step(self): pass\n"
            "if qd:\n"
            "    @qd.kernel\n"
            "    def either(): pass\n"
            "else:\n"
            "    @qd.kernel\n"
            "    def either(): pass\n"
            "def make():\n"
            "    import taichi as t\n"
            "    @t.kernel\n"
            "    def inner():\n"
            "        @qd.func\n"
            "        def innermost(): pass\n"
            "    return inner\n"),
      ElementsAre("func Solver.half 4-6-6", "kernel Solver.step 7-8-8", "kernel either 10-11-11",
                  "kernel either 13-14-14", "kernel make.inner 17-18-20", "func make.inner.innermost 19-20-20"));
}

TEST(KernelDefinitions, AMethodSeesTheNamesOfItsClassOnlyInTheClass) {
  EXPECT_THAT(found("class A:\n"
                    "    from qd import kernel\n"
                    "    @kernel\n"
                    "    def k(self): pass\n"
                    "    def f(self):\n"
                    "        @kernel\n"
                    "        def no(): pass\n"),
              ElementsAre("kernel A.k 3-4-4"));
}

}  // namespace
}  // namespace qd::report
