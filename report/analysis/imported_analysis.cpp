// The analysis of a file that another tool measured: its lines are the statements.
#include <algorithm>
#include <numeric>

#include "report/analysis/analysis.h"

namespace qd::report {

namespace {

/// Each line stands for itself: the input has numbers of physical lines, or of what it takes for the line of a statement.
std::vector<int32_t> each_for_itself(int32_t n_lines) {
  std::vector<int32_t> lines(static_cast<size_t>(n_lines) + 1);
  std::iota(lines.begin(), lines.end(), 0);
  return lines;
}

}  // namespace

Analysis analyze_imported(const std::string& path, const std::string& relative, std::shared_ptr<const ImportedFile> imported, int32_t n_lines) {
  Analysis result;
  result.path = path;
  result.relative = relative;
  result.has_arcs = !imported->branches.empty();
  result.source.n_lines = n_lines;
  result.source.first_line = result.source.last_line = each_for_itself(n_lines);
  for (const ImportedLine& line : imported->lines) {
    result.source.statements.push_back(line.line);
    (line.hits > 0 ? result.executed : result.missing).push_back(line.line);
  }
  for (const ImportedBranch& branch : imported->branches) {
    std::vector<int32_t>& stats = result.branch_stats.try_emplace(branch.line, std::vector<int32_t>{0, 0}).first->second;
    ++stats[0];
    if (branch.was_taken()) ++stats[1];
  }
  Numbers& numbers = result.numbers;
  numbers.n_files = 1;
  numbers.n_statements = static_cast<int32_t>(result.source.statements.size());
  numbers.n_missing = static_cast<int32_t>(result.missing.size());
  for (const auto& [line, stats] : result.branch_stats) {
    result.source.exit_counts[line] = stats[0];
    numbers.n_branches += stats[0];
    numbers.n_missing_branches += stats[0] - stats[1];
    if (stats[1] < stats[0] && !std::binary_search(result.missing.begin(), result.missing.end(), line)) ++numbers.n_partial_branches;
  }
  result.imported = std::move(imported);
  return result;
}

}  // namespace qd::report
