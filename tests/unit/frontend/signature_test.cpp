// Parameters and results from annotations.
#include "tests/unit/frontend/source.h"

namespace qd::frontend {
namespace {

using ir::Type;
using Kind = Parameter::Kind;

Signature read(const Source& source, std::string_view name, Options options = {}) {
  return signature(source.function(name), *source.environment, options);
}

TEST(Signature, Kinds) {
  Source source(R"py(
from qd import f32, template as T
import qd.types as types
Grid = qd.types.ndarray(dtype=qd.i32, ndim=2)

@qd.kernel
def k(a: int, b: float, c: bool, d: qd.u8, e: f32, f: "qd.f64",
      g: qd.types.ndarray(), h: types.ndarray(f32, 3), i: qd.types.NDArray[qd.i16, 1], j: Grid, k: qd.types.ndarray(ndim=2), l: "types.ndarray(qd.f64)",
      m: qd.template(), n: qd.Template, o: T) -> (qd.i32, float):
    return 1, 2
)py");
  Signature s = read(source, "k");
  ASSERT_EQ(s.parameters.size(), 15u);
  std::vector<std::optional<Type>> types{Type::I32, Type::F32, Type::U1, Type::U8,  Type::F32, Type::F64, {}, Type::F32,
                                         Type::I16, Type::I32, {},       Type::F64, {},        {},        {}};
  std::vector<std::optional<int32_t>> ranks{{}, {}, {}, {}, {}, {}, {}, 3, 1, 2, 2, {}, {}, {}, {}};
  for (size_t i = 0; i < s.parameters.size(); ++i) {
    const Parameter& p = s.parameters[i];
    SCOPED_TRACE(p.name);
    EXPECT_EQ(p.name, std::string(1, static_cast<char>('a' + i)));
    EXPECT_EQ(p.kind, i < 6 ? Kind::Scalar : i < 12 ? Kind::Array : Kind::Template);
    EXPECT_EQ(p.type, types[i]);
    EXPECT_EQ(p.rank, ranks[i]);
  }
  EXPECT_EQ(s.results, (std::vector{Type::I32, Type::F32}));
}

TEST(Signature, DefaultTypes) {
  Source source("@qd.kernel\ndef k(a: int, b: float) -> tuple[int, qd.u1]:\n    return 1, a > 2\n");
  Options options;
  options.default_ip = Type::I64;
  options.default_fp = Type::F64;
  Signature s = read(source, "k", options);
  EXPECT_EQ(s.parameters[0].type, Type::I64);
  EXPECT_EQ(s.parameters[1].type, Type::F64);
  EXPECT_EQ(s.results, (std::vector{Type::I64, Type::U1}));
}

TEST(Signature, AllErrorsAtOnce) {
  Source source("@qd.kernel\ndef k(a, b: qd.nothing, c: 3, *d, e: qd.i32 = 1) -> 'oops oops':\n    pass\n");
  try {
    read(source, "k");
    FAIL();
  } catch (const KernelCompilationError& error) {
    EXPECT_EQ(error.diagnostics.size(), 6u);
    EXPECT_EQ(error.diagnostics[0].message, "kernel parameter `a` needs an annotation");
    EXPECT_EQ(error.diagnostics[0].kind, ErrorKind::Syntax);
    EXPECT_EQ(error.diagnostics[1].kind, ErrorKind::Name);
  }
}

}  // namespace
}  // namespace qd::frontend
