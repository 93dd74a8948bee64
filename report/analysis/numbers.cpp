// Numbers of coverage: sums over files, and percentages.
#include "report/analysis/numbers.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "report/analysis/analysis.h"

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

}  // namespace

std::string display_covered(double pc, int precision) {
  if (precision < 0) throw std::runtime_error(fmt::format("precision={} is invalid. Must not be negative.", precision));
  double near_zero = 1.0 / std::pow(10.0, precision);
  if (pc > 0 && pc < near_zero) return fixed(near_zero, precision);
  if (pc > 100.0 - near_zero && pc < 100) return fixed(100.0 - near_zero, precision);
  return fixed(pc, precision);
}

bool should_fail_under(double total, double fail_under, int precision) {
  if (!(fail_under >= 0 && fail_under <= 100)) {
    std::string shown = fmt::format("{}", fail_under);
    if (shown.find_first_not_of("-0123456789") == std::string::npos) shown += ".0";
    throw std::runtime_error(fmt::format("fail_under={} is invalid. Must be between 0 and 100.", shown));
  }
  if (fail_under == 100 && total != 100) return true;
  return rounded(total, threshold_precision(fail_under, precision)) < fail_under;
}

std::string fail_under_message(double total, double fail_under, int precision) {
  precision = threshold_precision(fail_under, precision);
  std::string shown = fail_under == 100 && total != 100 ? display_covered(total, precision) : fixed(total, precision);
  return fmt::format("total of {} is less than fail-under={}", shown, fixed(fail_under, precision));
}

double Numbers::pc_covered() const {
  int64_t of = int64_t{n_statements} + n_branches;
  int64_t covered = int64_t{n_executed()} + n_executed_branches();
  return of > 0 ? 100.0 * static_cast<double>(covered) / static_cast<double>(of) : 100.0;
}

std::string Numbers::pc_covered_str(int precision) const { return display_covered(pc_covered(), precision); }

Numbers& Numbers::operator+=(const Numbers& other) {
  n_files += other.n_files;
  n_statements += other.n_statements;
  n_excluded += other.n_excluded;
  n_missing += other.n_missing;
  n_branches += other.n_branches;
  n_partial_branches += other.n_partial_branches;
  n_missing_branches += other.n_missing_branches;
  return *this;
}

}  // namespace qd::report
