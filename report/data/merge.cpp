// Merger: adds many inputs to measured data.
#include "report/data/merge.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "report/data/source_version.h"

namespace qd::report {

namespace {

void check_same_kind(const CoverageData& ours, const CoverageData& other) {
  if (!ours.has_arcs || !other.has_arcs || *ours.has_arcs == *other.has_arcs || ours.is_mixed() || other.is_mixed())
    return;
  if (*other.has_arcs)
    throw DataError(
        fmt::format("Can't combine branch coverage data with statement data: data file '{}' measured branch coverage, "
                    "but data file '{}' didn't",
                    other.path, ours.path));
  throw DataError(
      fmt::format("Can't combine statement coverage data with branch data: data file '{}' didn't measure branch "
                  "coverage, but data file '{}' did",
                  other.path, ours.path));
}

/// Merges two data files' records of one decision. If the source has changed in between, the first stays.
void merge_decision(MeasuredDecision& ours, const MeasuredDecision& other, const std::vector<ContextId>& our_context) {
  if (ours.conditions.empty()) {
    ours.first_line = other.first_line;
    ours.kind = other.kind;
    ours.conditions = other.conditions;
  }
  if (ours.conditions != other.conditions) return;
  for (const auto& [context, evaluations] : other.evaluations)
    ours.evaluations[our_context[context]].insert(evaluations.begin(), evaluations.end());
}

void merge_results(MeasuredResults& ours, const MeasuredResults& other, const std::vector<ContextId>& our_context) {
  for (const auto& [kind, places] : other) {
    for (const auto& [range, measured] : places) {
      MeasuredResult& result = ours[kind].try_emplace(range, MeasuredResult{measured.first_line, {}}).first->second;
      for (const auto& [context, value] : measured.values) {
        uint64_t& merged = result.values[our_context[context]];
        merged = kind.merged(merged, value);
      }
    }
  }
}

void merge_file(FileData& ours, FileData&& other, const std::vector<ContextId>& our_context) {
  if (ours.tracer.empty()) ours.tracer = other.tracer;
  merge_versions(ours, other);
  for (auto& [context, numbits] : other.lines) {
    Numbits& lines = ours.lines[our_context[context]];
    if (lines.bytes().empty())
      lines = std::move(numbits);
    else
      lines.merge(numbits);
  }
  for (auto& [context, arcs] : other.arcs) merge_arcs(ours.arcs[our_context[context]], std::move(arcs));
  for (const auto& [function, probes] : other.kernel_functions) ours.kernel_functions[function].merge(probes);
  for (const auto& [range, decision] : other.decisions) merge_decision(ours.decisions[range], decision, our_context);
  merge_results(ours.results, other.results, our_context);
}

}  // namespace

void merge_arcs(std::vector<Arc>& arcs, std::vector<Arc> more) {
  if (arcs.empty()) {
    arcs = std::move(more);
    return;
  }
  if (std::includes(arcs.begin(), arcs.end(), more.begin(), more.end())) return;
  std::vector<Arc> merged;
  merged.reserve(arcs.size() + more.size());
  std::set_union(arcs.begin(), arcs.end(), more.begin(), more.end(), std::back_inserter(merged));
  arcs = std::move(merged);
}

Merger::Merger(CoverageData& into, std::function<std::string(const std::string&)> map_path, bool mixed)
    : into_(into), map_path_(std::move(map_path)), mixed_(mixed) {
  note_doubts(into_);
}

Merger::Target& Merger::target_of(const std::string& file) {
  auto found = targets_.find(file);
  if (found == targets_.end())
    found = targets_.emplace(file, Target{map_path_ ? map_path_(file) : file, nullptr, false, std::nullopt}).first;
  Target& target = found->second;
  if (target.data == nullptr)
    if (auto ours = into_.files.find(target.path); ours != into_.files.end()) target.data = &ours->second;
  return target;
}

ContextId Merger::context_id(const std::string& context) {
  if (contexts_.empty())
    for (ContextId i = 0; i < into_.contexts.size(); ++i) contexts_.emplace(into_.contexts[i], i);
  auto [entry, is_new] = contexts_.emplace(context, static_cast<ContextId>(into_.contexts.size()));
  if (is_new) into_.contexts.push_back(context);
  return entry->second;
}

void Merger::note_joined(const CoverageData& other) {
  for (const auto& [path, names] : other.joined) into_.joined[path].insert(names.begin(), names.end());
  if (!map_path_) return;
  // With relative_files "a/b.py" also stands for "c/a/b.py". If both exist as files, that is a mistake.
  std::map<std::string, std::set<std::string>> names;
  for (const auto& [file, data] : other.files)
    if (!file.starts_with('/')) names[target_of(file).path].insert(std::filesystem::path(file).lexically_normal());
  for (auto& [path, its_names] : names) {
    if (its_names.size() < 2) continue;
    std::error_code error;
    std::erase_if(its_names, [&](const std::string& name) { return !std::filesystem::exists(name, error); });
    if (its_names.size() > 1) into_.joined[path].merge(its_names);
  }
}

void Merger::add(CoverageData other) {
  if (!mixed_) check_same_kind(into_, other);
  std::vector<Target*> targets;
  targets.reserve(other.files.size());
  for (const auto& [file, data] : other.files) {
    Target& target = target_of(file);
    targets.push_back(&target);
    if (target.data && target.data->tracer != data.tracer)
      throw DataError(fmt::format("Conflicting file tracer name for '{}': '{}' vs '{}'", target.path,
                                  target.data->tracer, data.tracer));
  }

  if (into_.has_arcs == false && other.has_arcs == true)
    for (auto& [path, file] : into_.files) file.lines_only = true;
  if (!into_.has_arcs.value_or(false) && other.has_arcs) into_.has_arcs = other.has_arcs;
  into_.commands.merge(other.commands);
  into_.kept_inputs.merge(other.kept_inputs);
  into_.unread_inputs.merge(other.unread_inputs);
  note_joined(other);
  for (auto& [file, data] : other.imported) {
    auto [entry, is_new] = into_.imported.try_emplace(map_path_ ? map_path_(file) : file);
    data.older = data.older || (other.written && changed_at(entry->first) > other.written);
    if (is_new)
      entry->second = std::move(data);
    else
      entry->second.merge(data);
  }
  for (const AmbiguousName& name : other.ambiguous) {
    AmbiguousName mapped{name.report, name.name, {}};
    for (const std::string& path : name.paths) mapped.paths.insert(map_path_ ? map_path_(path) : path);
    into_.ambiguous.insert(std::move(mapped));
  }
  std::vector<ContextId> our_context;
  for (const std::string& context : other.contexts) our_context.push_back(context_id(context));
  auto next = targets.begin();
  for (auto& [file, data] : other.files) {
    Target& target = **next++;
    if (other.written && lacks_version(data)) {
      if (!target.is_changed_at_known) target.changed_at = changed_at(target.path);
      target.is_changed_at_known = true;
      if (target.changed_at > other.written) data.source_hashes.insert(kDoubtfulVersion);
    }
    bool is_new = false;
    if (target.data == nullptr) {
      auto [entry, inserted] = into_.files.try_emplace(target.path);
      target.data = &entry->second;
      is_new = inserted;
    }
    const bool without_branches = other.has_arcs == false || data.lines_only;
    target.data->lines_only = (target.data->lines_only || is_new) && without_branches && into_.has_arcs.value_or(false);
    merge_file(*target.data, std::move(data), our_context);
  }
}

}  // namespace qd::report
