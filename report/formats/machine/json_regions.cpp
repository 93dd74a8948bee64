// Regions in the JSON report: the functions and classes of a file, or a plugin's kinds in their place. A region has the
// same keys as a file and start_line, but no regions; all of them are of its lines alone. The region named "" has the
// lines outside of all others.
#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "report/formats/common/python_lines.h"
#include "report/formats/machine/json_report.h"

namespace qd::report {

namespace {

int32_t count_python_lines(std::string_view text) {
  int32_t n = 0;
  for (; !text.empty(); ++n) take_python_line(text);
  return n;
}

/// Regions by kind: "functions", "classes", or a plugin's names.
std::vector<std::pair<std::string, std::vector<const CodeRegion*>>> regions_by_kind(const Analysis& analysis) {
  std::vector<std::pair<std::string, std::vector<const CodeRegion*>>> result;
  if (analysis.plugin) {
    for (const auto& [noun, plural] : analysis.plugin->region_kinds) {
      result.emplace_back(plural, std::vector<const CodeRegion*>());
      for (const auto& [kind, region] : analysis.plugin->regions)
        if (kind == noun) result.back().second.push_back(&region);
    }
    return result;
  }
  result = {{"functions", {}}, {"classes", {}}};
  for (const CodeRegion& region : analysis.source.regions)
    result[region.kind == CodeRegion::Kind::Function ? 0 : 1].second.push_back(&region);
  return result;
}

}  // namespace

void JsonReport::write_regions(PythonJson& json, const LineContexts& ran, const AnalyzedFile& analyzed,
                               const AnalysisParts& parts) const {
  for (const auto& [name, regions] : regions_by_kind(analyzed.analysis)) {
    json.quoted_key(python_json_string(name));
    json.open('{');
    write_kind(json, ran, analyzed, parts, regions);
    json.close('}');
  }
}

void JsonReport::write_region(PythonJson& json, const LineContexts& ran, const LineRanges& ranges,
                              const AnalysisPart& part, int32_t start) const {
  json.open('{');
  write_lines(json, part);
  json.entry("start_line", int64_t{start});
  write_contexts(json, ran, ranges);
  write_branches(json, part);
  json.close('}');
}

void JsonReport::write_kind(PythonJson& json, const LineContexts& ran, const AnalyzedFile& analyzed,
                            const AnalysisParts& parts, const std::vector<const CodeRegion*>& regions) const {
  const SourceAnalysis& source = analyzed.analysis.source;
  struct RegionLines {
    const CodeRegion* region;
    LineRanges ranges;
    bool has_statements;
  };
  std::vector<RegionLines> all;
  LineRanges inside;
  std::set<std::string_view> names, written;
  for (const CodeRegion* region : regions) {
    LineRanges ranges = ranges_of(region->lines);
    bool has_statements = parts.count_statements(ranges) > 0;
    if (has_statements) names.insert(region->name);
    inside.insert(inside.end(), ranges.begin(), ranges.end());
    all.push_back({region, std::move(ranges), has_statements});
  }
  std::sort(all.begin(), all.end(), [](const RegionLines& a, const RegionLines& b) {
    return std::tie(a.region->start, a.region) < std::tie(b.region->start, b.region);
  });
  AnalysisPart part;
  for (const RegionLines& one : all) {
    const CodeRegion& region = *one.region;
    // The first of several regions with one name that has statements keeps the name.
    bool taken = written.contains(region.name) || (names.contains(region.name) && !one.has_statements);
    if (!taken) written.insert(region.name);
    json.quoted_key(python_json_string(taken ? fmt::format("{}@{}", region.name, region.start) : region.name));
    parts.cut(one.ranges, part);
    write_region(json, ran, one.ranges, part, region.start);
  }
  LineRanges outside =
      ranges_outside(std::move(inside), analyzed.analysis.plugin ? count_python_lines(analyzed.text) : source.n_lines);
  int32_t start = 1;
  if (!outside.empty())
    start = outside.front().first;
  else if (count_python_lines(analyzed.text) > source.n_lines)
    start = source.n_lines + 1;
  json.quoted_key("\"\"");
  parts.cut(outside, part);
  write_region(json, ran, outside, part, start);
}

}  // namespace qd::report
