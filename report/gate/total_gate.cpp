// Total gate, as coverage.py's should_fail_under() decides. The only threshold that is a double: 49.6 reaches 50 at a
// precision of 0, and 99.6 does not reach 100.
#include "report/gate/total_gate.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "report/analysis/numbers.h"

namespace qd::report {

namespace {

std::string fixed(double value, int precision) { return fmt::format("{:.{}f}", value, precision); }

/// Python's round(): to tens, hundreds, ... for a negative precision.
double rounded(double value, int precision) {
  if (precision >= 0) return std::strtod(fixed(value, precision).c_str(), nullptr);
  double unit = std::pow(10.0, -precision);
  return std::nearbyint(value / unit) * unit;
}

/// Number of decimals that the threshold is written with, or `precision` if that is larger.
int threshold_precision(double fail_under, int precision) {
  char text[400];
  auto end = std::to_chars(text, text + sizeof text, fail_under, std::chars_format::fixed).ptr;
  size_t dot = std::string_view(text, static_cast<size_t>(end - text)).find('.');
  return dot == std::string_view::npos
             ? precision
             : std::max(precision, static_cast<int>(end - text - static_cast<std::ptrdiff_t>(dot)) - 1);
}

void check_percentage(double fail_under) {
  if (fail_under >= 0 && fail_under <= 100) return;
  std::string shown = fmt::format("{}", fail_under);
  if (shown.find_first_not_of("-0123456789") == std::string::npos) shown += ".0";
  throw std::runtime_error(fmt::format("fail_under={} is invalid. Must be between 0 and 100.", shown));
}

}  // namespace

std::string total_below(double percent, double fail_under, int precision) {
  check_percentage(fail_under);
  precision = threshold_precision(fail_under, precision);
  const bool not_all = fail_under == 100 && percent != 100;
  if (!not_all && rounded(percent, precision) >= fail_under) return "";
  return fmt::format("total of {} is less than fail-under={}",
                     not_all ? display_covered(percent, precision) : fixed(percent, precision),
                     fixed(fail_under, precision));
}

}  // namespace qd::report
