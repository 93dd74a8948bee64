// The interpreter's arithmetic is that of compiled code: every operator on every type that it is for, on pairs of
// unusual numbers.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "runtime/codegen/cpu/compile.h"
#include "runtime/device/cpu/loader.h"
#include "runtime/device/reference/interpreter.h"
#include "runtime/device/reference/scalar.h"

namespace qd::codegen {
namespace {

using device::reference::to_double;
using ir::Type;
using ::testing::IsEmpty;

constexpr Type kTypes[] = {Type::U1,  Type::I8,  Type::I16, Type::I32, Type::I64, Type::U8,
                           Type::U16, Type::U32, Type::U64, Type::F16, Type::F32, Type::F64};

std::vector<uint64_t> numbers(Type type) {
  std::vector<uint64_t> all;
  auto add = [&](uint64_t word) { all.push_back(device::reference::canonical(type, word)); };
  if (type == Type::U1) return {0, 1};
  std::mt19937_64 random(7);
  if (ir::is_float(type)) {
    for (double value : std::initializer_list<double>{0.0,
                                                      -0.0,
                                                      1.0,
                                                      -1.0,
                                                      0.5,
                                                      1.5,
                                                      2.5,
                                                      -2.5,
                                                      3.0,
                                                      -7.0,
                                                      6.0,
                                                      0.1,
                                                      1e-7,
                                                      65504.0,
                                                      1e10,
                                                      -1e10,
                                                      2147483648.0,
                                                      9.3e18,
                                                      1.9e19,
                                                      1e300,
                                                      INFINITY,
                                                      -INFINITY,
                                                      static_cast<double>(NAN)}) {
      add(device::reference::from_double(type, value));
    }
    add(1);  // the smallest one
  } else {
    for (int value : {0, 1, 2, 3, 5, 7, 8, 31, 32, 63, 64, -1, -2, -3, -7})
      add(static_cast<uint64_t>(static_cast<int64_t>(value)));
    const uint64_t sign = uint64_t{1} << (ir::bit_width(type) - 1);
    for (uint64_t value : {sign, sign - 1, sign + 1, sign >> 1, (sign >> 1) - 1}) add(value);
  }
  for (int i = 0; i < 6; ++i) add(random());
  return all;
}

/// An operation, and the type of what it gives.
struct Operation {
  std::string text;  // with {0} and {1} for its operands
  Type type;
  bool approximate = false;
  bool any_zero = false;  // nobody says which zero of two
};

bool is_for(const ir::OperatorRow& row, Type type) {
  if (row.cost == ir::Cost::Library && row.name != "pow" && !ir::is_float(type)) return false;
  switch (row.numbers) {
    case ir::Numbers::Floats:
    case ir::Numbers::Test: return ir::is_float(type);
    case ir::Numbers::Integers:
    case ir::Numbers::Bits: return !ir::is_float(type);
    case ir::Numbers::All:
    case ir::Numbers::Truth: return true;
  }
  return false;
}

std::vector<Operation> operations(Type type) {
  std::vector<Operation> all;
  for (const ir::OperatorRow& row : ir::kUnaryOps) {
    if (!is_for(row, type) || (row.name == "rsqrt" && !ir::is_float(type))) continue;
    const bool tests = row.numbers == ir::Numbers::Test || row.numbers == ir::Numbers::Truth;
    const Type result = tests ? Type::U1 : type;
    all.push_back({fmt::format("{} {} {{0}}", row.name, ir::name(result)), result, row.cost == ir::Cost::Library});
    if (row.numbers == ir::Numbers::Bits) all.push_back({fmt::format("{} i32 {{0}}", row.name), Type::I32});
  }
  for (const ir::OperatorRow& row : ir::kBinaryOps) {
    const bool choice = row.name == "min" || row.name == "max";
    if (is_for(row, type))
      all.push_back({fmt::format("{} {} {{0}}, {{1}}", row.name, ir::name(type)), type,
                     row.cost == ir::Cost::Library && ir::is_float(type), choice});
  }
  for (const ir::OperatorRow& row : ir::kCompareOps) {
    if (row.name.find("overflows") == std::string_view::npos || !ir::is_float(type))
      all.push_back({fmt::format("{} u1 {{0}}, {{1}}", row.name), Type::U1});
  }
  for (Type to : kTypes) {
    all.push_back({fmt::format("cast {} {{0}}", ir::name(to)), to});
    if (ir::bit_width(to) == ir::bit_width(type)) all.push_back({fmt::format("bit_cast {} {{0}}", ir::name(to)), to});
  }
  return all;
}

std::vector<std::string> atomics(Type type) {
  std::vector<std::string> all;
  for (const ir::OperatorRow& row : ir::kAtomicOps) {
    if (is_for(row, type)) all.push_back(fmt::format("atomic {} {}", row.name, ir::name(type)));
  }
  return all;
}

/// Arrays 0 and 1 are the operands; then one for each operation's results; then one for each atomic, which starts as
/// the second operand, and one for what it gives.
std::string kernel_text(Type type, const std::vector<Operation>& ops, const std::vector<std::string>& atomics,
                        size_t pairs) {
  std::string tables = "kernel k\n", body;
  int arrays = 0, values = 1;
  auto array = [&](Type of) {
    tables += fmt::format("array {0} a{0} {1} rank 1 parameter\n", arrays, ir::name(of));
    return arrays++;
  };
  auto inst = [&](const std::string& text) {
    body += fmt::format("%{} = {}\n", values, text);
    return fmt::format("%{}", values++);
  };
  const std::string index = inst("loop_index i32 %0 0");
  auto element = [&](int row, Type of) {
    return inst(fmt::format("element_ptr {} {} [{}]", ir::name(of), row, index));
  };
  auto operand = [&](int row) { return inst(fmt::format("load {} {}", ir::name(type), element(row, type))); };
  array(type);
  array(type);
  const std::string x = operand(0), y = operand(1);
  for (const Operation& op : ops) {
    const std::string result = inst(fmt::format(fmt::runtime(op.text), x, y));
    body += fmt::format("store {}, {}\n", element(array(op.type), op.type), result);
  }
  for (const std::string& atomic : atomics) {
    const std::string old = inst(fmt::format("{} {}, {}", atomic, element(array(type), type), x));
    body += fmt::format("store {}, {}\n", element(array(type), type), old);
  }
  return tables + fmt::format("task parallel t loop %0 [0, {}) {{\nprologue {{ }}\nbody {{\n{}}}\n}}\n", pairs, body);
}

struct Memory {
  std::vector<std::vector<char>> bytes;
  std::vector<ArraySlot> slots;
};

bool alike(Type type, uint64_t a, uint64_t b, bool approximate, bool any_zero) {
  if (a == b) return true;
  if (!ir::is_float(type)) return false;
  const double x = to_double(type, a), y = to_double(type, b);
  if (std::isnan(x) && std::isnan(y)) return true;
  if (any_zero && x == 0 && y == 0) return true;
  const double error = type == Type::F64 ? 1e-14 : type == Type::F32 ? 2e-6 : 2e-3;
  const double smallest = type == Type::F64 ? 1e-300 : type == Type::F32 ? 1e-37 : 1e-4;
  return approximate && std::abs(x - y) <= error * std::max({std::abs(x), std::abs(y), smallest});
}

void check(Type type) {
  const std::vector<uint64_t> all = numbers(type);
  const std::vector<Operation> ops = operations(type);
  const std::vector<std::string> rmw = atomics(type);
  const size_t pairs = all.size() * all.size();
  const ir::Kernel kernel = ir::parse(kernel_text(type, ops, rmw, pairs));
  ASSERT_THAT(ir::verify(kernel), IsEmpty());
  auto memory = [&] {
    Memory made;
    for (size_t a = 0; a < kernel.arrays.size(); ++a) {
      const auto size = static_cast<size_t>(ir::size_in_bytes(kernel.arrays[a].type));
      auto& bytes = made.bytes.emplace_back(pairs * size);
      for (size_t i = 0; i < pairs && (a < 2 || a >= 2 + ops.size()); ++i)
        std::memcpy(&bytes[i * size], &all[a == 0 ? i / all.size() : i % all.size()], size);
    }
    for (auto& bytes : made.bytes) made.slots.push_back({bytes.data(), {static_cast<int32_t>(pairs)}});
    return made;
  };
  Memory interpreted = memory(), compiled = memory();
  device::reference::Interpreter(kernel, {.arrays = interpreted.slots.data()}).run();
  const Binary object = compile(kernel, {.fast_math = false});
  const auto loaded = device::load(object.code, object.symbols);
  LaunchContext context{};
  context.arrays = compiled.slots.data();
  ThreadState thread{};
  loaded->functions()[0](&context, &thread, 0, static_cast<int64_t>(pairs));
  for (size_t a = 2; a < kernel.arrays.size(); ++a) {
    const Type of = kernel.arrays[a].type;
    const auto size = static_cast<size_t>(ir::size_in_bytes(of));
    const bool is_op = a < 2 + ops.size();
    const std::string text = is_op ? ops[a - 2].text : rmw[(a - 2 - ops.size()) / 2];
    for (size_t i = 0; i < pairs; ++i) {
      uint64_t expected = 0, actual = 0;
      std::memcpy(&expected, &compiled.bytes[a][i * size], size);
      std::memcpy(&actual, &interpreted.bytes[a][i * size], size);
      EXPECT_TRUE(alike(of, expected, actual, is_op && ops[a - 2].approximate, !is_op || ops[a - 2].any_zero))
          << ir::name(type) << ": " << text << " of " << to_double(type, all[i / all.size()]) << ", "
          << to_double(type, all[i % all.size()]) << " is " << to_double(of, expected) << " when compiled, "
          << to_double(of, actual) << " when interpreted";
      if (::testing::Test::HasFailure()) break;
    }
  }
}

class Reference : public ::testing::TestWithParam<Type> {};
TEST_P(Reference, ComputesWhatCompiledCodeComputes) { check(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Types, Reference, ::testing::ValuesIn(kTypes),
                         [](const auto& info) { return std::string(ir::name(info.param)); });

}  // namespace
}  // namespace qd::codegen
