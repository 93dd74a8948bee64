// Argument reduction: the angle less the nearest multiple of pi / 2. Usually three products with the parts of pi / 2
// do, each rounded once with the difference (Cody and Waite). A large angle is multiplied with 2 / pi instead, of which
// the digits are taken that matter for its exponent (Payne and Hanek).
#include "runtime/mathematics/reduction.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "runtime/mathematics/notation.h"

namespace qd::mathematics {
namespace {

using ir::Type;

constexpr double kHalfPi = 0x1.921fb54442d18p0, kHalfPiLow = 0x1.1a62633145c07p-54;

/// The digits of 2 / pi behind the point, 64 in each word.
constexpr std::array<uint64_t, 20> kDigits = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
    0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
    0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d};

/// A part of 53 binary digits of 2 / pi * 2**shift, less its multiples of 4: the first 53 for part 0, and so on.
double digits(int shift, int part) {
  constexpr int kLength = 53;
  const int begin = shift - 2 + kLength * part;  // 2**1 is the first place
  uint64_t word = 0;
  for (int place = begin; place < begin + kLength; place++) {
    const bool digit = place >= 0 && (kDigits[static_cast<size_t>(place) / 64] >> (63 - place % 64) & 1);
    word = word * 2 + digit;
  }
  return std::ldexp(static_cast<double>(word), 2 - kLength * (part + 1));
}

/// Groups of the angles of a type that are too large for Cody and Waite, by their exponent. Each group has digits of
/// its own.
struct Groups {
  int first;  // the exponent field at which they begin
  int width;  // of a group, as a power of two
  int count;
};
constexpr Groups kSingles{134, 4, 8};
constexpr Groups kDoubles{1059, 3, 124};

/// The group, below 0 if an f32 is smaller than those of the first group.
Value group_of(Value x, const Groups& groups, int fraction) {
  const Value size = bits(abs(x));
  return (size - size.whole(int64_t{groups.first} << fraction)) >> (fraction + groups.width);
}

/// Reduces an f32: a product in f64 is long enough.
std::vector<Value> large_single(Value x) {
  Notation& n = x.notation();
  // Numbers of exponent field 150 and more are whole, so a multiple of 4 in the factor does not count.
  std::vector<double> high, low;
  for (int group = 0; group < kSingles.count; group++) {
    const int shift = 16 * (group - 1);
    high.push_back(std::ldexp(digits(shift, 0), -shift));
    low.push_back(std::ldexp(digits(shift, 1), -shift));
  }
  const Value group = group_of(x, kSingles, 23);
  const Value factor = n.pick(group, Type::F64, high);
  const Value factor_low = n.pick(group, Type::F64, low);
  const Value wide = convert(Type::F64, x);
  const Value sum = fma(wide, factor, 0x1.8p52);
  const Value turns = sum - 0x1.8p52;
  const Value part = fma(wide, factor_low, fma(wide, factor, -turns));
  const Value angle = part * kHalfPi;
  const Value rest = convert(Type::F32, angle);
  return {convert(Type::I32, bits(sum)), rest, convert(Type::F32, angle - convert(Type::F64, rest))};
}

/// Computes a + b exactly.
Pair exact_sum(Value a, Value b) {
  const Value high = a + b;
  const Value b_there = high - a;
  return {high, (a - (high - b_there)) + (b - b_there)};
}

/// Reduces an f64: products as pairs. The angle is brought to [2**52, 2**60) together with the digits of its group.
std::vector<Value> large_double(Value x) {
  Notation& n = x.notation();
  std::vector<double> tables[4];
  for (int group = 0; group < kDoubles.count; group++) {
    for (int part = 0; part < 4; part++) tables[part].push_back(digits(8 * (group - 2), part));
  }
  const Value group = group_of(x, kDoubles, 52);
  const Value infinite_is_nan = x - x;
  const Value scaled = from_bits(bits(x) - (group << 55) + group.whole(int64_t{16} << 52)) + infinite_is_nan;
  auto digits_of = [&](int part) { return n.pick(group, Type::F64, tables[part]); };
  const Value first = digits_of(0), second = digits_of(1), third = digits_of(2);
  const Value product = scaled * first;
  const Value product_low = fma(scaled, first, -product);
  const Value next = scaled * second;
  const Value next_low = fma(scaled, second, -next);
  const Value beyond_four = fma(rint(product * 0.25), -4.0, product);
  const Pair both = exact_sum(product_low, next);
  const Value turns = rint(beyond_four + both.high);
  const Pair part = exact_sum(beyond_four - turns, both.high);
  const Value tail = (part.low + both.low) + fma(scaled, third, next_low);
  const Value high = part.high + tail;
  const Value low = (part.high - high) + tail;
  // If that is nearly a whole number, the digits that are left need a fourth part.
  const std::vector<Value> precise = n.rarely(abs(high) < 0x1p-35, {high, low}, [&] {
    const Value last = scaled * third;
    const Value last_low = fma(scaled, digits_of(3), fma(scaled, third, -last));
    const Pair b = exact_sum(part.high, both.low);
    const Pair c = exact_sum(b.high, next_low);
    const Pair d = exact_sum(c.high, last);
    const Value left = part.low + b.low + c.low + d.low + last_low;
    const Value nearest = d.high + left;
    return std::vector<Value>{nearest, (d.high - nearest) + left};
  });
  const Value rest = precise[0] * kHalfPi;
  const Value rest_low = fma(precise[0], kHalfPiLow, fma(precise[0], kHalfPi, -rest));
  return {bits(turns + 0x1.8p52), rest, fma(precise[1], kHalfPi, rest_low)};
}

std::vector<Value> nearest_multiple(Value x, double large) {
  const bool wide = is_double(x);
  const double rounder = wide ? 0x1.8p52 : 0x1.8p23;
  const double two_over_pi = wide ? 0x1.45f306dc9c883p-1 : 0x1.45f306p-1;
  const double parts[] = {wide ? kHalfPi : 0x1.921fb6p0, wide ? kHalfPiLow : -0x1.777a5cp-25,
                          wide ? -0x1.f1976b7ed8fbcp-110 : -0x1.ee59dap-50};
  const Value sum = fma(x, two_over_pi, rounder);
  const Value turns = sum - rounder;
  const Value first = fma(-turns, parts[0], x);
  const Value second = turns * parts[1];
  const Value second_low = fma(turns, parts[1], -second);
  const Value rest = first - second;
  const Value low = fma(-turns, parts[2], ((first - rest) - second) - second_low);
  return x.notation().rarely(abs(x) > large, {bits(sum), rest, low},
                             [&] { return wide ? large_double(x) : large_single(x); });
}

/// Result of nearest_multiple. Alone, a small angle does not wait for it: its multiple is 0.
std::vector<Value> reduced(Value x, double large) {
  if (!x.notation().alone()) return nearest_multiple(x, large);
  const std::vector<Value> small{bits(x.same(is_double(x) ? 0x1.8p52 : 0x1.8p23)), x, x.same(0.0)};
  return x.notation().rarely(abs(x) > 0.78, small, [&] { return nearest_multiple(x, large); });
}

}  // namespace

Reduced reduce(Value x, double large_single) {
  const std::vector<Value> found = reduced(x, is_double(x) ? 0x1p36 : large_single);
  return {found[0], found[1], found[2]};
}

}  // namespace qd::mathematics
