// The functions of libm with more digits than the result has, and distances in ulp.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "runtime/mathematics/mathematics.h"

namespace qd::mathematics::testing {

template <class Wide>
Wide exact(Function function, Wide x, Wide y) {
  switch (function) {
#define QD_FUNCTION(name, function, derivative) \
  case Function::name: return std::function(x);
#include "runtime/ir/operators.def"
    case Function::Exp2: return std::exp2(x);
    case Function::Atan2: return std::atan2(x, y);
    case Function::Pow: return std::pow(x, y);
  }
  return x;
}

/// Error of a result, in units of the last place that a T of the exact value's size has. Infinite when one is
/// NaN and the other is not, when zeros have different signs, or when one is infinite where the other is far from it.
template <class T, class Wide>
double distance(T got, Wide exact) {
  using Limits = std::numeric_limits<T>;
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (std::isnan(exact) || std::isnan(got)) return std::isnan(exact) && std::isnan(got) ? 0 : kWrong;
  const Wide size = std::abs(exact);
  if (std::signbit(got) != std::signbit(exact)) return kWrong;
  int exponent = size == 0 || std::isinf(size) ? Limits::min_exponent : std::ilogb(size) + 1;
  exponent = std::min(std::max(exponent, Limits::min_exponent), Limits::max_exponent);
  const Wide unit = std::ldexp(Wide(1), exponent - Limits::digits);
  // Infinity stands for the number that would follow the largest one.
  const Wide end = std::ldexp(Wide(1), Limits::max_exponent);
  const Wide value = std::isinf(got) ? end : std::abs(static_cast<Wide>(got));
  return static_cast<double>(std::abs(value - std::min(size, end)) / unit);
}

/// The error that the table of runtime/mathematics/README.md states, in units of the last place.
inline double stated_error(Function function, bool single) {
  switch (function) {
    case Function::Sin:
    case Function::Cos: return single ? 1.0 : 1.1;
    case Function::Tan: return single ? 1.8 : 2.3;
    case Function::Asin: return 1.4;
    case Function::Acos: return 1.2;
    case Function::Atan: return single ? 1.3 : 1.5;
    case Function::Sinh: return 1.7;
    case Function::Cosh: return 1.5;
    case Function::Tanh: return 1.4;
    case Function::Exp:
    case Function::Exp2: return single ? 1.1 : 1.2;
    case Function::Expm1: return single ? 1.2 : 1.4;
    case Function::Log: return 0.9;
    case Function::Log1p: return 1.0;
    case Function::Atan2: return 1.6;
    case Function::Pow: return single ? 0.6 : 1.0;
  }
  return 0;
}

}  // namespace qd::mathematics::testing
