// Measured data in memory: adds lines, arcs and other data to it.
#include "report/data/coverage_data.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "report/data/merge.h"

namespace qd::report {

void add_lines_of(const std::vector<Arc>& arcs, Numbits& lines) {
  // Limit on line numbers: a damaged row must not cost memory without bound.
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
  for (const auto& [name, variant] : other.variants) {
    KernelVariant& ours = variants[name];
    const uint64_t room = std::numeric_limits<uint64_t>::max() - ours.launches;
    ours.launches += std::min(variant.launches, room);
    ours.measured.insert(variant.measured.begin(), variant.measured.end());
    ours.taken.insert(variant.taken.begin(), variant.taken.end());
  }
}

Numbits FileData::executed_lines() const {
  Numbits result;
  for (const auto& [context, numbits] : lines) result.merge(numbits);
  for (const auto& [context, list] : arcs) add_lines_of(list, result);
  return result;
}

bool FileData::any_executed() const {
  return std::any_of(arcs.begin(), arcs.end(), [](const auto& entry) { return !entry.second.empty(); }) ||
         std::any_of(lines.begin(), lines.end(), [](const auto& entry) { return !entry.second.empty(); });
}

std::vector<Arc> FileData::executed_arcs() const {
  std::vector<Arc> result;
  for (const auto& [context, list] : arcs) merge_arcs(result, std::vector<Arc>(list));
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
  return std::any_of(files.begin(), files.end(),
                     [](const auto& file) { return file.second.lines_only || !file.second.lines.empty(); });
}

void CoverageData::update(CoverageData other, const std::function<std::string(const std::string&)>& map_path,
                          bool mixed) {
  Merger(*this, map_path, mixed).add(std::move(other));
}

bool CoverageData::has_branches() const {
  return has_arcs.value_or(false) || std::any_of(imported.begin(), imported.end(),
                                                 [](const auto& entry) { return !entry.second.branches.empty(); });
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

FileData restricted(const FileData& file, const std::set<ContextId>& contexts) {
  FileData result;
  result.tracer = file.tracer;
  result.plugin = file.plugin;
  result.lines_only = file.lines_only;
  result.source_hashes = file.source_hashes;
  for (const auto& [context, lines] : file.lines)
    if (contexts.contains(context)) result.lines[context] = lines;
  for (const auto& [context, arcs] : file.arcs)
    if (contexts.contains(context)) result.arcs[context] = arcs;
  result.kernel_functions = file.kernel_functions;
  result.decisions = file.decisions;
  for (auto& [range, decision] : result.decisions)
    std::erase_if(decision.evaluations, [&](const auto& entry) { return !contexts.contains(entry.first); });
  result.results = file.results;
  for (auto& [kind, places] : result.results)
    for (auto& [range, measured] : places)
      std::erase_if(measured.values, [&](const auto& entry) { return !contexts.contains(entry.first); });
  return result;
}

}  // namespace qd::report
