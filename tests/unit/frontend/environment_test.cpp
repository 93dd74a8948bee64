// The environment of a file that no Python runs, and functions found in it.
#include <cmath>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/constants/python_values.h"
#include "tests/unit/frontend/source.h"

namespace qd::frontend {
namespace {

Value lookup(const Source& source, std::string_view name) {
  auto value = source.environment->lookup(name);
  if (!value) throw std::runtime_error("no such name");
  return *value;
}

TEST(ModuleEnvironment, Constants) {
  Source source(R"(
import math
from math import pi, tau as full_turn
import qd as ti
from qd.math import inf
A = 3
B, C = A * 2, "text"
D = (A, B, 1.5)
E = D[1] + len(D) ** 2
F = math.sin(0.0) + math.sqrt(4)
G: float = -1 / 2
H = qd.f64
K = ti.math.pi
L = M = not A
N = [1, 2] + [3]
if A > 2:
    O = 1
else:
    O = 2
try:
    P = 5
except ImportError:
    P = 6
Q = unknown_function(3)
)");
  EXPECT_EQ(std::get<int64_t>(lookup(source, "A")), 3);
  EXPECT_EQ(std::get<int64_t>(lookup(source, "B")), 6);
  EXPECT_EQ(std::get<std::string>(lookup(source, "C")), "text");
  EXPECT_EQ(to_text(lookup(source, "D")), "(3, 6, 1.5)");
  EXPECT_EQ(std::get<int64_t>(lookup(source, "E")), 15);
  EXPECT_EQ(std::get<double>(lookup(source, "F")), 2.0);
  EXPECT_EQ(std::get<double>(lookup(source, "G")), -0.5);
  EXPECT_EQ(std::get<ir::Type>(lookup(source, "H")), ir::Type::F64);
  EXPECT_DOUBLE_EQ(std::get<double>(lookup(source, "K")), 3.141592653589793);
  EXPECT_DOUBLE_EQ(std::get<double>(lookup(source, "full_turn")), 2 * 3.141592653589793);
  EXPECT_TRUE(std::isinf(std::get<double>(lookup(source, "inf"))));
  EXPECT_EQ(std::get<bool>(lookup(source, "M")), false);
  EXPECT_EQ(to_text(lookup(source, "N")), "[1, 2, 3]");
  EXPECT_EQ(std::get<int64_t>(lookup(source, "O")), 1);
  EXPECT_EQ(std::get<int64_t>(lookup(source, "P")), 5);
  EXPECT_TRUE(std::get<HostObject>(lookup(source, "Q")).description.find("only Python can compute") !=
              std::string::npos);
  EXPECT_EQ(std::get<Builtin>(lookup(source, "range")).name, "range");
  EXPECT_FALSE(source.environment->lookup("nothing"));
}

TEST(ModuleEnvironment, DecoratorsThroughImports) {
  Source source(R"(
import qd as ti
from qd import func, kernel as k

@func
def a(x): return x

@ti.func
def b(x): return x

@qd.func
def c(x): return x

@k
def d(): pass

@qd.kernel()
def e(): pass

def f(x): return x

@other
def g(x): return x
)");
  for (auto name : {"a", "b", "c"}) EXPECT_TRUE(std::holds_alternative<Func>(lookup(source, name))) << name;
  for (auto name : {"d", "e"}) EXPECT_EQ(describe(lookup(source, name)), "kernel `" + std::string(name) + "`");
  for (auto name : {"f", "g"}) EXPECT_EQ(describe(lookup(source, name)), "function `" + std::string(name) + "`");
  EXPECT_TRUE(equal(lookup(source, "a"), lookup(source, "a")));
  EXPECT_FALSE(equal(lookup(source, "a"), lookup(source, "b")));
}

TEST(FindFunction, ByNameAndByLine) {
  Source source(R"(def a(): pass

class C:
    @first
    @second
    def a(self): pass

def outer():
    def a(): pass

if True:
    def b(): pass

def a(): return 2
)");
  // The helper puts one line before.
  EXPECT_EQ(source.function("a").first_line(), 15);
  EXPECT_EQ(source.function("b").first_line(), 13);
  EXPECT_FALSE(find_function(source.module, "f", "self"));
  EXPECT_EQ(find_function_at(source.module, "f", "a", 5)->function().name, "a");
  EXPECT_EQ(find_function_at(source.module, "f", "a", 5)->first_line(), 5);
  EXPECT_EQ(find_function_at(source.module, "f", "a", 10)->function().name, "a");
  EXPECT_FALSE(find_function_at(source.module, "f", "a", 6));
  EXPECT_FALSE(find_function_at(source.module, "f", "b", 5));
}

TEST(Builtins, PathsBelowQd) {
  EXPECT_EQ(std::get<ir::Type>(*language_value("f32")), ir::Type::F32);
  EXPECT_EQ(std::get<ir::Type>(*language_value("types.uint8")), ir::Type::U8);
  EXPECT_EQ(std::get<Builtin>(*language_value("math.isnan")).name, "math.isnan");
  EXPECT_EQ(std::get<Builtin>(*language_value("types.ndarray")).name, "types.ndarray");
  EXPECT_FALSE(language_value("void"));
  EXPECT_FALSE(language_value("field"));
  EXPECT_EQ(find_builtin("math.isnan"), find_builtin("isnan"));
  EXPECT_FALSE(python_builtin("sin"));
  EXPECT_FALSE(python_math("clamp"));
}

}  // namespace
}  // namespace qd::frontend
