// Parts of an analysis by line ranges. All its lists are sorted by line, so each range is a slice of each list.
#include "report/analysis/analysis_parts.h"

#include <algorithm>

namespace qd::report {

namespace {

int32_t line_of(int32_t line) { return line; }
int32_t line_of(const Arc& arc) { return arc.from; }

/// The items of sorted `items` whose lines are in the range.
template <typename Items, typename LineOf>
auto slice(const Items& items, LineRange range, LineOf line) {
  auto first =
      std::partition_point(items.begin(), items.end(), [&](const auto& item) { return line(item) < range.first; });
  auto last = std::partition_point(first, items.end(), [&](const auto& item) { return line(item) <= range.second; });
  return std::pair(first, last);
}

template <typename T>
void append_slice(const std::vector<T>& items, LineRange range, std::vector<T>& out) {
  auto [first, last] = slice(items, range, [](const T& item) { return line_of(item); });
  out.insert(out.end(), first, last);
}

}  // namespace

LineRanges ranges_of(const std::vector<int32_t>& lines) {
  LineRanges result;
  for (int32_t line : lines) {
    if (!result.empty() && result.back().second + 1 == line)
      result.back().second = line;
    else
      result.emplace_back(line, line);
  }
  return result;
}

LineRanges ranges_outside(LineRanges ranges, int32_t n_lines) {
  std::sort(ranges.begin(), ranges.end());
  LineRanges result;
  int32_t next = 1;
  for (auto [first, last] : ranges) {
    if (first > next) result.emplace_back(next, first - 1);
    next = std::max(next, last + 1);
  }
  if (next <= n_lines) result.emplace_back(next, n_lines);
  return result;
}

LineRanges common_ranges(const LineRanges& some, const LineRanges& others) {
  LineRanges result;
  for (auto a = some.begin(), b = others.begin(); a != some.end() && b != others.end();) {
    const int32_t first = std::max(a->first, b->first), last = std::min(a->second, b->second);
    if (first <= last) result.emplace_back(first, last);
    if (a->second < b->second)
      ++a;
    else
      ++b;
  }
  return result;
}

AnalysisParts::AnalysisParts(const Analysis& analysis)
    : analysis_(analysis), counts_alone_(analysis.source.arcs.empty()) {
  if (!analysis.has_arcs) return;
  for (const auto& [line, stats] : analysis.branch_stats) branch_lines_.push_back({line, stats[0], stats[1]});
  auto branch = branch_lines_.begin();
  auto executed = analysis.executed_arcs.begin();
  for (const Arc& arc : analysis.source.arcs) {
    while (branch != branch_lines_.end() && branch->line < arc.from) ++branch;
    if (branch == branch_lines_.end()) break;
    if (branch->line != arc.from) continue;
    while (executed != analysis.executed_arcs.end() && *executed < arc) ++executed;
    if (executed != analysis.executed_arcs.end() && *executed == arc)
      executed_branches_.push_back(arc);
    else if (!std::ranges::binary_search(analysis.source.no_branch, arc.from) &&
             !std::ranges::binary_search(analysis.unknown_branches, arc))
      open_branches_.push_back(arc);
  }
}

size_t AnalysisParts::count_statements(const LineRanges& ranges) const {
  size_t n = 0;
  for (LineRange range : ranges) {
    auto [first, last] = slice(analysis_.source.statements, range, [](int32_t line) { return line; });
    n += static_cast<size_t>(last - first);
  }
  return n;
}

void AnalysisParts::cut(const LineRanges& ranges, AnalysisPart& part) const {
  part.executed.clear();
  part.missing.clear();
  part.excluded.clear();
  part.executed_branches.clear();
  part.missing_branches.clear();
  part.numbers = Numbers{};
  Numbers& n = part.numbers;
  n.n_files = 1;
  for (LineRange range : ranges) {
    append_slice(analysis_.executed, range, part.executed);
    append_slice(analysis_.missing, range, part.missing);
    append_slice(analysis_.source.excluded, range, part.excluded);
    append_slice(executed_branches_, range, part.executed_branches);
    append_slice(open_branches_, range, part.missing_branches);
    auto [unknown, end] = slice(analysis_.unknown_branches, range, [](const Arc& arc) { return arc.from; });
    n.n_unknown_branches += static_cast<int32_t>(end - unknown);
    auto [first, last] = slice(branch_lines_, range, [](const BranchLine& branch) { return branch.line; });
    for (; first != last; ++first) {
      n.n_branches += first->exits;
      if (!counts_alone_) continue;
      n.n_missing_branches += first->exits - first->taken;
      if (!std::ranges::binary_search(analysis_.missing, first->line))
        n.n_partial_branches += first->exits - first->taken;
    }
  }
  // A branch to an excluded line does not count, as far as the part knows which lines are excluded.
  std::erase_if(part.missing_branches,
                [&](const Arc& arc) { return std::ranges::binary_search(part.excluded, arc.to); });
  n.n_missing = static_cast<int32_t>(part.missing.size());
  n.n_statements = n.n_missing + static_cast<int32_t>(part.executed.size());
  n.n_excluded = static_cast<int32_t>(part.excluded.size());
  if (counts_alone_) return;
  n.n_missing_branches = static_cast<int32_t>(part.missing_branches.size());
  n.n_partial_branches = static_cast<int32_t>(
      std::count_if(part.missing_branches.begin(), part.missing_branches.end(),
                    [&](const Arc& arc) { return !std::ranges::binary_search(part.missing, arc.from); }));
}

}  // namespace qd::report
