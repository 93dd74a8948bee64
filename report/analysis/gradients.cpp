// Joins the lines of derivatives with the statements of a source.
#include "report/analysis/gradients.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "report/analysis/analysis.h"

namespace qd::report {

GradientNumbers& GradientNumbers::operator+=(const GradientNumbers& other) {
  n_lines += other.n_lines;
  n_missing += other.n_missing;
  return *this;
}

GradientNumbers FileGradients::numbers() const {
  return {static_cast<int32_t>(lines.size()), static_cast<int32_t>(missing.size())};
}

FileGradients FileGradients::only(const std::vector<int32_t>& statements) const {
  FileGradients result;
  std::ranges::set_intersection(lines, statements, std::back_inserter(result.lines));
  std::ranges::set_intersection(missing, statements, std::back_inserter(result.missing));
  result.n_stale = n_stale;
  return result;
}

FileGradients gradient_coverage(const Analysis& analysis, const FileData& data) {
  FileGradients result;
  const auto found = data.results.find(kDerivatives);
  if (found == data.results.end()) return result;
  const SourceAnalysis& source = analysis.source;
  std::set<int32_t> recorded, computed;
  for (const auto& [range, measured] : found->second) {
    const int32_t line = range.line >= 1 && range.line <= source.n_lines ? source.logical_line(range.line) : 0;
    if (!std::ranges::binary_search(source.statements, line)) {
      if (!std::ranges::binary_search(source.excluded, line)) ++result.n_stale;
      continue;
    }
    recorded.insert(line);
    if (std::ranges::any_of(measured.values, [](const auto& value) { return value.second != 0; }))
      computed.insert(line);
  }
  std::ranges::set_intersection(recorded, analysis.executed, std::back_inserter(result.lines));
  std::ranges::set_difference(result.lines, computed, std::back_inserter(result.missing));
  return result;
}

bool has_gradients(const CoverageData& data) {
  return std::ranges::any_of(data.files, [](const auto& file) { return file.second.results.contains(kDerivatives); });
}

}  // namespace qd::report
