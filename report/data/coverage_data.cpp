// Adding to measured data in memory.
#include "report/data/coverage_data.h"

#include <fmt/core.h>

#include <algorithm>

namespace qd::report {

namespace {

void merge_arcs(std::vector<Arc>& arcs, const std::vector<Arc>& more) {
  if (arcs.empty()) {
    arcs = more;
    return;
  }
  std::vector<Arc> merged;
  merged.reserve(arcs.size() + more.size());
  std::set_union(arcs.begin(), arcs.end(), more.begin(), more.end(), std::back_inserter(merged));
  arcs = std::move(merged);
}

void check_same_kind(const CoverageData& ours, const CoverageData& other) {
  if (!ours.has_arcs || !other.has_arcs || *ours.has_arcs == *other.has_arcs || ours.is_mixed() || other.is_mixed()) return;
  if (*other.has_arcs)
    throw DataError(
        fmt::format("Can't combine branch coverage data with statement data: data file '{}' measured branch coverage, "
                    "but data file "
                    "'{}' didn't",
                    other.path, ours.path));
  throw DataError(fmt::format(
      "Can't combine statement coverage data with branch data: data file '{}' didn't measure branch coverage, but data "
      "file '{}' did",
      other.path, ours.path));
}

/// Joins what two data files say of one decision. Of a source that has changed in between, the first stays.
void merge_decision(Decision& ours, const Decision& other, const std::vector<ContextId>& our_context) {
  if (ours.conditions.empty()) {
    ours.first_line = other.first_line;
    ours.kind = other.kind;
    ours.conditions = other.conditions;
  }
  if (ours.conditions != other.conditions) return;
  for (const auto& [context, evaluations] : other.evaluations) ours.evaluations[our_context[context]].insert(evaluations.begin(), evaluations.end());
}

}  // namespace

void add_lines_of(const std::vector<Arc>& arcs, Numbits& lines) {
  // No source is that long; a damaged row must not cost memory without bound.
  constexpr int32_t kLastLine = 1 << 26;
  for (const Arc& arc : arcs) {
    if (arc.from > 0 && arc.from <= kLastLine) lines.insert(arc.from);
    if (arc.to > 0 && arc.to <= kLastLine) lines.insert(arc.to);
  }
}

void Probes::merge(const Probes& other) {
  measured.insert(other.measured.begin(), other.measured.end());
  left_out.insert(other.left_out.begin(), other.left_out.end());
  errors.insert(other.errors.begin(), other.errors.end());
}

Numbits FileData::executed_lines() const {
  Numbits result;
  for (const auto& [context, numbits] : lines) result.merge(numbits);
  for (const auto& [context, list] : arcs) add_lines_of(list, result);
  return result;
}

std::vector<Arc> FileData::executed_arcs() const {
  std::vector<Arc> result;
  for (const auto& [context, list] : arcs) merge_arcs(result, list);
  return result;
}

ContextId CoverageData::context_id(const std::string& context) {
  auto found = std::find(contexts.begin(), contexts.end(), context);
  if (found == contexts.end()) found = contexts.insert(found, context);
  return static_cast<ContextId>(found - contexts.begin());
}

void CoverageData::add_line(const std::string& file, int32_t line, ContextId context) {
  if (has_arcs.value_or(false)) throw DataError("Can't add line measurements to existing branch data");
  has_arcs = false;
  files[file].lines[context].insert(line);
}

void CoverageData::add_arc(const std::string& file, Arc arc, ContextId context) {
  if (!has_arcs.value_or(true)) throw DataError("Can't add branch measurements to existing line data");
  has_arcs = true;
  std::vector<Arc>& arcs = files[file].arcs[context];
  auto place = std::lower_bound(arcs.begin(), arcs.end(), arc);
  if (place == arcs.end() || *place != arc) arcs.insert(place, arc);
}

bool CoverageData::is_mixed() const {
  if (!has_arcs.value_or(false)) return false;
  return std::any_of(files.begin(), files.end(), [](const auto& file) { return file.second.lines_only || !file.second.lines.empty(); });
}

void CoverageData::update(const CoverageData& other, const std::function<std::string(const std::string&)>& map_path, bool mixed) {
  if (!mixed) check_same_kind(*this, other);
  std::vector<std::pair<std::string, const FileData*>> mapped;
  mapped.reserve(other.files.size());
  for (const auto& [file, data] : other.files) {
    mapped.emplace_back(map_path ? map_path(file) : file, &data);
    auto ours = files.find(mapped.back().first);
    if (ours != files.end() && ours->second.tracer != data.tracer)
      throw DataError(fmt::format("Conflicting file tracer name for '{}': '{}' vs '{}'", ours->first,
                                  ours->second.tracer, data.tracer));
  }

  if (has_arcs == false && other.has_arcs == true)
    for (auto& [path, file] : files) file.lines_only = true;
  if (!has_arcs.value_or(false) && other.has_arcs) has_arcs = other.has_arcs;
  std::map<std::string, ContextId> ids;
  for (ContextId i = 0; i < contexts.size(); ++i) ids.emplace(contexts[i], i);
  std::vector<ContextId> our_context;
  for (const std::string& context : other.contexts) {
    auto [entry, is_new] = ids.emplace(context, static_cast<ContextId>(contexts.size()));
    if (is_new) contexts.push_back(context);
    our_context.push_back(entry->second);
  }
  for (const auto& [file, data] : mapped) {
    auto [entry, is_new] = files.try_emplace(file);
    FileData& ours = entry->second;
    bool without_branches = other.has_arcs == false || data->lines_only;
    ours.lines_only = (ours.lines_only || is_new) && without_branches && has_arcs.value_or(false);
    if (ours.tracer.empty()) ours.tracer = data->tracer;
    for (const auto& [context, numbits] : data->lines) ours.lines[our_context[context]].merge(numbits);
    for (const auto& [context, arcs] : data->arcs) merge_arcs(ours.arcs[our_context[context]], arcs);
    for (const auto& [function, probes] : data->kernel_functions) ours.kernel_functions[function].merge(probes);
    for (const auto& [range, decision] : data->decisions) merge_decision(ours.decisions[range], decision, our_context);
  }
}

CoverageData CoverageData::as_lines() const {
  CoverageData result = *this;
  result.has_arcs = false;
  for (auto& [path, file] : result.files) {
    for (const auto& [context, arcs] : file.arcs) add_lines_of(arcs, file.lines[context]);
    file.arcs.clear();
    file.lines_only = false;
  }
  return result;
}

}  // namespace qd::report
