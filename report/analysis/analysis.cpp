// Analysis of a source, joined with its measured data.
#include "report/analysis/analysis.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>

#include "report/analysis/inferred_arcs.h"
#include "report/analysis/numbers.h"
#include "report/analysis/source/line_set.h"
#include "report/analysis/source/possible_arcs.h"
#include "report/data/merge.h"

namespace qd::report {

namespace {

/// Measured arcs as arcs between logical lines. Jumps out of `with` statements are replaced by those in the text.
std::vector<Arc> translate(const SourceAnalysis& source, std::vector<Arc> arcs) {
  arcs = replace_with_jumps(std::move(arcs), source.with_jumps);
  for (Arc& arc : arcs) arc = {source.logical_line(arc.from), source.logical_line(arc.to)};
  return arcs;
}

std::vector<Arc> all_arcs(const FileData& data) {
  std::vector<Arc> arcs;
  for (const auto& [context, list] : data.arcs) arcs.insert(arcs.end(), list.begin(), list.end());
  return arcs;
}

/// Logical lines that were executed.
LineSet executed_lines(const SourceAnalysis& source, const FileData& data) {
  LineSet executed(source.n_lines);
  auto add = [&](int32_t line) {
    if (line > 0) executed.insert(source.logical_line(line));
  };
  for (const auto& [context, lines] : data.lines)
    for (int32_t line : lines.lines()) add(line);
  for (const auto& [context, arcs] : data.arcs)
    for (const Arc& arc : arcs) add(arc.from), add(arc.to);
  return executed;
}

}  // namespace

std::vector<Arc> executed_arcs(const SourceAnalysis& source, std::vector<Arc> measured) {
  std::vector<Arc> arcs;
  for (const Arc& arc : translate(source, std::move(measured))) {
    if (arc.from != arc.to) {
      arcs.push_back(arc);
      continue;
    }
    auto [first, last] =
        std::equal_range(source.arcs.begin(), source.arcs.end(), arc, [](Arc a, Arc b) { return a.from < b.from; });
    if (last - first == 1) arcs.push_back(*first);
  }
  arcs = translate(source, std::move(arcs));
  std::sort(arcs.begin(), arcs.end());
  return arcs;
}

namespace {

void count_lines(Analysis& result) {
  result.numbers.n_files = 1;
  result.numbers.n_statements = static_cast<int32_t>(result.source.statements.size());
  result.numbers.n_excluded = static_cast<int32_t>(result.source.excluded.size());
  result.numbers.n_missing = static_cast<int32_t>(result.missing.size());
}

/// Counts the branches; those of `unknown` apart.
void add_branches(Analysis& result, const std::vector<Arc>& unknown = {}) {
  const SourceAnalysis& source = result.source;
  for (auto [line, exits] : source.exit_counts)
    if (exits > 1) {
      result.branch_stats[line] = {exits, exits};
      result.numbers.n_branches += exits;
    }
  auto stats = result.branch_stats.begin();  // both are sorted by line
  for (const Arc& arc : source.arcs) {
    while (stats != result.branch_stats.end() && stats->first < arc.from) ++stats;
    if (stats == result.branch_stats.end()) break;
    if (stats->first != arc.from || std::ranges::binary_search(source.no_branch, arc.from) ||
        std::ranges::binary_search(source.excluded, arc.to) || std::ranges::binary_search(result.executed_arcs, arc))
      continue;
    --stats->second[1];
    if (std::ranges::binary_search(unknown, arc)) {
      result.unknown_branches.push_back(arc);
      --stats->second[0];
      --result.numbers.n_branches;
      ++result.numbers.n_unknown_branches;
      continue;
    }
    result.missing_branches[arc.from].push_back(arc.to);
    ++result.numbers.n_missing_branches;
    if (!std::ranges::binary_search(result.missing, arc.from)) ++result.numbers.n_partial_branches;
  }
  if (!result.unknown_branches.empty())
    result.branch_stats.erase_if([](const auto& line) { return line.second[0] == 0; });
}

/// Ranges of missing lines; lines between them that are no statements do not interrupt a range.
std::vector<std::pair<int32_t, int32_t>> missing_ranges(const std::vector<int32_t>& statements,
                                                        const std::vector<int32_t>& missing) {
  std::vector<std::pair<int32_t, int32_t>> ranges;
  bool open = false;
  for (int32_t line : statements) {
    if (!std::ranges::binary_search(missing, line)) {
      open = false;
    } else if (open) {
      ranges.back().second = line;
    } else {
      ranges.emplace_back(line, line);
      open = true;
    }
  }
  return ranges;
}

}  // namespace

Analysis analyze(const std::string& path, const std::string& relative, SourceAnalysis source, const FileData& data,
                 bool has_arcs) {
  Analysis result;
  result.path = path;
  result.relative = relative;
  result.source = std::move(source);
  result.has_arcs = has_arcs;
  LineSet executed = executed_lines(result.source, data);
  for (int32_t line : result.source.statements)
    (executed.contains(line) ? result.executed : result.missing).push_back(line);
  count_lines(result);
  if (has_arcs) {
    const std::vector<Arc> measured = all_arcs(data);
    result.executed_arcs = executed_arcs(result.source, measured);
    const InferredArcs inferred = infer_arcs(result.source, measured, result.executed_arcs);
    merge_arcs(result.executed_arcs, inferred.taken);
    add_branches(result, inferred.unknown);
  }
  if (result.source.decisions) result.conditions = condition_coverage(result.source, data);
  result.gradients = gradient_coverage(result, data);
  if (result.source.functions) result.kernels = file_kernels(result.source, data);
  return result;
}

Analysis analyze_plugin_file(std::shared_ptr<const PluginFile> plugin, const std::string& text, bool has_arcs) {
  Analysis result;
  result.path = plugin->path;
  result.relative = plugin->relative;
  result.has_arcs = has_arcs;
  SourceAnalysis& source = result.source;
  source.n_lines =
      static_cast<int32_t>(std::count(text.begin(), text.end(), '\n')) + (text.empty() || text.back() == '\n' ? 0 : 1);
  source.first_line.resize(static_cast<size_t>(source.n_lines) + 2);
  std::iota(source.first_line.begin(), source.first_line.end(), 0);
  source.last_line = source.first_line;
  for (auto [line, other] : plugin->moved)
    if (line > 0 && line <= source.n_lines) source.first_line[static_cast<size_t>(line)] = other;
  source.statements = plugin->statements;
  source.excluded = plugin->excluded;
  result.executed = plugin->executed;
  std::set_difference(source.statements.begin(), source.statements.end(), result.executed.begin(),
                      result.executed.end(), std::back_inserter(result.missing));
  count_lines(result);
  if (has_arcs) {
    source.arcs = plugin->arcs;
    source.no_branch = plugin->no_branch;
    for (auto [line, exits] : plugin->exit_counts) source.exit_counts[line] = exits;
    result.executed_arcs = plugin->executed_arcs;
    add_branches(result);
  }
  for (const auto& [kind, region] : plugin->regions)
    if (kind == "function" || kind == "class") source.regions.push_back(region);
  result.plugin = std::move(plugin);
  return result;
}

std::string Analysis::arc_description(Arc arc) const {
  if (!plugin) return source.arc_description(arc);
  auto found = plugin->descriptions.find(arc);
  return found == plugin->descriptions.end() ? describe_arc(arc, {}) : found->second.does;
}

void Analysis::add_branch_stats(int32_t line, int32_t total, int32_t taken) {
  branch_stats[line] = {total, taken};
  source.exit_counts[line] = total;
  numbers.n_branches += total;
  numbers.n_missing_branches += total - taken;
  if (!std::ranges::binary_search(missing, line)) numbers.n_partial_branches += total - taken;
}

std::string Analysis::missing_formatted(bool branches) const {
  std::vector<std::pair<int32_t, std::string>> items;  // by line
  for (auto [first, last] : missing_ranges(source.statements, missing))
    items.emplace_back(first, first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last));
  if (branches)
    for (const auto& [line, destinations] : missing_branches)
      for (int32_t to : destinations)
        if (!std::ranges::binary_search(missing, line) && !std::ranges::binary_search(missing, to))
          items.emplace_back(line, to > 0 ? fmt::format("{}->{}", line, to) : fmt::format("{}->exit", line));
  if (branches && imported)
    for (const auto& [line, stats] : branch_stats)
      if (stats[1] < stats[0] && !std::ranges::binary_search(missing, line))
        items.emplace_back(line, fmt::format("{}: {}", line, share_of_branches(stats[0] - stats[1], stats[0])));
  std::sort(items.begin(), items.end());
  std::string result;
  for (const auto& [line, text] : items) result += (result.empty() ? "" : ", ") + text;
  return result;
}

}  // namespace qd::report
