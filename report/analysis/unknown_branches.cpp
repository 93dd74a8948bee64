// Unknown branches: their sums, and a sentence about them.
#include "report/analysis/unknown_branches.h"

#include <fmt/core.h>

#include "report/data/version_notes.h"

namespace qd::report {

void UnknownBranches::add(const std::string& file, const Numbers& numbers) {
  n_covered += int64_t{numbers.n_executed()} + numbers.n_executed_branches();
  n_all += int64_t{numbers.n_statements} + numbers.n_branches;
  if (numbers.n_unknown_branches == 0) return;
  n += numbers.n_unknown_branches;
  files.push_back(file);
}

std::string UnknownBranches::note() const {
  if (n == 0) return "";
  return fmt::format(
      "{} of kernels in {} {} unknown, and not counted: Quadrants measured the lines of these kernels alone.",
      n == 1 ? "1 branch" : fmt::format("{} branches", n), first_of(files), n == 1 ? "is" : "are");
}

double UnknownBranches::lowest_percent() const {
  return n_all + n == 0 ? 100.0 : 100.0 * static_cast<double>(n_covered) / static_cast<double>(n_all + n);
}

}  // namespace qd::report
