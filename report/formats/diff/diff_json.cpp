// JSON format of diff coverage, with the keys and meanings of diff-cover's, so that programs which read that go on
// working: percentages of files are floats, the total is cut off to an integer, and only lines are counted. Everything
// else is in the object "qd_cov".
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "report/formats/common/text.h"
#include "report/formats/diff/diff_formats.h"

namespace qd::report {
namespace {

using Json = nlohmann::ordered_json;

Json source_stats(const DiffFile& file, const std::vector<int32_t>& missing) {
  std::vector<int32_t> covered;
  std::set_difference(file.statements.begin(), file.statements.end(), missing.begin(), missing.end(),
                      std::back_inserter(covered));
  Json list = Json::array();
  for (int32_t line : missing) list.push_back({line, nullptr});
  double percent = 100.0 - static_cast<double>(missing.size()) / static_cast<double>(file.statements.size()) * 100.0;
  return {{"percent_covered", percent}, {"violation_lines", missing}, {"covered_lines", covered}, {"violations", list}};
}

const char* kind_name(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::Added: return "added";
    case ChangeKind::Modified: return "modified";
    case ChangeKind::Renamed: return "renamed";
    case ChangeKind::Copied: return "copied";
    case ChangeKind::Deleted: return "deleted";
    case ChangeKind::TypeChanged: return "type changed";
    case ChangeKind::Untracked: return "untracked";
  }
  return "";
}

/// Adds the statements by arch, and those that ran on one device and never on another.
void add_own_archs(const DiffFile& file, bool branches, Json& json) {
  if (file.archs.empty()) return;
  json["archs"] = Json::object();
  for (const auto& [arch, lines] : file.archs) {
    Json& one = json["archs"][arch] = {{"statements", lines.statements}, {"missing", lines.missing}};
    if (!branches) continue;
    one["missing_branches"] = Json::array();
    for (const auto& [line, destinations] : lines.missing_branches)
      for (int32_t to : destinations) one["missing_branches"].push_back({line, to});
  }
  json["arch_gaps"] = Json::array();
  for (const ArchGap& gap : file.arch_gaps)
    json["arch_gaps"].push_back({{"on", gap.on}, {"never", gap.never}, {"lines", gap.lines}});
}

Json own_file(const DiffFile& file, bool branches) {
  Json json = {{"change", kind_name(file.kind)}};
  if (!file.old_path.empty()) json["old_path"] = file.old_path;
  if (!file.measured()) {
    json["not_measured"] = file.not_measured;
    json["changed_statements"] = file.unmeasured_statements;
    return json;
  }
  json["statements"] = file.statements;
  json["missing"] = file.missing;
  if (branches) {
    json["n_branches"] = file.n_branches;
    json["n_missing_branches"] = file.n_missing_branches;
    Json list = Json::array();
    for (const auto& [line, destinations] : file.missing_branches)
      for (int32_t to : destinations) list.push_back({line, to});
    json["missing_branches"] = list;
  }
  add_own_archs(file, branches, json);
  return json;
}

Json numbers(int64_t covered, int64_t total) {
  Json json = {{"covered", covered}, {"total", total}};
  json["percent"] = total == 0 ? 100.0 : 100.0 * static_cast<double>(covered) / static_cast<double>(total);
  return json;
}

/// Whether a file has anything but unchanged code with unchanged coverage.
bool has_news(const BaseFile& file) {
  for (size_t i = 0; i < kCategories; ++i) {
    auto category = static_cast<Category>(i);
    if (category != Category::CBC && category != Category::UBC && (!file.lines[i].empty() || !file.branches[i].empty()))
      return true;
  }
  return file.no_data || !file.old_path.empty();
}

/// Object with the lines of every category.
Json base_file(const BaseFile& file, bool branches) {
  Json json = Json::object();
  if (!file.old_path.empty()) json["old_path"] = file.old_path;
  if (file.no_data) json["no_data"] = true;
  json["lines"] = Json::object();
  for (size_t i = 0; i < kCategories; ++i)
    if (!file.lines[i].empty()) json["lines"][category_code(static_cast<Category>(i))] = file.lines[i];
  if (!branches) return json;
  json["branches"] = Json::object();
  for (size_t i = 0; i < kCategories; ++i) {
    Json arcs = Json::array();
    for (Arc arc : file.branches[i]) arcs.push_back({arc.from, arc.to});
    if (!arcs.empty()) json["branches"][category_code(static_cast<Category>(i))] = arcs;
  }
  return json;
}

Json base(const BaseCoverage& base) {
  Json json = {{"report", base.name},
               {"commit", base.commit},
               {"recorded", base.recorded},
               {"before", numbers(base.covered(base.before), base.total(base.before))},
               {"now", numbers(base.covered(base.now), base.total(base.now))}};
  json["lines"] = Json::object();
  json["branches"] = base.branches ? Json::object() : Json();
  for (size_t i = 0; i < kCategories; ++i) {
    auto category = static_cast<Category>(i);
    json["lines"][category_code(category)] = base.count(category);
    if (base.branches) json["branches"][category_code(category)] = base.count_branches(category);
  }
  json["files"] = Json::object();
  for (const BaseFile& file : base.files)
    if (has_news(file)) json["files"][file.path] = base_file(file, base.branches);
  json["left_out"] = base.left_out;
  return json;
}

Json own(const DiffCoverage& coverage, const DiffStyle& style) {
  Json json = {{"format", 1},
               {"compare_branch", coverage.compare_branch},
               {"base_commit", coverage.base_commit},
               {"head", coverage.head},
               {"branches", coverage.branches},
               {"diff", numbers(coverage.covered(), coverage.total())}};
  if (coverage.overall) {
    const Numbers& n = *coverage.overall;
    json["overall"] =
        numbers(int64_t{n.n_executed()} + n.n_executed_branches(), int64_t{n.n_statements} + n.n_branches);
  }
  json["files"] = Json::object();
  for (const auto* files : {&coverage.files, &coverage.not_measured})
    for (const DiffFile& file : *files) json["files"][file.path] = own_file(file, coverage.branches);
  if (coverage.conditions) {
    ConditionNumbers n = coverage.condition_numbers();
    json["conditions"] = {{"outcomes", numbers(n.n_seen_outcomes(), n.n_outcomes)},
                          {"mcdc", numbers(n.n_shown_mcdc(), n.n_mcdc)}};
  }
  if (coverage.gradients) {
    const GradientNumbers n = coverage.gradient_numbers();
    json["gradients"] = numbers(n.n_differentiated(), n.n_lines);
    for (const DiffFile& file : coverage.files)
      json["files"][file.path]["never_differentiated"] = file.gradients.missing;
  }
  if (!coverage.archs.empty()) {
    json["archs"] = Json::object();
    for (const std::string& arch : coverage.archs) {
      int64_t covered = 0, total = 0;
      for (const DiffFile& file : coverage.files)
        if (auto found = file.archs.find(arch); found != file.archs.end()) {
          covered += found->second.covered(coverage.branches);
          total += found->second.total();
        }
      json["archs"][arch] = numbers(covered, total);
    }
  }
  if (!coverage.inputs.empty()) {
    Json inputs = Json::object();
    for (const InputCoverage& input : coverage.inputs) {
      Json one = numbers(input.covered, input.total);
      one["missing"] = input.missing;
      inputs[input.name] = one;
    }
    json["inputs"] = inputs;
  }
  if (coverage.base) json["base"] = base(*coverage.base);
  Json gates = Json::array();
  for (const GateResult& gate : style.gates) {
    Json one = {{"gate", gate.what}, {"wanted", gate.wanted}, {"reached", gate.reached}};
    if (gate.is_warning) one["warning"] = true;
    if (!gate.reached) one["message"] = gate.message;
    gates.push_back(one);
  }
  json["gates"] = gates;
  json["passed"] = style.reached();
  json["notes"] = coverage.notes;
  return json;
}

/// Total percentage as in diff-cover: an integer, or with two decimals.
Json total_percent(int64_t covered, int64_t total, bool with_decimals) {
  if (with_decimals)
    return total == 0
               ? 100.0
               : std::stod(fmt::format("{:.2f}", static_cast<double>(covered) / static_cast<double>(total) * 100));
  return total == 0 ? 100 : 100 * covered / total;
}

}  // namespace

std::string diff_json(const DiffCoverage& coverage, const DiffStyle& style) {
  Json stats = Json::object();
  int64_t lines = 0, n_violations = 0;
  for (const DiffFile& file : coverage.files) {
    if (file.statements.empty()) continue;
    std::vector<int32_t> missing = file.lacking(coverage.branches);
    stats[file.path] = source_stats(file, missing);
    lines += static_cast<int64_t>(file.statements.size());
    n_violations += static_cast<int64_t>(missing.size());
  }
  Json json = {
      {"report_name", "qd-cov"},
      {"diff_name", coverage.title},
      {"src_stats", stats},
      {"total_num_lines", lines},
      {"total_num_violations", n_violations},
      {"total_percent_covered", total_percent(lines - n_violations, lines, style.config.diff.total_percent_float)},
      {"num_changed_lines", coverage.n_changed_lines},
      {"qd_cov", own(coverage, style)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace qd::report
