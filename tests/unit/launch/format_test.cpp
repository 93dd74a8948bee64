// Formatting of values; the expected texts are Python 3.11's.
#include "runtime/launch/messages.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

namespace qd {
namespace {

using ir::Type;

std::string integer(int64_t value, std::string_view spec = "", Type type = Type::I32) {
  return format_value(type, static_cast<uint64_t>(value), spec);
}
std::string real(double value, std::string_view spec = "") {
  return format_value(Type::F64, std::bit_cast<uint64_t>(value), spec);
}
std::string single(float value, std::string_view spec = "") {
  return format_value(Type::F32, std::bit_cast<uint32_t>(value), spec);
}

TEST(Format, PlainValues) {
  EXPECT_EQ(integer(-5), "-5");
  EXPECT_EQ(integer(-1, "", Type::U64), "18446744073709551615");
  EXPECT_EQ(integer(1, "", Type::U1), "True");
  EXPECT_EQ(integer(0, "", Type::U1), "False");
  EXPECT_EQ(real(1), "1.0");
  EXPECT_EQ(real(-0.0), "-0.0");
  EXPECT_EQ(real(0.1), "0.1");
  EXPECT_EQ(single(0.1f), "0.1");
  EXPECT_EQ(real(1e16), "1e+16");
  EXPECT_EQ(real(123456789012345.0), "123456789012345.0");
  EXPECT_EQ(real(1.5e-7), "1.5e-07");
  EXPECT_EQ(real(0.0001), "0.0001");
  EXPECT_EQ(real(1.7976931348623157e308), "1.7976931348623157e+308");
  EXPECT_EQ(real(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(real(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(single(std::numeric_limits<float>::quiet_NaN()), "nan");
}

TEST(Format, Specs) {
  EXPECT_EQ(integer(42, "d"), "42");
  EXPECT_EQ(integer(42, "i"), "42");
  EXPECT_EQ(integer(42, "5d"), "   42");
  EXPECT_EQ(integer(42, "05d"), "00042");
  EXPECT_EQ(integer(42, "<5"), "42   ");
  EXPECT_EQ(integer(42, "+"), "+42");
  EXPECT_EQ(integer(255, "x"), "ff");
  EXPECT_EQ(integer(255, "#X"), "0XFF");
  EXPECT_EQ(integer(-8, "#o"), "-0o10");
  EXPECT_EQ(integer(5, "b"), "101");
  EXPECT_EQ(integer(5, ".2f"), "5.00");
  EXPECT_EQ(real(5.75, "d"), "5");
  EXPECT_EQ(real(3.14159, ".2f"), "3.14");
  EXPECT_EQ(real(3.14159, "8.2f"), "    3.14");
  EXPECT_EQ(real(3.14159, "<8.2f"), "3.14    ");
  EXPECT_EQ(real(3.14159, "*^8.2f"), "**3.14**");
  EXPECT_EQ(real(-2.5, "08.2f"), "-0002.50");
  EXPECT_EQ(real(12345.678, "e"), "1.234568e+04");
  EXPECT_EQ(real(12345.678, ".3g"), "1.23e+04");
  EXPECT_EQ(real(2.5, "f"), "2.500000");
  EXPECT_EQ(real(2.5, "6"), "   2.5");
  EXPECT_EQ(real(2.5, "s"), "2.5");
  EXPECT_EQ(integer(1, "s", Type::U1), "True");
  EXPECT_EQ(integer(7, "nonsense"), "7");
  EXPECT_EQ(integer(255, "+d", Type::U8), "+255");
  EXPECT_EQ(integer(65, "5c"), "    A");
  EXPECT_EQ(integer(1, "5", Type::U1), "    1");
}

TEST(Format, FloatsWithSignsAndWithoutAType) {
  EXPECT_EQ(real(1e10, "+"), "+10000000000.0");
  EXPECT_EQ(real(-0.0, " "), "-0.0");
  EXPECT_EQ(real(0, ".3"), "0.0");
  EXPECT_EQ(real(1.5, ".1"), "2e+00");
  EXPECT_EQ(real(99.99, ".3"), "1e+02");
  EXPECT_EQ(real(100, ".5"), "100.0");
  EXPECT_EQ(real(0.00012345, ".3"), "0.000123");
  EXPECT_EQ(real(1e-5, ".2"), "1e-05");
  EXPECT_EQ(real(std::numeric_limits<double>::infinity(), "10.3f"), "       inf");
  EXPECT_EQ(real(-std::numeric_limits<double>::quiet_NaN(), "6.1f"), "   nan");
  EXPECT_EQ(real(2.5, ".99999999999"), real(2.5, ".1000"));
}

TEST(Format, GroupsOfDigits) {
  EXPECT_EQ(integer(1234567, ","), "1,234,567");
  EXPECT_EQ(integer(-1234567, "_d"), "-1_234_567");
  EXPECT_EQ(integer(123, ","), "123");
  EXPECT_EQ(integer(-1, ",", Type::U64), "18,446,744,073,709,551,615");
  EXPECT_EQ(integer(1234, "06,"), "01,234");
  EXPECT_EQ(integer(123456, "08,"), "0,123,456");
  EXPECT_EQ(integer(1234567, ">12,"), "   1,234,567");
  EXPECT_EQ(integer(0xfffff, "#_x"), "0xf_ffff");
  EXPECT_EQ(integer(1, ",", Type::U1), "1");
  EXPECT_EQ(real(1234567.891, ","), "1,234,567.891");
  EXPECT_EQ(real(1234.5678, ",.2f"), "1,234.57");
  EXPECT_EQ(real(1234.5, "010,"), "0,001,234.5");
  EXPECT_EQ(real(1e20, ","), "1e+20");
  EXPECT_EQ(real(std::numeric_limits<double>::quiet_NaN(), "010,"), "0000000nan");
  EXPECT_EQ(single(1234567.9f, "+,.1f"), "+1,234,567.9");
}

TEST(Format, PercentAndPaddingBehindTheSign) {
  EXPECT_EQ(real(0.1234, ".1%"), "12.3%");
  EXPECT_EQ(integer(3, "%"), "300.000000%");
  EXPECT_EQ(real(0.5, "*^10.0%"), "***50%****");
  EXPECT_EQ(integer(7, "*=+6"), "+****7");
  EXPECT_EQ(integer(-5, "=6d"), "-    5");
  EXPECT_EQ(integer(-255, "=#10x"), "-0x     ff");
  EXPECT_EQ(real(-2.5, "·=8"), "-····2.5");
  EXPECT_EQ(integer(12, "n"), "12");
  EXPECT_EQ(real(0.5, ".99999999999%"), "0.5");
}

TEST(Format, PiecesAndValues) {
  ir::Format format{{"a=", ", b=", "!"}, {"", ".1f"}, {Type::I32, Type::F32}};
  uint64_t words[] = {3, std::bit_cast<uint32_t>(2.25f)};
  EXPECT_EQ(format_text(format, words), "a=3, b=2.2!");
  EXPECT_EQ(format_text({{"nothing"}, {}, {}}, nullptr), "nothing");
}

}  // namespace
}  // namespace qd
