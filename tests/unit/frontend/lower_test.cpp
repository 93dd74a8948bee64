// Parts of lowering that golden files do not show: diagnostics as data, source offsets, environments of a host,
// warnings, the identity of funcs and fields.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/unit/frontend/source.h"

namespace qd::frontend {
namespace {

using ir::Type;
using ::testing::Test;

TEST(Lower, DiagnosticsAsData) {
  Source source(
      "@qd.func\ndef f(x):\n    return x + nothing\n\n@qd.kernel\ndef k(n: qd.i32):\n    ä = f(n) + bad  # é\n    n = "
      "2\n",
      "/a/b.py");
  try {
    source.lower("k", {Type::I32});
    FAIL();
  } catch (const KernelCompilationError& error) {
    ASSERT_EQ(error.diagnostics.size(), 3u);
    const Diagnostic& inner = error.diagnostics[0];
    EXPECT_EQ(inner.kind, ErrorKind::Name);
    EXPECT_EQ(inner.file, "/a/b.py");
    EXPECT_EQ(inner.function, "f");
    EXPECT_EQ(inner.line, 4);
    EXPECT_EQ(inner.col, 15);
    EXPECT_EQ(inner.end_col, 22);
    EXPECT_EQ(inner.source_line, "    return x + nothing");
    EXPECT_EQ(inner.calls, std::vector<std::string>{"/a/b.py:8 in k"});
    EXPECT_EQ(error.diagnostics[1].function, "k");
    EXPECT_EQ(error.diagnostics[1].line, 8);
    EXPECT_EQ(error.diagnostics[2].kind, ErrorKind::Syntax);
    EXPECT_NE(
        std::string(error.what())
            .find("/a/b.py:8:17: KernelNameError: Name \"bad\" is not defined (in k)\n    \x20   ä = f(n) + bad  # "
                  "é\n    \x20              ^^^"),
        std::string::npos)
        << error.what();
  }
}

TEST(Lower, LineOffsetMovesEverything) {
  Source source("@qd.kernel\ndef k(n: qd.i32):\n    if n > 1:\n        print(n)\n");
  FunctionSource function = source.function("k");
  function.line_offset = 100;
  Options options;
  options.instruments = ir::instruments(ir::Instrument::Arcs);
  std::vector<ArgumentType> arguments{Type::I32};
  ir::Kernel kernel = lower(function, *source.environment, arguments, options, nullptr);
  EXPECT_EQ(kernel.functions[0].first_line, 102);
  std::vector<std::pair<int, int>> arcs;
  for (const ir::Probe& probe : kernel.probes) arcs.emplace_back(probe.from, probe.to);
  EXPECT_EQ(arcs, (std::vector<std::pair<int, int>>{{-102, 104}, {104, 105}, {-102, 105}, {104, -102}}));
  for (const ir::Location& location : kernel.locations) EXPECT_GT(location.line, 100);
}

TEST(Lower, WarningsOncePerPlace) {
  Source source(
      "@qd.kernel\ndef k(x: qd.f32):\n    for _ in qd.static(range(3)):\n        i = 1\n        i = x\n    b: qd.u8 = "
      "256\n    c: qd.f32 = 3\n");
  std::vector<Warning> warnings;
  source.lower("k", {Type::F32}, {}, &warnings);
  EXPECT_EQ(warnings, (std::vector<Warning>{{"test.py", 6, "an f32 is stored as i32: precision may be lost"},
                                            {"test.py", 7, "an i32 is stored as u8: precision may be lost"}}));
}

TEST(Lower, NothingIsCheckedThatIsSurelyRight) {
  Source source(
      "@qd.kernel\ndef sure(x: qd.types.ndarray(qd.i32, 2), f: qd.template()):\n    for i, j in x:\n        x[i, j] = "
      "f[1, 3]\n    for i in range(x.shape[0]):\n"
      "        for j in range(4):\n            f[1, j] = i - 1\n"
      "@qd.kernel\ndef unsure(x: qd.types.ndarray(qd.i32, 2), f: qd.template()):\n    for i, j in f:\n        x[i, j] "
      "= i + x[0, 0]\n");
  auto text = [&](const char* name, bool debug) {
    Options options;
    options.debug = options.check_out_of_bound = debug;
    return ir::print(
        source.lower(name, {ArrayType{Type::I32, 2}, Value(HostField{7, Type::I32, {2, 4}, "f"})}, options));
  };
  EXPECT_EQ(text("sure", true), text("sure", false));
  EXPECT_NE(text("unsure", true).find("assert"), std::string::npos);
  EXPECT_NE(text("unsure", true).find("warn"), std::string::npos);
  EXPECT_EQ(text("unsure", false).find("assert"), std::string::npos);
  EXPECT_EQ(text("unsure", false).find("warn"), std::string::npos);
}

TEST(Lower, UnrollingLimitWarns) {
  Source source("@qd.kernel\ndef k():\n    for _ in qd.static(range(5)):\n        pass\n");
  Options options;
  std::vector<Warning> warnings;
  options.unrolling_limit = 5;
  source.lower("k", {}, options, &warnings);
  EXPECT_TRUE(warnings.empty());
  options.unrolling_limit = 4;
  source.lower("k", {}, options, &warnings);
  EXPECT_EQ(warnings.size(), 1u);
}

TEST(Lower, FunctionsAndFieldsOnce) {
  Source source(
      "@qd.func\ndef f(x):\n    return x + 1\n\n@qd.kernel\ndef k(a: qd.template(), b: qd.template()):\n    a[0] = "
      "f(f(1))\n    b[0] = f(2)\n    a[1] = 2\n");
  Value field = HostField{42, Type::F32, {4}, "a"};
  ir::Kernel kernel = source.lower("k", {field, field});
  EXPECT_EQ(kernel.functions.size(), 2u);
  ASSERT_EQ(kernel.arrays.size(), 1u);
  EXPECT_EQ(kernel.arrays[0].field, 42u);
  EXPECT_EQ(kernel.arrays[0].kind, ir::Array::Kind::Field);
  EXPECT_EQ(kernel.arrays[0].shape, std::vector<int32_t>{4});
}

TEST(Lower, AssertsOnlyInDebug) {
  Source source("@qd.kernel\ndef k(n: qd.i32):\n    assert n > 0, 'positive'\n");
  Options options;
  EXPECT_EQ(source.lower("k", {Type::I32}, options).formats.size(), 0u);
  options.debug = true;
  EXPECT_EQ(source.lower("k", {Type::I32}, options).formats.size(), 1u);
}

/// A host with objects of its own.
class Host : public Environment {
 public:
  std::optional<Value> lookup(std::string_view name) override {
    if (name == "cfg") return Value(HostObject{1, "module 'cfg'", HostObject::Kind::Module});
    if (name == "table") return Value(HostObject{2, "a dict"});
    if (name == "qd") return Value(HostObject{3, "module 'qd'", HostObject::Kind::Constants});
    if (name == "field") return Value(HostField{9, Type::I32, {3}, "field"});
    return std::nullopt;
  }
  std::optional<Value> attribute(const HostObject& object, std::string_view name) override {
    if (object.id == 1 && name == "dt") return Value(0.5);
    if (object.id == 3 && name == "static") return Value(Builtin{"static"});
    if (object.id == 3 && name == "i32") return Value(Type::I32);
    return std::nullopt;
  }
  std::optional<Value> subscript(const HostObject& object, const Value& index) override {
    if (object.id != 2 || !std::holds_alternative<std::string>(index)) return std::nullopt;
    return Value(int64_t{7});
  }
  HostResult call(const HostCall& call) override {
    if (std::get<HostObject>(call.callee).id != 2) return {};
    return {Value(static_cast<int64_t>(call.arguments.size())), {}};
  }
};

TEST(Lower, ObjectsOfTheHost) {
  Source source(
      "@qd.kernel\ndef k(n: qd.i32):\n    x = cfg.dt * n\n    field[0] = table['key'] + qd.static(table(1, 2))\n    y "
      "= cfg.nothing\n    z = table[0]\n    table(n)\n    table(3)\n");
  Host host;
  std::vector<ArgumentType> arguments{Type::I32};
  try {
    lower(source.function("k"), host, arguments, {}, nullptr);
    FAIL();
  } catch (const KernelCompilationError& error) {
    ASSERT_EQ(error.diagnostics.size(), 3u) << error.what();
    EXPECT_EQ(error.diagnostics[0].message, "module 'cfg' has no attribute `nothing` in kernels");
    EXPECT_EQ(error.diagnostics[1].message, "a dict cannot be indexed in kernels");
    EXPECT_EQ(error.diagnostics[2].message, "a dict is not a qd.func: it cannot be called in a kernel");
  }
}

TEST(Lower, DeepNestingOfCalls) {
  std::string text = "@qd.func\ndef f0(x):\n    return x\n\n";
  for (int i = 1; i < 80; ++i)
    text += "@qd.func\ndef f" + std::to_string(i) + "(x):\n    return f" + std::to_string(i - 1) + "(x)\n\n";
  Source source(text +
                "@qd.kernel\ndef shallow(n: qd.i32):\n    f40(n)\n\n@qd.kernel\ndef deep(n: qd.i32):\n    f79(n)\n");
  EXPECT_TRUE(source.errors("shallow", {Type::I32}).empty());
  EXPECT_EQ(source.errors("deep", {Type::I32}).size(), 1u);
}

// A few lines may ask for more code than any machine holds.
TEST(Lower, KernelsWithoutEnd) {
  std::string text = "@qd.func\ndef f0(x):\n    return x + 1\n\n";
  for (int i = 1; i < 40; ++i)
    text += fmt::format("@qd.func\ndef f{}(x):\n    return f{}(x) * f{}(x + 1)\n\n", i, i - 1, i - 1);
  text += "@qd.kernel\ndef twice(n: qd.i32):\n    f39(n)\n\n";
  text += "@qd.kernel\ndef unrolled(n: qd.i32):\n";
  text +=
      "    for i in qd.static(range(1000)):\n        for j in qd.static(range(1000)):\n            for k in "
      "qd.static(range(1000)):\n                pass\n\n";
  text +=
      "@qd.kernel\ndef much(n: qd.i32) -> qd.i32:\n    s = n\n    for i in qd.static(range(400)):\n        for j in "
      "qd.static(range(400)):\n";
  text += "            s = s * i + j * s + i - j * (s // 3) + s % 7\n    return s\n";
  Source source(text);
  EXPECT_THAT(source.errors("twice", {Type::I32}),
              testing::ElementsAre(testing::HasSubstr("kernel `twice` grows beyond a million")));
  EXPECT_THAT(source.errors("unrolled", {Type::I32}),
              testing::ElementsAre(testing::HasSubstr("grows beyond a million statements here")));
  EXPECT_THAT(source.errors("much", {Type::I32}),
              testing::ElementsAre(testing::HasSubstr("grows beyond a million instructions here")));
}

}  // namespace
}  // namespace qd::frontend
