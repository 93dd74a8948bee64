// Whole numbers of any size, as a sign and digits of 32 bits. Constants are short: the plain algorithms are the right
// ones.
#include "runtime/frontend/constants/big_integer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace qd::frontend {

BigInteger::BigInteger(bool negative, Digits digits) : digits_(std::move(digits)) {
  while (!digits_.empty() && digits_.back() == 0) digits_.pop_back();
  negative_ = negative && !digits_.empty();
}

BigInteger::BigInteger(int64_t value)
    : BigInteger(of_unsigned(value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value))) {
  negative_ = value < 0;
}

BigInteger BigInteger::of_unsigned(uint64_t value) {
  return {false, {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)}};
}

BigInteger BigInteger::of_double(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(std::trunc(std::fabs(value)), &exponent);
  const BigInteger whole = of_unsigned(static_cast<uint64_t>(std::ldexp(mantissa, 53)));
  BigInteger result = exponent >= 53 ? whole.shifted_left(static_cast<size_t>(exponent - 53))
                                     : whole.shifted_right(static_cast<size_t>(53 - exponent));
  return value < 0 ? -result : result;
}

std::optional<BigInteger> BigInteger::parse(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  uint32_t radix = 10;
  if (text.size() > 2 && text[0] == '0') {
    const char letter = static_cast<char>(text[1] | 0x20);
    radix = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
    if (radix != 10) text.remove_prefix(2);
  }
  if (text.empty()) return std::nullopt;
  Digits digits;
  for (char c : text) {
    if (c == '_') continue;
    const char lower = static_cast<char>(c | 0x20);
    const uint32_t value = c >= '0' && c <= '9'           ? static_cast<uint32_t>(c - '0')
                           : lower >= 'a' && lower <= 'f' ? static_cast<uint32_t>(lower - 'a') + 10
                                                          : 99;
    if (value >= radix) return std::nullopt;
    uint64_t carry = value;
    for (uint32_t& digit : digits) {
      carry += uint64_t{digit} * radix;
      digit = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) digits.push_back(static_cast<uint32_t>(carry));
  }
  return BigInteger(negative, std::move(digits));
}

size_t BigInteger::bits() const {
  return digits_.empty() ? 0 : 32 * digits_.size() - static_cast<size_t>(std::countl_zero(digits_.back()));
}

uint64_t BigInteger::low_bits() const {
  uint64_t low = 0;
  for (size_t i = 0; i < std::min<size_t>(digits_.size(), 2); ++i) low |= uint64_t{digits_[i]} << (32 * i);
  return negative_ ? -low : low;
}

std::optional<int64_t> BigInteger::small() const {
  const auto value = static_cast<int64_t>(low_bits());
  return bits() <= 64 && (value < 0) == negative_ ? std::optional(value) : std::nullopt;
}

double BigInteger::to_double() const {
  const size_t size = bits();
  const size_t dropped = size > 64 ? size - 64 : 0;
  BigInteger top = (negative_ ? -*this : *this).shifted_right(dropped);
  // The dropped bits decide between the two nearest: any one of them does as much as all.
  const bool exact = top.shifted_left(dropped).digits_ == digits_;
  const double value = std::ldexp(static_cast<double>(top.low_bits() | (exact ? 0 : 1)),
                                  static_cast<int>(std::min<size_t>(dropped, 1 << 20)));
  return negative_ ? -value : value;
}

std::string BigInteger::text() const {
  constexpr uint32_t kChunk = 1'000'000'000;
  Digits rest = digits_;
  std::vector<uint32_t> chunks;
  while (!rest.empty()) {
    uint64_t remainder = 0;
    for (size_t i = rest.size(); i-- > 0;) {
      remainder = remainder << 32 | rest[i];
      rest[i] = static_cast<uint32_t>(remainder / kChunk);
      remainder %= kChunk;
    }
    while (!rest.empty() && rest.back() == 0) rest.pop_back();
    chunks.push_back(static_cast<uint32_t>(remainder));
  }
  if (chunks.empty()) return "0";
  std::string text = fmt::format("{}{}", negative_ ? "-" : "", chunks.back());
  for (size_t i = chunks.size() - 1; i-- > 0;) text += fmt::format("{:09}", chunks[i]);
  return text;
}

std::strong_ordering BigInteger::compare(const Digits& a, const Digits& b) {
  if (a.size() != b.size()) return a.size() <=> b.size();
  return std::lexicographical_compare_three_way(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

std::strong_ordering BigInteger::operator<=>(const BigInteger& other) const {
  if (negative_ != other.negative_) return negative_ ? std::strong_ordering::less : std::strong_ordering::greater;
  return negative_ ? compare(other.digits_, digits_) : compare(digits_, other.digits_);
}

BigInteger::Digits BigInteger::sum(const Digits& a, const Digits& b) {
  Digits result;
  uint64_t carry = 0;
  for (size_t i = 0; i < std::max(a.size(), b.size()) || carry != 0; ++i) {
    carry += (i < a.size() ? uint64_t{a[i]} : 0) + (i < b.size() ? b[i] : 0);
    result.push_back(static_cast<uint32_t>(carry));
    carry >>= 32;
  }
  return result;
}

// `a` is not less than `b`.
BigInteger::Digits BigInteger::difference(const Digits& a, const Digits& b) {
  Digits result;
  int64_t carry = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    carry += int64_t{a[i]} - (i < b.size() ? int64_t{b[i]} : 0);
    result.push_back(static_cast<uint32_t>(carry));
    carry >>= 32;
  }
  return result;
}

BigInteger BigInteger::operator-() const { return {!negative_, digits_}; }

BigInteger operator+(const BigInteger& a, const BigInteger& b) {
  if (a.negative_ == b.negative_) return {a.negative_, BigInteger::sum(a.digits_, b.digits_)};
  if (BigInteger::compare(a.digits_, b.digits_) >= 0)
    return {a.negative_, BigInteger::difference(a.digits_, b.digits_)};
  return {b.negative_, BigInteger::difference(b.digits_, a.digits_)};
}

BigInteger operator-(const BigInteger& a, const BigInteger& b) { return a + -b; }

BigInteger operator*(const BigInteger& a, const BigInteger& b) {
  BigInteger::Digits result(a.digits_.size() + b.digits_.size());
  for (size_t i = 0; i < a.digits_.size(); ++i) {
    uint64_t carry = 0;
    for (size_t k = 0; k < b.digits_.size() || carry != 0; ++k) {
      carry += result[i + k] + uint64_t{a.digits_[i]} * (k < b.digits_.size() ? b.digits_[k] : 0);
      result[i + k] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
  }
  return {a.negative_ != b.negative_, std::move(result)};
}

std::pair<BigInteger, BigInteger> BigInteger::floor_divide(const BigInteger& a, const BigInteger& b) {
  BigInteger quotient, remainder;
  const BigInteger divisor(false, b.digits_);
  // One bit after the other, from the highest.
  quotient.digits_.resize(a.digits_.size());
  for (size_t i = a.bits(); i-- > 0;) {
    remainder = remainder.shifted_left(1);
    if (a.digits_[i / 32] >> (i % 32) & 1) remainder = remainder + BigInteger(1);
    if (remainder < divisor) continue;
    remainder = remainder - divisor;
    quotient.digits_[i / 32] |= uint32_t{1} << (i % 32);
  }
  quotient = BigInteger(a.negative_ != b.negative_, std::move(quotient.digits_));
  if (a.negative_) remainder = -remainder;
  if (!remainder.zero() && a.negative_ != b.negative_) return {quotient - BigInteger(1), remainder + b};
  return {quotient, remainder};
}

double BigInteger::true_divide(const BigInteger& a, const BigInteger& b) {
  // The quotient gets so many bits more than a double that one bit for the rest decides the rounding.
  const size_t shift = a.bits() < b.bits() + 66 ? b.bits() + 66 - a.bits() : 0;
  auto [quotient, remainder] =
      floor_divide(BigInteger(false, a.digits_).shifted_left(shift), BigInteger(false, b.digits_));
  if (!remainder.zero()) quotient = quotient | BigInteger(1);
  const double value = std::ldexp(quotient.to_double(), -static_cast<int>(shift));
  return a.negative_ != b.negative_ ? -value : value;
}

BigInteger BigInteger::shifted_left(size_t by) const {
  Digits result(by / 32);
  uint64_t carry = 0;
  for (uint32_t digit : digits_) {
    carry |= uint64_t{digit} << (by % 32);
    result.push_back(static_cast<uint32_t>(carry));
    carry >>= 32;
  }
  result.push_back(static_cast<uint32_t>(carry));
  return {negative_, std::move(result)};
}

BigInteger BigInteger::shifted_right(size_t by) const {
  Digits result;
  for (size_t i = by / 32; i < digits_.size(); ++i) {
    const uint64_t pair = digits_[i] | (i + 1 < digits_.size() ? uint64_t{digits_[i + 1]} << 32 : 0);
    result.push_back(static_cast<uint32_t>(pair >> (by % 32)));
  }
  BigInteger shifted(negative_, std::move(result));
  const bool exact = shifted.shifted_left(by) == *this;
  return negative_ && !exact ? shifted - BigInteger(1) : shifted;
}

template <class Op>
BigInteger BigInteger::bitwise(const BigInteger& a, const BigInteger& b, Op op) {
  const size_t size = std::max(a.digits_.size(), b.digits_.size()) + 1;
  // Two's complement: the bits of -x are those of x - 1, turned over.
  auto complement = [&](const BigInteger& x) {
    Digits digits = x.negative_ ? (x + BigInteger(1)).digits_ : x.digits_;
    digits.resize(size);
    for (uint32_t& digit : digits) digit = x.negative_ ? ~digit : digit;
    return digits;
  };
  Digits left = complement(a);
  const Digits right = complement(b);
  for (size_t i = 0; i < size; ++i) left[i] = op(left[i], right[i]);
  if (left.back() >> 31 == 0) return {false, std::move(left)};
  for (uint32_t& digit : left) digit = ~digit;
  return -(BigInteger(false, std::move(left)) + BigInteger(1));
}

BigInteger operator&(const BigInteger& a, const BigInteger& b) {
  return BigInteger::bitwise(a, b, [](uint32_t x, uint32_t y) { return x & y; });
}
BigInteger operator|(const BigInteger& a, const BigInteger& b) {
  return BigInteger::bitwise(a, b, [](uint32_t x, uint32_t y) { return x | y; });
}
BigInteger operator^(const BigInteger& a, const BigInteger& b) {
  return BigInteger::bitwise(a, b, [](uint32_t x, uint32_t y) { return x ^ y; });
}

}  // namespace qd::frontend
