// Rows of regions: numbers of functions and classes, which are chosen as in coverage.py.
#include "report/formats/html/html_regions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/analysis/analysis_parts.h"
#include "report/formats/common/text.h"
#include "report/formats/html/page_data.h"

namespace qd::report {

std::string index_numbers(const Numbers& n, const GradientNumbers* gradients, const ConditionNumbers* conditions) {
  std::string result = fmt::format("{},{},{},{},{},{}", n.n_statements, n.n_missing, n.n_excluded, n.n_branches,
                                   n.n_partial_branches, n.n_missing_branches);
  if (gradients) result += fmt::format(",{},{}", gradients->n_differentiated(), gradients->n_lines);
  if (conditions)
    result += fmt::format(",{},{},{},{}", conditions->n_seen_outcomes(), conditions->n_outcomes,
                          conditions->n_shown_mcdc(), conditions->n_mcdc);
  return result;
}

namespace {

bool within(int32_t line, const LineRanges& ranges) {
  return std::ranges::any_of(ranges, [line](const LineRange& r) { return r.first <= line && line <= r.second; });
}

ConditionNumbers conditions_within(const FileConditions& conditions, const LineRanges& ranges) {
  ConditionNumbers result;
  for (const DecisionCoverage& decision : conditions.decisions)
    if (within(decision.source.line, ranges)) result += condition_numbers(decision);
  return result;
}

}  // namespace

GradientNumbers gradients_within(const FileGradients& gradients, const LineRanges& ranges) {
  auto count = [&](const std::vector<int32_t>& lines) {
    return static_cast<int32_t>(std::ranges::count_if(lines, [&](int32_t line) { return within(line, ranges); }));
  };
  return {count(gradients.lines), count(gradients.missing)};
}

RegionRows region_rows(const Analysis& analysis, const std::vector<ArchCoverage>& archs, CodeRegion::Kind kind,
                       const RegionChoice& choice) {
  RegionRows result;
  AnalysisParts parts(analysis);
  ArchCounter counter(archs);
  AnalysisPart part;
  auto add = [&](const std::string& name, int32_t start, const LineRanges& lines) {
    parts.cut(lines, part);
    const Numbers& n = part.numbers;
    result.total += n;
    ConditionNumbers conditions;
    if (choice.conditions) conditions = conditions_within(analysis.conditions, lines);
    result.condition_total += conditions;
    GradientNumbers gradients;
    if (choice.gradients) gradients = gradients_within(analysis.gradients, lines);
    result.gradient_total += gradients;
    const ArchNumbers of_archs = counter.count(lines, n);
    result.arch_total += of_archs;
    bool covered = n.n_missing == 0 && n.n_partial_branches == 0 && is_covered(conditions) && gradients.n_missing == 0;
    if (choice.skip_covered && covered) {
      ++result.skipped_covered;
    } else if (choice.skip_empty && n.n_statements == 0) {
      ++result.skipped_empty;
    } else {
      result.rows += result.rows.empty() ? "[" : ",[";
      append_script_json(result.rows, displayed(name));
      result.rows += fmt::format(
          ",{},{}{}]", start,
          index_numbers(n, choice.gradients ? &gradients : nullptr, choice.conditions ? &conditions : nullptr),
          of_archs.differ_from(n) ? of_archs.json() : "");
    }
  };
  LineRanges inside;
  for (const CodeRegion& region : analysis.source.regions) {
    if (region.kind != kind) continue;
    LineRanges lines = ranges_of(region.lines);
    add(region.name, region.start, lines);
    inside.insert(inside.end(), lines.begin(), lines.end());
  }
  add("", 0, ranges_outside(std::move(inside), analysis.source.n_lines));
  return result;
}

}  // namespace qd::report
