// Branches for the file view. The reason why an edge was not taken is written only if a reader can ask for it.
#include "report/formats/html/source_json_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/formats/common/text.h"
#include "report/formats/html/page_data.h"

namespace qd::report {
namespace {

constexpr uint64_t kMostTimes = (uint64_t{1} << 53) - 1;  // largest safe integer of JavaScript

/// State of a branch of a kernel that was not taken; empty when the sentence about the branch has it already.
std::string kernel_edge(const Analysis& analysis, const Arc& arc) {
  const KernelProbes* function = analysis.kernels.at(arc.from);
  if (!function) return "";
  std::string known;
  bool same = true;
  ProbeState state = function->unreached(arc);
  for (const auto& [arch, probes] : function->archs) {
    ProbeState on = function->unreached(arc, arch);
    same = same && on == state;
    known += fmt::format("{}{}: {}", known.empty() ? "" : ", ", arch, name(on));
  }
  if (!same) return known;
  return state == ProbeState::NotHit ? "" : fmt::format("{}: {}", name(state), function->explain(state));
}

void append_edge(std::string& out, const Analysis& analysis, const Arc& arc, uint32_t mask, bool can_choose) {
  out += '[';
  append_number(out, arc.to);
  out += ',';
  append_number(out, mask);
  std::string known;
  if (mask == 0 && !analysis.kernels.functions.empty()) known = kernel_edge(analysis, arc);
  const auto& all_reasons = analysis.source.arc_reasons;
  auto reasons = mask == 0 || arc.to < 0 || can_choose ? all_reasons.find(arc) : all_reasons.end();
  if (analysis.plugin) {
    auto sentences = analysis.plugin->descriptions.find(arc);
    if (mask == 0 && sentences != analysis.plugin->descriptions.end())
      append_script_json(out += ',', visible(sentences->second.misses));
  } else if (reasons != all_reasons.end()) {
    out += ",[";
    for (const ArcReason& reason : reasons->second) {
      out += out.back() == '[' ? "[" : ",[";
      append_number(out, static_cast<int64_t>(reason.cause));
      out += ',';
      append_number(out, static_cast<int64_t>(reason.action));
      if (!reason.name.empty()) {
        out += ',';
        append_script_json(out, reason.name);
      }
      out += ']';
    }
    out += ']';
  } else if (!known.empty()) {
    out += ",0";
  }
  if (!known.empty()) {
    out += ',';
    append_script_json(out, visible(known));
  }
  out += ']';
}

/// Opens the list of a branch: [line, exits, ...
void open_branch(std::string& out, int32_t line, int32_t exits) {
  out += out.back() == '[' ? "[" : ",[";
  append_number(out, line);
  out += ',';
  append_number(out, exits);
}

/// Branches of a line, with a name for each, unless the input has only the number of taken ones. Decisions (or
/// conditions, if a branch is the value of one) are numbered in the order of the line.
std::vector<std::pair<std::string, const ImportedBranch*>> imported_branches(const ImportedFile& file, int32_t line) {
  auto branches = file.branches_of(line);
  bool several = !branches.empty() && branches.front().block != branches.back().block;
  static const std::set<std::string> kCounts = {"clover", "cobertura",
                                                "jacoco"};  // formats that have only the number of taken branches
  bool counts = std::includes(kCounts.begin(), kCounts.end(), file.sources.begin(), file.sources.end());
  std::vector<std::pair<std::string, const ImportedBranch*>> named;
  int32_t decision = 0, number = 0;
  for (const ImportedBranch& branch : branches) {
    if (named.empty() || branch.block != named.back().second->block) {
      ++decision;
      number = 0;
    }
    std::string name = branch.text.empty() ? fmt::format("branch {}", ++number) : visible(branch.text);
    if (several)
      name = fmt::format("{} {}: {}", branch.text == "true" || branch.text == "false" ? "condition" : "decision",
                         decision, name);
    named.emplace_back(counts && branch.text.empty() ? "" : name, &branch);
  }
  return named;
}

void append_imported(std::string& out, const Analysis& analysis) {
  out += '[';
  for (const auto& [line, stats] : analysis.branch_stats) {
    open_branch(out, line, stats[0]);
    out += ",0,[";
    for (const auto& [name, branch] : imported_branches(*analysis.imported, line)) {
      out += out.back() == '[' ? "[0," : ",[0,";
      out += branch->was_taken() ? "1,0," : "0,0,";
      append_script_json(out, name);
      if (branch->taken && !name.empty())
        append_number(out += ',', static_cast<int64_t>(std::min<uint64_t>(*branch->taken, kMostTimes)));
      out += ']';
    }
    out += "]]";
  }
  out += ']';
}

/// Arcs that were taken, for each origin; empty when there is only one.
std::vector<std::vector<Arc>> taken_by_origin(const AnalyzedFile& file, const std::vector<Origin>& origins) {
  std::vector<std::vector<Arc>> taken;
  if (origins.size() < 2) return taken;
  for (const Origin& origin : origins) {
    std::vector<Arc> arcs;
    for (ContextId context : origin.contexts)
      if (auto found = file.data->arcs.find(context); found != file.data->arcs.end())
        arcs.insert(arcs.end(), found->second.begin(), found->second.end());
    taken.push_back(executed_arcs(file.analysis.source, std::move(arcs)));
  }
  return taken;
}

}  // namespace

std::vector<Arc> append_branches(std::string& out, const AnalyzedFile& file, const std::vector<Origin>& origins,
                                 bool can_choose) {
  const Analysis& analysis = file.analysis;
  const SourceAnalysis& source = analysis.source;
  std::vector<Arc> edges;
  if (analysis.imported) {
    append_imported(out, analysis);
    return edges;
  }
  std::vector<std::vector<Arc>> taken = taken_by_origin(file, origins);
  out += '[';
  auto arc = source.arcs.begin();
  for (const auto& [line, stats] : analysis.branch_stats) {
    while (arc != source.arcs.end() && arc->from < line) ++arc;
    open_branch(out, line, stats[0]);
    out += std::ranges::binary_search(source.no_branch, line) ? ",1,[" : ",0,[";
    for (; arc != source.arcs.end() && arc->from == line; ++arc) {
      if (std::ranges::binary_search(source.excluded, arc->to)) continue;
      if (std::ranges::binary_search(analysis.unknown_branches, *arc)) continue;
      uint32_t mask = 0;
      if (std::ranges::binary_search(analysis.executed_arcs, *arc)) {
        for (size_t i = 0; i < taken.size(); ++i)
          if (std::ranges::binary_search(taken[i], *arc)) mask |= 1U << i;
        if (mask == 0) mask = 1;
      }
      if (out.back() != '[') out += ',';
      append_edge(out, analysis, *arc, mask, can_choose);
      edges.push_back(*arc);
    }
    out += "]]";
  }
  out += ']';
  return edges;
}

}  // namespace qd::report
