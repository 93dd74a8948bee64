// JSON report. Its layout:
//
//   {"meta": {format, version, timestamp, branch_coverage, show_contexts},
//    "files": {NAME: {executed_lines, summary, missing_lines, excluded_lines, [contexts],
//                     [executed_branches, missing_branches],
//                     functions: {NAME: REGION}, classes: {NAME: REGION}}},
//    "totals": SUMMARY}
//
// Regions are those of json_regions.cpp. Data that coverage.py's format has no place for is in objects "qd_cov"
// (json_own.cpp).
#include "report/formats/machine/json_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "report/analysis/numbers.h"

namespace qd::report {

namespace {

constexpr int kFileDepth = 2;

double percentage(int64_t covered, int64_t of) {
  return of > 0 ? 100.0 * static_cast<double>(covered) / static_cast<double>(of) : 100.0;
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

}  // namespace

void write_json_numbers(PythonJson& json, std::string_view name, const std::vector<int32_t>& numbers) {
  json.key(name);
  json.open('[');
  for (int32_t number : numbers) {
    json.item();
    json.number(number);
  }
  json.close(']');
}

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
  write_json_numbers(json, "executed_lines", part.executed);
  write_summary(json, "summary", part.numbers);
  write_json_numbers(json, "missing_lines", part.missing);
  write_json_numbers(json, "excluded_lines", part.excluded);
}

void JsonReport::write_branches(PythonJson& json, const AnalysisPart& part) const {
  if (!branches_) return;
  write_arcs(json, "executed_branches", part.executed_branches);
  write_arcs(json, "missing_branches", part.missing_branches);
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

JsonReport::File JsonReport::render(const AnalyzedFile& analyzed) const {
  const Analysis& analysis = analyzed.analysis;
  File result(analyzed);
  result.n_stale_decisions = analysis.conditions.n_stale;
  result.n_stale_gradients = analysis.gradients.n_stale;
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
  write_regions(json, ran, analyzed, parts);
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
  total_.add(file);
  for (size_t i = 0; i < file.archs.size(); ++i) total_archs_[i] += file.archs[i];
  // A file that was asked for twice is written once.
  if (total_.numbers.n_files > 1 && file.file->relative == last_) return;
  last_ = file.file->relative;
  json_.quoted_key(python_json_string(last_));
  flush();
  out_(file.text);
}

void JsonReport::end() {
  json_.close('}');
  write_summary(json_, "totals", total_.numbers);
  write_own_totals();
  json_.close('}');
  flush();
}

}  // namespace qd::report
