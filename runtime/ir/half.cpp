// Conversions between f16 and double on their bits, because not all compilers of the host have an f16 type.
#include "runtime/ir/half.h"

#include <cmath>
#include <limits>

namespace qd::ir {
namespace {

constexpr int kFractionBits = 10;
constexpr int kBias = 15;
constexpr uint16_t kInfinity = 0x7c00;
constexpr uint16_t kNan = 0x7e00;
constexpr double kSmallestNormal = 0x1p-14;
constexpr double kTooLarge = 65520;  // half way from the largest number to the next power of two

}  // namespace

uint16_t half_from_double(double value) {
  const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return sign | kNan;
  if (magnitude >= kTooLarge) return sign | kInfinity;
  // Both scalings are exact, and nearbyint rounds. A carry goes to the exponent, as it should.
  if (magnitude < kSmallestNormal)
    return sign | static_cast<uint16_t>(std::nearbyint(std::ldexp(magnitude, kBias - 1 + kFractionBits)));
  const int exponent = std::ilogb(magnitude);
  const int fraction =
      static_cast<int>(std::nearbyint(std::ldexp(magnitude, kFractionBits - exponent))) - (1 << kFractionBits);
  return sign | static_cast<uint16_t>(((exponent + kBias) << kFractionBits) + fraction);
}

double double_from_half(uint16_t bits) {
  const int exponent = (bits & kInfinity) >> kFractionBits;
  const int fraction = bits & ((1 << kFractionBits) - 1);
  double magnitude = 0;
  if (exponent == kInfinity >> kFractionBits) {
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, 1 - kBias - kFractionBits);
  } else {
    magnitude = std::ldexp(fraction + (1 << kFractionBits), exponent - kBias - kFractionBits);
  }
  return bits & 0x8000 ? -magnitude : magnitude;
}

}  // namespace qd::ir
