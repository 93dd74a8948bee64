// The layout of the report:
//
//   {"meta": {format, version, timestamp, branch_coverage, show_contexts},
//    "files": {NAME: {executed_lines, summary, missing_lines, excluded_lines, [contexts],
//                     [executed_branches, missing_branches],
//                     functions: {NAME: REGION}, classes: {NAME: REGION}}},
//    "totals": SUMMARY}
//
// A region has the same keys and start_line, but no regions; all of them are of its lines alone. The region named "" is
// what lies outside of all others.
#include "report/formats/machine/json_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>

#include "report/analysis/numbers.h"
#include "report/formats/common/python_lines.h"

namespace qd::report {

namespace {

constexpr int kFileDepth = 2;

double percentage(int64_t covered, int64_t of) {
  return of > 0 ? 100.0 * static_cast<double>(covered) / static_cast<double>(of) : 100.0;
}

void write_list(PythonJson& json, std::string_view name, const std::vector<int32_t>& numbers) {
  json.key(name);
  json.open('[');
  for (int32_t number : numbers) {
    json.item();
    json.number(number);
  }
  json.close(']');
}

void write_arcs(PythonJson& json, std::string_view name, const std::vector<Arc>& arcs) {
  json.key(name);
  json.open('[');
  for (const Arc& arc : arcs) {
    json.item();
    json.open('[');
    json.item();
    json.number(arc.from);
    json.item();
    json.number(arc.to);
    json.close(']');
  }
  json.close(']');
}

int32_t count_python_lines(std::string_view text) {
  int32_t n = 0;
  for (; !text.empty(); ++n) take_python_line(text);
  return n;
}

/// "functions", "classes", or what a plugin has names for.
std::vector<std::pair<std::string, std::vector<const Region*>>> regions_by_kind(const Analysis& analysis) {
  std::vector<std::pair<std::string, std::vector<const Region*>>> result;
  if (analysis.plugin) {
    for (const auto& [noun, plural] : analysis.plugin->region_kinds) {
      result.emplace_back(plural, std::vector<const Region*>());
      for (const auto& [kind, region] : analysis.plugin->regions)
        if (kind == noun) result.back().second.push_back(&region);
    }
    return result;
  }
  result = {{"functions", {}}, {"classes", {}}};
  for (const Region& region : analysis.source.regions)
    result[region.kind == Region::Kind::Function ? 0 : 1].second.push_back(&region);
  return result;
}

}  // namespace

JsonReport::JsonReport(const Config& config, const CoverageData& data, Out out, std::vector<std::string> archs)
    : config_(config),
      contexts_(data.contexts),
      branches_(data.has_branches()),
      out_(std::move(out)),
      json_(buffer_, config.json_pretty_print),
      context_ranks_(data.contexts.size()),
      archs_(std::move(archs)),
      total_archs_(archs_.size()) {
  if (config.precision < 0)
    throw ConfigError(fmt::format("precision={} is invalid. Must not be negative.", config.precision));
  quoted_hundred_ = "\"" + display_covered(100, config.precision) + "\"";
  std::vector<ContextId> order(data.contexts.size());
  std::iota(order.begin(), order.end(), ContextId{0});
  std::sort(order.begin(), order.end(), [&](ContextId a, ContextId b) { return data.contexts[a] < data.contexts[b]; });
  for (ContextId rank = 0; rank < order.size(); ++rank) {
    context_ranks_[order[rank]] = rank;
    quoted_contexts_.push_back(python_json_string(data.contexts[order[rank]]));
  }
}

void JsonReport::write_summary(PythonJson& json, const char* name, const Numbers& n) const {
  json.key(name);
  json.open('{');
  auto percent = [&](const char* exact_name, const char* display_name, double value) {
    json.entry(exact_name, value);
    json.key(display_name);
    if (value == 100)
      json.raw(quoted_hundred_);
    else
      json.raw("\"" + display_covered(value, config_.precision) + "\"");
  };
  json.entry("covered_lines", int64_t{n.n_executed()});
  json.entry("num_statements", int64_t{n.n_statements});
  percent("percent_covered", "percent_covered_display", n.pc_covered());
  json.entry("missing_lines", int64_t{n.n_missing});
  json.entry("excluded_lines", int64_t{n.n_excluded});
  percent("percent_statements_covered", "percent_statements_covered_display",
          percentage(n.n_executed(), n.n_statements));
  if (branches_) {
    json.entry("num_branches", int64_t{n.n_branches});
    json.entry("num_partial_branches", int64_t{n.n_partial_branches});
    json.entry("covered_branches", int64_t{n.n_executed_branches()});
    json.entry("missing_branches", int64_t{n.n_missing_branches});
    percent("percent_branches_covered", "percent_branches_covered_display",
            percentage(n.n_executed_branches(), n.n_branches));
  }
  json.close('}');
}

void JsonReport::write_lines(PythonJson& json, const AnalysisPart& part) const {
  write_list(json, "executed_lines", part.executed);
  write_summary(json, "summary", part.numbers);
  write_list(json, "missing_lines", part.missing);
  write_list(json, "excluded_lines", part.excluded);
}

void JsonReport::write_branches(PythonJson& json, const AnalysisPart& part) const {
  if (!branches_) return;
  write_arcs(json, "executed_branches", part.executed_branches);
  write_arcs(json, "missing_branches", part.missing_branches);
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

void JsonReport::write_regions(PythonJson& json, const LineContexts& ran, const AnalyzedFile& analyzed,
                               const AnalysisParts& parts, const std::vector<const Region*>& regions) const {
  const SourceAnalysis& source = analyzed.analysis.source;
  struct Place {
    const Region* region;
    LineRanges ranges;
    bool has_statements;
  };
  std::vector<Place> places;
  LineRanges inside;
  std::set<std::string_view> names, written;
  for (const Region* region : regions) {
    LineRanges ranges = ranges_of(region->lines);
    bool has_statements = parts.count_statements(ranges) > 0;
    if (has_statements) names.insert(region->name);
    inside.insert(inside.end(), ranges.begin(), ranges.end());
    places.push_back({region, std::move(ranges), has_statements});
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return std::tie(a.region->start, a.region) < std::tie(b.region->start, b.region);
  });
  AnalysisPart part;
  for (const Place& place : places) {
    const Region& region = *place.region;
    // Of several regions of one name the first that has statements keeps it.
    bool taken = written.contains(region.name) || (names.contains(region.name) && !place.has_statements);
    if (!taken) written.insert(region.name);
    json.quoted_key(python_json_string(taken ? fmt::format("{}@{}", region.name, region.start) : region.name));
    parts.cut(place.ranges, part);
    write_region(json, ran, place.ranges, part, region.start);
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

JsonReport::LineContexts JsonReport::contexts_by_line(const FileData& data) const {
  LineContexts ran;
  for (const auto& [context, lines] : data.lines)
    for (int32_t line : lines.lines()) ran.emplace_back(line, context_ranks_[context]);
  for (const auto& [context, arcs] : data.arcs)
    for (const Arc& arc : arcs) {
      if (arc.from > 0) ran.emplace_back(arc.from, context_ranks_[context]);
      if (arc.to > 0) ran.emplace_back(arc.to, context_ranks_[context]);
    }
  std::sort(ran.begin(), ran.end());
  ran.erase(std::unique(ran.begin(), ran.end()), ran.end());
  return ran;
}

void JsonReport::write_contexts(PythonJson& json, const LineContexts& ran, const LineRanges& ranges) const {
  if (!config_.json_show_contexts) return;
  json.key("contexts");
  json.open('{');
  for (auto [first, last] : ranges) {
    auto entry = std::lower_bound(ran.begin(), ran.end(), std::pair(first, ContextId{0}));
    while (entry != ran.end() && entry->first <= last) {
      const int32_t line = entry->first;
      json.key(std::to_string(line));
      json.open('[');
      for (; entry != ran.end() && entry->first == line; ++entry) {
        json.item();
        json.raw(quoted_contexts_[entry->second]);
      }
      json.close(']');
    }
  }
  json.close('}');
}

/// What each arch ran of the lines that it can run, and the statements of kernels that ran on one device and never on
/// another.
void JsonReport::write_archs(PythonJson& json, const std::vector<ArchCoverage>& archs, File& result) const {
  json.key("archs");
  json.open('{');
  for (const ArchCoverage& arch : archs) {
    AnalysisPart part = arch.part();
    result.archs.push_back(part.numbers);
    json.quoted_key(python_json_string(arch.arch));
    json.open('{');
    write_lines(json, part);
    write_branches(json, part);
    json.close('}');
  }
  json.close('}');
  json.key("arch_gaps");
  json.open('[');
  for (const ArchGap& gap : arch_gaps(archs)) {
    json.item();
    json.open('{');
    for (const auto& [name, devices] : {std::pair("on", &gap.on), std::pair("never", &gap.never)}) {
      json.key(name);
      json.open('[');
      for (const std::string& device : *devices) {
        json.item();
        json.raw(python_json_string(device));
      }
      json.close(']');
    }
    write_list(json, "lines", gap.lines);
    json.close('}');
  }
  json.close(']');
}

/// What coverage.py's format has no place for, in an object "qd_cov": conditions, what ran on each arch, and the
/// branches of an imported file, which are no pairs of lines.
void JsonReport::write_own(PythonJson& json, const AnalyzedFile& file, File& result) const {
  const bool has_branches = branches_ && file.analysis.imported;
  if (!config_.conditions && archs_.empty() && !has_branches) return;
  json.key("qd_cov");
  json.open('{');
  if (config_.conditions) write_json_conditions(json, result.conditions, &file.analysis.conditions.decisions);
  if (!archs_.empty()) write_archs(json, arch_coverage(file.analysis, *file.data, contexts_, archs_), result);
  if (has_branches) write_json_branches(json, file.analysis);
  json.close('}');
}

void JsonReport::write_own_totals() {
  if (!config_.conditions && archs_.empty()) return;
  json_.key("qd_cov");
  json_.open('{');
  if (config_.conditions) write_json_conditions(json_, total_conditions_, nullptr);
  if (!archs_.empty()) {
    json_.key("archs");
    json_.open('{');
    for (size_t i = 0; i < archs_.size(); ++i) {
      json_.quoted_key(python_json_string(archs_[i]));
      json_.open('{');
      write_summary(json_, "summary", total_archs_[i]);
      json_.close('}');
    }
    json_.close('}');
  }
  json_.close('}');
}

JsonReport::File JsonReport::render(const AnalyzedFile& analyzed) const {
  const Analysis& analysis = analyzed.analysis;
  File result;
  result.file = analyzed.file;
  result.numbers = analysis.numbers;
  result.conditions = analysis.conditions.numbers();
  result.n_stale_decisions = analysis.conditions.n_stale;
  result.text.reserve(analysis.source.statements.size() * 24 + analysis.source.regions.size() * 640 + 2048);
  PythonJson json(result.text, config_.json_pretty_print, kFileDepth);
  AnalysisParts parts(analysis);
  AnalysisPart whole;
  parts.cut({kAllLines}, whole);
  json.open('{');
  write_lines(json, whole);
  const LineContexts ran = config_.json_show_contexts ? contexts_by_line(*analyzed.data) : LineContexts();
  write_contexts(json, ran, {kAllLines});
  write_branches(json, whole);
  for (const auto& [name, regions] : regions_by_kind(analysis)) {
    json.quoted_key(python_json_string(name));
    json.open('{');
    write_regions(json, ran, analyzed, parts, regions);
    json.close('}');
  }
  write_own(json, analyzed, result);
  json.close('}');
  return result;
}

void JsonReport::flush() {
  out_(buffer_);
  buffer_.clear();
}

void JsonReport::begin(const std::string& version, const std::string& timestamp, const RecordedCommit* commit) {
  json_.open('{');
  json_.key("meta");
  json_.open('{');
  json_.entry("format", int64_t{3});
  json_.entry("version", version);
  json_.entry("timestamp", timestamp);
  json_.entry("branch_coverage", branches_);
  json_.entry("show_contexts", config_.json_show_contexts);
  if (commit) {
    json_.key("qd_cov");
    json_.open('{');
    json_.entry("commit", commit->commit);
    json_.entry("dirty", commit->dirty);
    json_.key("folder");
    json_.raw(python_json_string(commit->folder));
    json_.key("sources");
    json_.open('{');
    for (const auto& [name, hash] : commit->sources) {
      json_.quoted_key(python_json_string(name));
      json_.raw("\"" + hash + "\"");
    }
    json_.close('}');
    json_.close('}');
  }
  json_.close('}');
  json_.key("files");
  json_.open('{');
}

void JsonReport::add(const File& file) {
  total_ += file.numbers;
  total_conditions_ += file.conditions;
  for (size_t i = 0; i < file.archs.size(); ++i) total_archs_[i] += file.archs[i];
  // A file that was asked for twice stands there once.
  if (total_.n_files > 1 && file.file->relative == last_) return;
  last_ = file.file->relative;
  json_.quoted_key(python_json_string(last_));
  flush();
  out_(file.text);
}

void JsonReport::end() {
  json_.close('}');
  write_summary(json_, "totals", total_);
  write_own_totals();
  json_.close('}');
  flush();
}

}  // namespace qd::report
