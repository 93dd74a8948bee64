// Hunks: extends changed lines to ranges, and merges ranges that meet.
#include "report/formats/diff/hunks.h"

#include <algorithm>

namespace qd::report {
namespace {

std::vector<Hunk> around(const DiffFile& file, std::vector<int32_t> lines, int32_t context) {
  std::sort(lines.begin(), lines.end());
  std::vector<Hunk> result;
  int32_t n = file.source.n_lines();
  for (int32_t line : lines) {
    if (line < 1 || line > n) continue;
    Hunk hunk{std::max(1, line - context), std::min(n, line + context)};
    if (!result.empty() && hunk.first <= result.back().last + 1) {
      result.back().last = std::max(result.back().last, hunk.last);
    } else {
      result.push_back(hunk);
    }
  }
  return result;
}

// Largest statement, in lines, that is shown whole.
constexpr int32_t kLongStatement = 30;

std::vector<int32_t> shown_lines(const DiffFile& file, const std::vector<int32_t>& statements) {
  std::vector<int32_t> lines;
  for (int32_t first : statements)
    for (int32_t line = first; line <= file.source.n_lines() && line < first + kLongStatement &&
                               file.source.first_lines[static_cast<size_t>(line) - 1] == first;
         ++line)
      lines.push_back(line);
  return lines;
}

}  // namespace

std::vector<Hunk> hunks(const DiffFile& file, int32_t context) {
  std::vector<int32_t> lines = shown_lines(file, file.statements);
  lines.insert(lines.end(), file.changed.begin(), file.changed.end());
  std::vector<int32_t> lost = shown_lines(file, file.lost);
  lines.insert(lines.end(), lost.begin(), lost.end());
  return around(file, std::move(lines), context);
}

std::vector<Hunk> missing_hunks(const DiffFile& file, int32_t context, bool gradients) {
  std::vector<int32_t> statements = file.missing;
  for (const auto& [line, destinations] : file.missing_branches) statements.push_back(line);
  for (const auto& [line, count] : file.missing_counts) statements.push_back(line);
  statements.insert(statements.end(), file.lost.begin(), file.lost.end());
  for (const ArchGap& gap : file.arch_gaps) statements.insert(statements.end(), gap.lines.begin(), gap.lines.end());
  for (const DecisionCoverage& decision : file.decisions)
    if (!decision.complete()) statements.push_back(decision.source.line);
  const std::vector<int32_t>& never = file.gradients.missing;
  if (gradients) statements.insert(statements.end(), never.begin(), never.end());
  return around(file, shown_lines(file, statements), context);
}

LineFlags line_flags(const DiffFile& file) {
  size_t n = file.source.lines.size();
  LineFlags flags{std::vector<bool>(n, false), std::vector<bool>(n, false), std::vector<bool>(n, false)};
  for (int32_t line : file.changed)
    if (line >= 1 && static_cast<size_t>(line) <= n) flags.changed[static_cast<size_t>(line) - 1] = true;
  for (size_t i = 0; i < n; ++i) {
    flags.counted[i] = std::binary_search(file.statements.begin(), file.statements.end(), file.source.first_lines[i]);
    flags.lost[i] = std::binary_search(file.lost.begin(), file.lost.end(), file.source.first_lines[i]);
  }
  return flags;
}

}  // namespace qd::report
