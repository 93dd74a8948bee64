// Arguments at which a function has its largest errors.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace qd::mathematics::testing {

/// For tan: the odd multiples of pi / 4 that are a step apart, and the number on each side of them. A tangent just
/// beyond 1 gives a cotangent just below it, whose ulp is half as large, so an error counts twice.
template <class T>
T beside_odd_multiple_of_quarter_pi(size_t i, double step) {
  constexpr long double kQuarterPi = 0.785398163397448309615660845819875721L;
  const double multiple = 2 * std::floor(static_cast<double>(i / 3) * step) + 1;
  const auto nearest = static_cast<T>(multiple * kQuarterPi);
  if (i % 3 == 0) return nearest;
  return std::nextafter(nearest, i % 3 == 1 ? T(0) : std::numeric_limits<T>::infinity());
}

/// With this step, 4 * 2**16 of them go beyond 2**17 (f32: all there are) and 2**36 (f64), where large angles begin.
template <class T>
inline constexpr double kStepOfFew = std::is_same_v<T, float> ? 1 : 500671.3;

}  // namespace qd::mathematics::testing
