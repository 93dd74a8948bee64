// Python's operators on compile-time values.
#include "runtime/frontend/constants/number_arithmetic.h"

#include <limits>

#include "tests/unit/frontend/source.h"

namespace qd::frontend {
namespace {

/// The value of an expression under qd.static in Python's words, or "error".
std::string evaluated(const std::string& expression) {
  Source value("X = " + expression + "\n");
  auto found = value.environment->lookup("X");
  return found && !std::holds_alternative<HostObject>(*found) ? to_text(*found) : "error";
}

TEST(PythonValues, Arithmetic) {
  // Each row was checked with CPython.
  const std::pair<const char*, const char*> rows[] = {
      {"7 // -2", "-4"},
      {"-7 % 3", "2"},
      {"7 % -3", "-2"},
      {"-7.5 % 2", "0.5"},
      {"7.5 // 2", "3.0"},
      {"2 ** 10", "1024"},
      {"2 ** -1", "0.5"},
      {"1 / 4", "0.25"},
      {"-3 // 1", "-3"},
      {"1 << 40", "1099511627776"},
      {"-5 >> 1", "-3"},
      {"~5", "-6"},
      {"+True", "1"},
      {"True + True", "2"},
      {"True & False", "False"},
      {"5 ^ 3", "6"},
      {"6 | 1", "7"},
      {"1 < 2 < 3", "True"},
      {"1 < 3 < 2", "False"},
      {"1 == 1.0", "True"},
      {"'a' + 'b'", "ab"},
      {"'a' < 'b'", "True"},
      {"(1, 2) + (3,)", "(1, 2, 3)"},
      {"(1,) * 2", "(1, 1)"},
      {"2 in (1, 2)", "True"},
      {"'x' not in 'abc'", "True"},
      {"None is None", "True"},
      {"0 or 'x'", "x"},
      {"1 and 0", "0"},
      {"not ()", "True"},
      {"3 if 0 else 4", "4"},
      {"(1, 2, 3)[-1]", "3"},
      {"'abc'[1]", "b"},
      {"abs(-3)", "3"},
      {"min(3, 1, 2)", "1"},
      {"max((3, 1))", "3"},
      {"int(-2.7)", "-2"},
      {"round(2.5)", "2"},
      {"len('abc')", "3"},
      {"float(3)", "3.0"},
      {"bool('')", "False"},
      {"range(1, 7, 2)", "(1, 3, 5)"},
      {"1e3", "1000.0"},
      {"5 // 0", "error"},
      {"1 << 64", "18446744073709551616"},
      {"9223372036854775807 + 1", "9223372036854775808"},
      {"'a' + 1", "error"},
      {"(1, 2)[2]", "error"},
      {"1.5 | 2", "error"},
      {"unknown + 1", "error"},
      {"qd.u8(300)", "44"},
      {"qd.i8(200)", "-56"},
      {"qd.f32(0.1) == 0.1", "False"},
      {"pow(2, 3)", "8"},
  };
  for (auto [expression, expected] : rows) EXPECT_EQ(evaluated(expression), expected) << expression;
}

TEST(PythonValues, IntegersOfAnySize) {
  // Each row was checked with CPython.
  const std::pair<const char*, const char*> rows[] = {
      {"2 ** 200 % 12345678901234567890", "6540610052683564096"},
      {"-(2 ** 100) // 7", "-181092942889747057356671886483"},
      {"-(2 ** 100) % -7", "-2"},
      {"(2 ** 100 ^ -5) & (2 ** 90 - 3)", "1237940039285380274899124217"},
      {"-(2 ** 70) | 12345", "-1180591620717411291079"},
      {"~(2 ** 64)", "-18446744073709551617"},
      {"-(2 ** 70 + 1) >> 3", "-147573952589676412929"},
      {"2 ** 127 >> 200", "0"},
      {"-1 >> 100", "-1"},
      {"3 ** 100", "515377520732011331036461129765621272702107522001"},
      {"(-3) ** 99", "-171792506910670443678820376588540424234035840667"},
      {"10 ** 40 / 10 ** 39", "10.0"},
      {"2 ** 64 - 1", "18446744073709551615"},
      {"0xFFFFFFFFFFFFFFFFFFFF", "1208925819614629174706175"},
      {"1_000_000_000_000_000_000_000", "1000000000000000000000"},
      {"2 ** 64 > 2.0 ** 64", "False"},
      {"2 ** 53 + 1 > 2.0 ** 53", "True"},
      {"2 ** 70 == 2.0 ** 70", "True"},
      {"9223372036854775807 == 2.0 ** 63", "False"},
      {"1.0 // 0.1", "9.0"},
      {"-1.0 // 0.1", "-10.0"},
      {"1.0 % 0.1", "0.09999999999999995"},
      {"-7.5 % -2", "-1.5"},
      {"abs(-2 ** 70)", "1180591620717411303424"},
      {"max(2 ** 70, 3, 2 ** 69)", "1180591620717411303424"},
      {"int(1e20)", "100000000000000000000"},
      {"round(-2.5e19)", "-25000000000000000000"},
      {"(2 ** 64 - 1) * (2 ** 64 + 1)", "340282366920938463463374607431768211455"},
      {"-(2 ** 63)", "-9223372036854775808"},
      {"- -9223372036854775808", "9223372036854775808"},
      {"-9223372036854775808 // -1", "9223372036854775808"},
      {"12345678901234567890123 // -987654321", "-12499999887344"},
      {"12345678901234567890123 % -987654321", "-246923301"},
      {"2 ** 1000 // 2 ** 990", "1024"},
      {"1 << 100000", "error"},
      {"2 ** 100000", "error"},
      {"1 << -1", "error"},
  };
  for (auto [expression, expected] : rows) EXPECT_EQ(evaluated(expression), expected) << expression;
}

TEST(PythonValues, ConvertKeepsTheBitsThatFit) {
  EXPECT_EQ(std::get<int64_t>(convert(Value(-1.9), ir::Type::I32)), -1);
  EXPECT_EQ(std::get<int64_t>(convert(Value(int64_t{-1}), ir::Type::U32)), 0xFFFFFFFF);
  EXPECT_EQ(std::get<bool>(convert(Value(0.5), ir::Type::U1)), true);
}

TEST(PythonValues, ConvertGivesTheNearestIntegerOfAFloat) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  struct {
    ir::Type type;
    double number;
    int64_t integer;
  } rows[] = {{ir::Type::I64, 1e30, INT64_MAX},
              {ir::Type::I64, -1e30, INT64_MIN},
              {ir::Type::I64, -0x1p63, INT64_MIN},
              {ir::Type::I32, 3e9, INT32_MAX},
              {ir::Type::I32, -3e9, INT32_MIN},
              {ir::Type::I32, nan, 0},
              {ir::Type::I32, 2147483647.9, INT32_MAX},
              {ir::Type::I32, -2147483648.9, INT32_MIN},
              {ir::Type::U32, -1.5, 0},
              {ir::Type::U32, infinity, 0xFFFFFFFF},
              {ir::Type::U64, 0x1p64, -1},
              {ir::Type::U64, 0x1p63, INT64_MIN},
              {ir::Type::U64, -infinity, 0},
              {ir::Type::U8, 300.7, 255},
              {ir::Type::I8, -200.0, -128},
              {ir::Type::I16, 32767.5, 32767}};
  for (auto [type, number, integer] : rows)
    EXPECT_EQ(static_cast<int64_t>(as_big_integer(convert(Value(number), type))->low_bits()), integer)
        << ir::name(type) << " " << number;
}

}  // namespace
}  // namespace qd::frontend
