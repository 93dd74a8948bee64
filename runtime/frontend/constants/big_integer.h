// Integers of any size, as in Python, for the constants of kernels that do not fit 64 bits.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace qd::frontend {

/// A big integer. Operators have Python's meaning: division rounds down, and bits of negative numbers go on with ones.
class BigInteger {
 public:
  BigInteger() = default;
  explicit BigInteger(int64_t value);
  static BigInteger of_unsigned(uint64_t value);
  /// The whole part of a finite number.
  static BigInteger of_double(double value);
  /// A literal of Python, with a sign before it or without. Nothing when it is none.
  static std::optional<BigInteger> parse(std::string_view text);

  bool negative() const { return negative_; }
  bool zero() const { return digits_.empty(); }
  /// Number of bits of the magnitude.
  size_t bits() const;
  /// The number in 64 bits, when it fits those.
  std::optional<int64_t> small() const;
  /// The lowest 64 bits, of negative numbers those of the two's complement.
  uint64_t low_bits() const;
  /// The nearest double, of two the even one; infinity when it is larger than all.
  double to_double() const;
  std::string text() const;

  std::strong_ordering operator<=>(const BigInteger& other) const;
  bool operator==(const BigInteger& other) const = default;
  BigInteger operator-() const;
  friend BigInteger operator+(const BigInteger& a, const BigInteger& b);
  friend BigInteger operator-(const BigInteger& a, const BigInteger& b);
  friend BigInteger operator*(const BigInteger& a, const BigInteger& b);
  /// Quotient and remainder, the remainder with the sign of `b`, which is not 0.
  static std::pair<BigInteger, BigInteger> floor_divide(const BigInteger& a, const BigInteger& b);
  /// a / b as the nearest double; `b` is not 0.
  static double true_divide(const BigInteger& a, const BigInteger& b);
  BigInteger shifted_left(size_t by) const;
  BigInteger shifted_right(size_t by) const;
  friend BigInteger operator&(const BigInteger& a, const BigInteger& b);
  friend BigInteger operator|(const BigInteger& a, const BigInteger& b);
  friend BigInteger operator^(const BigInteger& a, const BigInteger& b);

 private:
  using Digits = std::vector<uint32_t>;  // the lowest first, none of them a leading zero
  BigInteger(bool negative, Digits digits);
  static std::strong_ordering compare(const Digits& a, const Digits& b);
  static Digits sum(const Digits& a, const Digits& b);
  static Digits difference(const Digits& a, const Digits& b);
  template <class Op>
  static BigInteger bitwise(const BigInteger& a, const BigInteger& b, Op op);

  bool negative_ = false;
  Digits digits_;
};

}  // namespace qd::frontend
