// Shared shape of XML, JSON and LCOV: files that are rendered on their own, sums over them, and a walk over the lines
// of one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "report/engine/file_analyzer.h"

namespace qd::report {

/// Rendered file, independent of the other files.
struct RenderedFile {
  const ReportedFile* file = nullptr;
  Numbers numbers;
  ConditionNumbers conditions;
  GradientNumbers gradients;
  std::string text;

  RenderedFile() = default;
  explicit RenderedFile(const AnalyzedFile& analyzed)
      : file(analyzed.file),
        numbers(analyzed.analysis.numbers),
        conditions(analyzed.analysis.conditions.numbers()),
        gradients(analyzed.analysis.gradients.numbers()) {}
};

/// Sums over the files of a report.
struct ReportTotal {
  Numbers numbers;
  ConditionNumbers conditions;
  GradientNumbers gradients;

  void add(const RenderedFile& file) {
    numbers += file.numbers;
    conditions += file.conditions;
    gradients += file.gradients;
  }
};

/// Statement with its branches.
struct ReportedLine {
  int32_t line;
  int64_t hits;                                       // 0 or 1 where no other tool counted
  const std::array<int32_t, 2>* branches = nullptr;   // exits, and taken ones; null: no branch
  const std::vector<int32_t>* never_taken = nullptr;  // destinations; null: none
};

/// Largest count in reports: other tools read signed integers.
constexpr int64_t most_hits(uint64_t hits) {
  return static_cast<int64_t>(std::min<uint64_t>(hits, std::numeric_limits<int64_t>::max()));
}

/// Calls `use` for each statement, in order.
template <typename Use>
void walk_lines(const Analysis& analysis, const Use& use) {
  auto missing = analysis.missing.begin();
  auto stats = analysis.branch_stats.begin();
  auto never_taken = analysis.missing_branches.begin();
  auto at = [](auto& entry, auto end, int32_t line) {  // both are sorted by line
    while (entry != end && entry->first < line) ++entry;
    return entry != end && entry->first == line ? &entry->second : nullptr;
  };
  for (int32_t line : analysis.source.statements) {
    const bool is_missing = missing != analysis.missing.end() && *missing == line;
    if (is_missing) ++missing;
    const int64_t hits = is_missing ? 0 : analysis.imported ? most_hits(analysis.imported->hits(line)) : 1;
    use(ReportedLine{line, hits, at(stats, analysis.branch_stats.end(), line),
                     at(never_taken, analysis.missing_branches.end(), line)});
  }
}

}  // namespace qd::report
