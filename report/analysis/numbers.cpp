// Numbers of coverage: sums over files, percentages, and shares of branches.
#include "report/analysis/numbers.h"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "report/analysis/analysis.h"

namespace qd::report {

namespace {

std::string fixed(double value, int precision) { return fmt::format("{:.{}f}", value, precision); }

}  // namespace

std::string display_covered(double pc, int precision) {
  if (precision < 0) throw std::runtime_error(fmt::format("precision={} is invalid. Must not be negative.", precision));
  double near_zero = 1.0 / std::pow(10.0, precision);
  if (pc > 0 && pc < near_zero) return fixed(near_zero, precision);
  if (pc > 100.0 - near_zero && pc < 100) return fixed(100.0 - near_zero, precision);
  return fixed(pc, precision);
}

std::string share_of_branches(int64_t n, int64_t total) {
  return fmt::format("{} of {} {}", n, total, total == 1 ? "branch" : "branches");
}

double Numbers::pc_covered() const {
  int64_t of = int64_t{n_statements} + n_branches;
  int64_t covered = int64_t{n_executed()} + n_executed_branches();
  return of > 0 ? 100.0 * static_cast<double>(covered) / static_cast<double>(of) : 100.0;
}

double Numbers::pc_total() const { return n_statements == 0 ? 0 : pc_covered(); }

std::string Numbers::pc_covered_str(int precision) const { return display_covered(pc_covered(), precision); }

Numbers& Numbers::operator+=(const Numbers& other) {
  n_files += other.n_files;
  n_statements += other.n_statements;
  n_excluded += other.n_excluded;
  n_missing += other.n_missing;
  n_branches += other.n_branches;
  n_partial_branches += other.n_partial_branches;
  n_missing_branches += other.n_missing_branches;
  n_unknown_branches += other.n_unknown_branches;
  return *this;
}

}  // namespace qd::report
