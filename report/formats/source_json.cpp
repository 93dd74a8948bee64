// The layout of SourceParts::source; what a file has none of is left out:
//
//   {"language": "python", "percent": "87", "text": "if a:\n    ...", "states": "pC-m",
//    "branches": [[4, 2, 0, [[7, 1], [-1, 0, [[5, 1, "f"]], "not measured: ..."]]], ...],
//    "regions": [["f", "C.method", 3, [4, 9, 12, 20]], ...],
//    "origins": ["host", "cpu"], "ran": [[1, 3, 9, 9], [4, 7]], "why": {"9": "no launch reached it"}, "contexts": 12,
//    "outcomes": "3/6", "conditions": {"4": {"chip": ["part", 3, 6, "label"], "decisions": [...]}}}
//
// `states` has a letter a line: c(overed) m(issing) p(artial) x (excluded) - (no statement), and for missing lines of kernels h (not hit) u (not measured)
// n (not compiled), of which "why" has the reasons; a capital where a statement goes on from the line before. A branch is its line, its number of exits, 1 when
// its missing edges are forgiven, and its edges: destination (negative: an exit), the origins that took it (a bit each, the first one alone when there are
// no "origins"), its reasons (cause and action as numbered in arc_descriptions.h, name) or 0, and what is known of it in a kernel. Edges of an imported file go to 0,
// have their name for that (none: the input does not tell them apart), and then how often they were taken, where that is known. Ranges are
// first, last, first, last ...: those of a region are lines; those of "ran" (for each origin) break at statements only.
//
// SourceParts::contexts: {"runs": [[context, ranges, edges], ...]}; edges are counted over all branches.
#include "report/formats/source_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "report/analysis/kernel_gaps.h"
#include "report/formats/condition_parts.h"
#include "report/formats/script_json.h"
#include "report/formats/text.h"

namespace qd::report {
namespace {

constexpr uint64_t kMostTimes = (uint64_t{1} << 53) - 1;  // JavaScript has no greater whole numbers

void append(std::string& out, int64_t value) {
  char digits[20];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

char letter(ProbeState state) {
  switch (state) {
    case ProbeState::Hit: return 'c';
    case ProbeState::NotHit: return 'h';
    case ProbeState::LeftOut:
    case ProbeState::NotHeld:
    case ProbeState::Failed: return 'u';
    case ProbeState::NotCompiled: return 'n';
  }
  return 'm';
}

/// How the page is to colour a source: it knows Python and the C family.
const char* language(std::string_view path) {
  size_t dot = path.rfind('.');
  std::string_view extension = dot == path.npos ? "" : path.substr(dot + 1);
  for (std::string_view other : {"c", "cc", "cpp", "cxx", "cu", "cuh", "h", "hh", "hpp", "hxx", "inl", "ipp", "hip", "m", "mm"})
    if (extension == other) return "c";
  return "python";
}

/// A range list in the making: numbers that come in order; those that are not taken end a range.
class Ranges {
 public:
  explicit Ranges(std::string& out) : out_(out) { out_ += '['; }
  void take(int32_t line) {
    if (first_ == 0) first_ = line;
    last_ = line;
  }
  void end_range() {
    if (first_ == 0) return;
    if (out_.back() != '[') out_ += ',';
    append(out_, first_);
    out_ += ',';
    append(out_, last_);
    first_ = 0;
  }
  void finish() {
    end_range();
    out_ += ']';
  }

 private:
  std::string& out_;
  int32_t first_ = 0, last_ = 0;
};

class SourceWriter {
 public:
  SourceWriter(const AnalyzedFile& file, const SourceJsonOptions& options)
      : analysis_(file.analysis), source_(file.analysis.source), text_(file.text), data_(*file.data), options_(options) {
    n_ = static_cast<size_t>(std::count(text_.begin(), text_.end(), '\n')) + (text_.empty() || text_.back() == '\n' ? 0 : 1);
  }

  SourceParts write() {
    find_origins();
    std::string& out = parts_.source;
    out.reserve(text_.size() + text_.size() / 8 + 2 * n_ + 256);
    out += fmt::format("{{\"language\":\"{}\"", language(analysis_.relative));
    out += ",\"percent\":\"" + analysis_.numbers.pc_covered_str(options_.precision) + "\",\"text\":";
    append_script_json(out, text_);
    add_states();
    add_branches();
    add_regions();
    if (origins_.size() > 1 || (origins_.size() == 1 && origins_[0] != "host")) add_ran();
    if (options_.conditions) add_conditions();
    if (options_.show_contexts) add_contexts();
    out += '}';
    return std::move(parts_);
  }

 private:
  bool in_file(int32_t line) const { return line > 0 && static_cast<size_t>(line) <= n_; }

  /// The statements that were executed in a context, marked in `seen`.
  void mark_executed(ContextId context, std::vector<bool>& seen) const {
    auto mark = [&](int32_t line) {
      if (!in_file(line)) return;
      int32_t first = source_.logical_line(line);
      if (in_file(first)) seen[static_cast<size_t>(first)] = true;
    };
    if (auto found = data_.lines.find(context); found != data_.lines.end())
      for (int32_t line : found->second.lines()) mark(line);
    if (auto found = data_.arcs.find(context); found != data_.arcs.end())
      for (const Arc& arc : found->second) {
        mark(arc.from);
        mark(arc.to);
      }
  }

  /// Host code, and each device that kernels ran on; and which contexts belong to each.
  void find_origins() {
    std::map<std::string, std::vector<ContextId>> archs;
    auto add = [&](ContextId context) { archs[arch_of_context((*options_.contexts)[context])].push_back(context); };
    for (const auto& [context, lines] : data_.lines) add(context);
    for (const auto& [context, arcs] : data_.arcs) add(context);
    for (auto& [arch, contexts] : archs) {
      if (origins_.size() == 31) break;  // a bit each
      origins_.push_back(arch.empty() ? "host" : arch);
      contexts_of_.push_back(std::move(contexts));
    }
    can_choose_ = options_.show_contexts || origins_.size() > 1;
  }

  void add_states() {
    std::string states(n_ + 1, '-');
    auto mark = [&](const std::vector<int32_t>& lines, char state) {
      for (int32_t line : lines)
        if (in_file(line)) states[static_cast<size_t>(line)] = state;
    };
    mark(source_.excluded, 'x');
    mark(analysis_.executed, 'c');
    mark(analysis_.missing, 'm');
    for (const auto& [line, to] : analysis_.missing_branches)
      if (in_file(line) && states[static_cast<size_t>(line)] == 'c') states[static_cast<size_t>(line)] = 'p';
    if (analysis_.imported)
      for (const auto& [line, stats] : analysis_.branch_stats)
        if (stats[1] < stats[0] && in_file(line) && states[static_cast<size_t>(line)] == 'c') states[static_cast<size_t>(line)] = 'p';
    std::string why;
    for (const KernelGap& gap : kernel_gaps(analysis_)) {
      std::string reason;
      append_script_json(reason, visible(gap.function->explain(gap.state)));
      parts_.has_kernel_states = parts_.has_kernel_states || (gap.state != ProbeState::NotHit && !gap.lines.empty());
      for (int32_t line : gap.lines) {
        if (!in_file(line)) continue;
        states[static_cast<size_t>(line)] = letter(gap.state);
        why += why.empty() ? "\"" : ",\"";
        append(why, line);
        why += "\":" + reason;
      }
    }
    for (size_t line = 1; line <= n_; ++line) {
      if (states[line] != '-') continue;
      int32_t first = source_.logical_line(static_cast<int32_t>(line));
      if (first < 1 || static_cast<size_t>(first) >= line) continue;
      char state = states[static_cast<size_t>(first)];
      if (state != '-') states[line] = static_cast<char>(state - 'a' + 'A');
    }
    parts_.source += ",\"states\":\"";
    parts_.source.append(states, 1).append("\"");
    if (!why.empty()) parts_.source += ",\"why\":{" + why + "}";
  }

  /// What is known of a branch that nobody took, in a kernel; empty: nothing that the sentence on it does not say.
  std::string kernel_edge(const Arc& arc) const {
    const KernelProbes* function = analysis_.kernels.at(arc.from);
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

  void add_edge(const Arc& arc, uint32_t mask) {
    std::string& out = parts_.source;
    out += '[';
    append(out, arc.to);
    out += ',';
    append(out, mask);
    std::string known;
    if (mask == 0 && !analysis_.kernels.functions.empty()) known = kernel_edge(arc);
    auto reasons = mask == 0 || arc.to < 0 || can_choose_ ? source_.arc_reasons.find(arc) : source_.arc_reasons.end();
    if (reasons != source_.arc_reasons.end()) {
      out += ",[";
      for (const ArcReason& reason : reasons->second) {
        out += out.back() == '[' ? "[" : ",[";
        append(out, static_cast<int64_t>(reason.cause));
        out += ',';
        append(out, static_cast<int64_t>(reason.action));
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

  /// With a name for each, unless all that is known is how many were taken. Decisions (conditions, where a branch is its value) are numbered as they stand in the line.
  std::vector<std::pair<std::string, const ImportedBranch*>> imported_branches(int32_t line) const {
    auto branches = analysis_.imported->branches_of(line);
    bool several = !branches.empty() && branches.front().block != branches.back().block;
    bool known = analysis_.imported->sources != std::set<std::string>{"cobertura"};
    std::vector<std::pair<std::string, const ImportedBranch*>> named;
    int32_t decision = 0, number = 0;
    for (const ImportedBranch& branch : branches) {
      if (named.empty() || branch.block != named.back().second->block) {
        ++decision;
        number = 0;
      }
      std::string name = branch.text.empty() ? fmt::format("branch {}", ++number) : visible(branch.text);
      if (several) name = fmt::format("{} {}: {}", branch.text == "true" || branch.text == "false" ? "condition" : "decision", decision, name);
      named.emplace_back(known ? name : "", &branch);
    }
    return named;
  }

  void add_imported_branches() {
    std::string& out = parts_.source;
    out += ",\"branches\":[";
    for (const auto& [line, stats] : analysis_.branch_stats) {
      out += out.back() == '[' ? "[" : ",[";
      append(out, line);
      out += ',';
      append(out, stats[0]);
      out += ",0,[";
      for (const auto& [name, branch] : imported_branches(line)) {
        out += out.back() == '[' ? "[0," : ",[0,";
        out += branch->was_taken() ? "1,0," : "0,0,";
        append_script_json(out, name);
        if (branch->taken && !name.empty()) append(out += ',', static_cast<int64_t>(std::min<uint64_t>(*branch->taken, kMostTimes)));
        out += ']';
      }
      out += "]]";
    }
    out += ']';
  }

  void add_branches() {
    if (analysis_.branch_stats.empty()) return;
    if (analysis_.imported) return add_imported_branches();
    std::vector<std::vector<Arc>> taken;
    if (origins_.size() > 1) {
      for (const std::vector<ContextId>& contexts : contexts_of_) {
        std::vector<Arc> arcs;
        for (ContextId context : contexts)
          if (auto found = data_.arcs.find(context); found != data_.arcs.end()) arcs.insert(arcs.end(), found->second.begin(), found->second.end());
        taken.push_back(executed_arcs(source_, std::move(arcs)));
      }
    }
    std::string& out = parts_.source;
    out += ",\"branches\":[";
    auto arc = source_.arcs.begin();
    for (const auto& [line, stats] : analysis_.branch_stats) {
      while (arc != source_.arcs.end() && arc->from < line) ++arc;
      out += out.back() == '[' ? "[" : ",[";
      append(out, line);
      out += ',';
      append(out, stats[0]);
      out += std::binary_search(source_.no_branch.begin(), source_.no_branch.end(), line) ? ",1,[" : ",0,[";
      for (; arc != source_.arcs.end() && arc->from == line; ++arc) {
        if (std::binary_search(source_.excluded.begin(), source_.excluded.end(), arc->to)) continue;
        uint32_t mask = 0;
        if (std::binary_search(analysis_.executed_arcs.begin(), analysis_.executed_arcs.end(), *arc)) {
          for (size_t i = 0; i < taken.size(); ++i)
            if (std::binary_search(taken[i].begin(), taken[i].end(), *arc)) mask |= 1U << i;
          if (mask == 0) mask = 1;
        }
        if (out.back() != '[') out += ',';
        add_edge(*arc, mask);
        edges_.push_back(*arc);
      }
      out += "]]";
    }
    out += ']';
  }

  void add_regions() {
    if (source_.regions.empty()) return;
    std::string& out = parts_.source;
    out += ",\"regions\":[";
    for (const Region& region : source_.regions) {
      out += out.back() == '[' ? "[" : ",[";
      out += region.kind == Region::Kind::Function ? "\"f\"," : "\"c\",";
      append_script_json(out, region.name);
      out += ',';
      append(out, region.start);
      out += ',';
      Ranges ranges(out);
      int32_t before = 0;
      for (int32_t line : region.lines) {
        if (line != before + 1) ranges.end_range();
        ranges.take(line);
        before = line;
      }
      ranges.finish();
      out += ']';
    }
    out += ']';
  }

  void add_lines(std::string& out, const std::vector<bool>& seen) const {
    Ranges ranges(out);
    for (int32_t line : source_.statements) {
      if (in_file(line) && seen[static_cast<size_t>(line)]) ranges.take(line);
      else ranges.end_range();
    }
    ranges.finish();
  }

  void add_ran() {
    std::string& out = parts_.source;
    std::string names;
    for (size_t i = 0; i < origins_.size(); ++i) {
      if (i > 0) names += ',';
      append_script_json(names, visible(origins_[i]));
    }
    out += ",\"origins\":[" + names + "],\"ran\":[";
    for (size_t i = 0; i < origins_.size(); ++i) {
      std::vector<bool> seen(n_ + 1);
      for (ContextId context : contexts_of_[i]) mark_executed(context, seen);
      if (i > 0) out += ',';
      add_lines(out, seen);
      if (origins_[i] == "host") continue;
      for (int32_t line : source_.statements) parts_.has_kernel_lines = parts_.has_kernel_lines || (in_file(line) && seen[static_cast<size_t>(line)]);
    }
    out += ']';
  }

  void add_conditions() {
    ConditionNumbers numbers = analysis_.conditions.numbers();
    std::string& out = parts_.source;
    if (analysis_.conditions.decisions.empty()) return;
    out += fmt::format(",\"outcomes\":\"{}/{}\",\"conditions\":{{", numbers.n_seen_outcomes(), numbers.n_outcomes);
    for (const auto& [line, decisions] : by_line(analysis_.conditions.decisions)) {
      if (out.back() != '{') out += ',';
      out += fmt::format("\"{}\":", line);
      append_conditions_json(out, decisions, line);
    }
    out += '}';
  }

  void add_contexts() {
    std::vector<std::pair<Arc, int64_t>> edges;
    for (size_t i = 0; i < edges_.size(); ++i) edges.emplace_back(edges_[i], static_cast<int64_t>(i));
    std::sort(edges.begin(), edges.end());
    std::string& out = parts_.contexts;
    int64_t n = 0;
    auto add = [&](ContextId context) {
      std::vector<bool> seen(n_ + 1);
      mark_executed(context, seen);
      std::string lines;
      add_lines(lines, seen);
      if (lines == "[]") return;
      out += n++ == 0 ? "{\"runs\":[[" : ",[";
      append(out, context);
      out += "," + lines + ",[";
      if (auto found = data_.arcs.find(context); found != data_.arcs.end() && !edges.empty()) {
        std::vector<int64_t> taken;
        for (const Arc& arc : executed_arcs(source_, found->second)) {
          auto edge = std::lower_bound(edges.begin(), edges.end(), std::pair<Arc, int64_t>(arc, 0));
          if (edge != edges.end() && edge->first == arc) taken.push_back(edge->second);
        }
        std::sort(taken.begin(), taken.end());
        taken.erase(std::unique(taken.begin(), taken.end()), taken.end());
        for (size_t i = 0; i < taken.size(); ++i) {
          if (i > 0) out += ',';
          append(out, taken[i]);
        }
      }
      out += "]]";
    };
    for (const auto& [context, lines] : data_.lines) add(context);
    for (const auto& [context, arcs] : data_.arcs) add(context);
    if (n == 0) return;
    out += "]}";
    parts_.source += ",\"contexts\":";
    append(parts_.source, n);
  }

  const Analysis& analysis_;
  const SourceAnalysis& source_;
  const std::string& text_;
  const FileData& data_;
  const SourceJsonOptions& options_;
  size_t n_ = 0;                  // physical lines
  std::vector<std::string> origins_;
  std::vector<std::vector<ContextId>> contexts_of_;  // [origin]
  bool can_choose_ = false;  // of what ran, the reader can choose a part, where other edges are missing
  std::vector<Arc> edges_;                           // of all branches, as they stand in the data
  SourceParts parts_;
};

}  // namespace

SourceParts source_parts(const AnalyzedFile& file, const SourceJsonOptions& options) { return SourceWriter(file, options).write(); }

}  // namespace qd::report
