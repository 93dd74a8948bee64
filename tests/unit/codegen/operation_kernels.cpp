// Every operator on every type that it is for, on pairs of unusual numbers.
#include "tests/unit/codegen/operation_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "runtime/device/reference/scalar.h"

namespace qd::codegen::testing {

using device::reference::to_double;
using ir::Type;

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

namespace {

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

}  // namespace

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

}  // namespace qd::codegen::testing
