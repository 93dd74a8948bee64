// Layout of SourceParts::source; lists and objects that would be empty are left out:
//
//   {"language": "python" ("c", "text"), "percent": "87", "text": "if a:\n    ...", "states": "pC-m",
//    "branches": [[4, 2, 0, [[7, 1], [-1, 0, [[5, 1, "f"]], "not measured: ..."]]], ...],
//    "regions": [["f", "C.method", 3, [4, 9, 12, 20]], ...],
//    "hits": [3, 1, 4, 250, ...], "functions": [[3, 1, 0], ...], "origins": ["host", "cpu"], "ran": [[1, 3, 9, 9], [4,
//    7]], "kernels": [[4, 7]], "why": {"9": "no launch reached it"}, "contexts": 12, "conditions": {"4": {"chip":
//    ["part", 3, 6, "label"], "decisions": [...]}}, "gradients": {"done": [4, 9], "never": [12]}}
//
// `states` has a letter a line: c(overed) m(issing) p(artial) x (excluded) - (no statement), and for missing lines of
// kernels h (not hit) u (not measured) n (not compiled), for which "why" has the reasons; a capital letter for a line
// that continues a statement. A branch is its line, its number of exits, 1 when its missing edges are forgiven, and its
// edges: destination (negative: an exit), the origins that took it (a bit each, the first one alone when there are no
// "origins"), its reasons (cause and action as numbered in arc_descriptions.h, name; a plugin's sentence is a text) or
// 0, and its state in a kernel. Edges of an imported file go to 0, have their name for that (none: the input does not
// tell them apart), and then the number of times that they were taken, if it is known. Ranges are first, last, first,
// last ...: those of a region are lines; those of "ran" (for each origin) break at statements only. "kernels" are the
// bodies of kernels and funcs, which no host code runs, for a reader who chooses some of several origins.
//
// "hits" are of an imported file: lines, each with its execution count, 2^53 at most (the largest exact integer of a
// browser). "functions" are the kernels and funcs: line of the def, 1 for a kernel, kernel_state(). "variants" are of
// kernels, of funcs, and of templates in an imported file: line of the def, 1 for a kernel, 2 for a func, 0 for a
// template, and a list of [name, device, launches, calls or the kernel that has the func, executed statements,
// statements, branches taken, branches, ranges of missing lines]; without the last five if only calls are known.
//
// "gradients": lines that ran and that a derivative passes through, those that were differentiated, and the others.
//
// SourceParts::contexts: {"runs": [[context, ranges, edges, evaluations], ...]}; edges are counted over all branches,
// evaluations over all decisions.
#include "report/formats/html/source_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/analysis/kernels/arch_coverage.h"
#include "report/analysis/kernels/kernel_gaps.h"
#include "report/formats/common/text.h"
#include "report/formats/html/condition_parts.h"
#include "report/formats/html/html_kernels.h"
#include "report/formats/html/page_data.h"
#include "report/formats/html/source_colors.h"
#include "report/formats/html/source_json_parts.h"
#include "report/formats/html/source_runs.h"

namespace qd::report {
namespace {

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

class SourceWriter {
 public:
  SourceWriter(const AnalyzedFile& file, const SourceJsonOptions& options)
      : file_(file), analysis_(file.analysis), source_(file.analysis.source), options_(options) {
    n_ = static_cast<size_t>(std::count(file.text.begin(), file.text.end(), '\n')) +
         (file.text.empty() || file.text.back() == '\n' ? 0 : 1);
  }

  SourceParts write() {
    LineRanges kernels;
    if (!options_.archs.empty()) kernels = kernel_bodies(analysis_, *file_.data, *options_.contexts);
    // A file with kernels lists all devices of the data, also those on which none of it ran.
    std::vector<Origin> origins =
        origins_of(*file_.data, *options_.contexts, kernels.empty() ? std::vector<std::string>() : options_.archs);
    SourceRuns runs(file_, n_);
    std::string& out = parts_.source;
    out.reserve(file_.text.size() + file_.text.size() / 8 + 2 * n_ + 256);
    out += fmt::format("{{\"language\":\"{}\"", analysis_.plugin                  ? "text"
                                                : is_cpp_name(analysis_.relative) ? "c"
                                                                                  : "python");
    out += ",\"percent\":\"" + analysis_.numbers.pc_covered_str(options_.precision) + "\",\"text\":";
    append_script_json(out, file_.text);
    add_states();
    std::vector<Arc> edges;
    if (!analysis_.branch_stats.empty()) {
      out += ",\"branches\":";
      edges = append_branches(out, file_, origins, options_.show_contexts || origins.size() > 1);
    }
    add_regions();
    add_hits();
    add_functions();
    append_variants(out, analysis_, n_);
    if (origins.size() > 1 || (origins.size() == 1 && origins[0].name != kHostArch)) {
      out += ",\"origins\":";
      parts_.has_kernel_lines = runs.append_origins(out, origins);
      if (origins.size() > 1) add_kernels(kernels);
    }
    DecisionsByLine decisions;
    if (options_.conditions) decisions = by_line(analysis_.conditions.decisions);
    std::vector<const DecisionCoverage*> in_order;
    for (const auto& [line, of_line] : decisions) in_order.insert(in_order.end(), of_line.begin(), of_line.end());
    SourceEvaluations evaluations(*file_.data, std::move(in_order));
    if (!decisions.empty()) add_conditions(decisions, evaluations, origins);
    if (options_.gradients && !analysis_.gradients.lines.empty()) add_gradients();
    if (options_.show_contexts) {
      if (int64_t n_contexts = runs.append_contexts(parts_.contexts, edges, evaluations))
        out += fmt::format(",\"contexts\":{}", n_contexts);
    }
    out += '}';
    return std::move(parts_);
  }

 private:
  bool in_file(int32_t line) const { return line > 0 && static_cast<size_t>(line) <= n_; }

  /// Adds the lines that ran and that a derivative passes through: those that were differentiated, and the others.
  void add_gradients() {
    std::string done, never;
    for (int32_t line : analysis_.gradients.lines) {
      std::string& list = std::ranges::binary_search(analysis_.gradients.missing, line) ? never : done;
      if (!in_file(line)) continue;
      if (!list.empty()) list += ',';
      append_number(list, line);
    }
    parts_.source += fmt::format(",\"gradients\":{{\"done\":[{}],\"never\":[{}]}}", done, never);
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
        if (stats[1] < stats[0] && in_file(line) && states[static_cast<size_t>(line)] == 'c')
          states[static_cast<size_t>(line)] = 'p';
    std::string why;
    for (const KernelGap& gap : kernel_gaps(analysis_)) {
      std::string reason;
      append_script_json(reason, visible(gap.function->explain(gap.state)));
      parts_.has_kernel_states = parts_.has_kernel_states || !gap.lines.empty();
      for (int32_t line : gap.lines) {
        if (!in_file(line)) continue;
        states[static_cast<size_t>(line)] = letter(gap.state);
        why += why.empty() ? "\"" : ",\"";
        append_number(why, line);
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

  void add_regions() {
    if (source_.regions.empty()) return;
    std::string& out = parts_.source;
    out += ",\"regions\":[";
    for (const CodeRegion& region : source_.regions) {
      out += out.back() == '[' ? "[" : ",[";
      out += region.kind == CodeRegion::Kind::Function ? "\"f\"," : "\"c\",";
      append_script_json(out, region.name);
      out += ',';
      append_number(out, region.start);
      out += ',';
      JsonRanges ranges(out);
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

  void add_hits() {
    if (!analysis_.imported || analysis_.imported->lines.empty()) return;
    std::string& out = parts_.source;
    out += ",\"hits\":[";
    for (const ImportedLine& line : analysis_.imported->lines) {
      if (!in_file(line.line)) continue;
      if (out.back() != '[') out += ',';
      append_number(out, line.line);
      append_number(out += ',', browser_number(line.hits));
    }
    out += ']';
  }

  void add_functions() {
    std::string& out = parts_.source;
    for (const KernelProbes& function : analysis_.kernels.functions)
      out += fmt::format("{}[{},{},{}]", &function == &analysis_.kernels.functions.front() ? ",\"functions\":[" : ",",
                         function.source.def_line, kernel_kind(function), kernel_state(function));
    if (!analysis_.kernels.functions.empty()) out += ']';
  }

  void add_kernels(const LineRanges& kernels) {
    if (kernels.empty()) return;
    std::string& out = parts_.source;
    out += ",\"kernels\":[";
    for (const auto& [first, last] : kernels)
      out += fmt::format("{}[{},{}]", out.back() == '[' ? "" : ",", first, last);
    out += ']';
  }

  void add_conditions(const DecisionsByLine& decisions, const SourceEvaluations& evaluations,
                      const std::vector<Origin>& origins) {
    bool can_choose = options_.show_contexts || origins.size() > 1;
    OriginsOf origins_of;
    if (can_choose)
      origins_of = [&](const DecisionCoverage& decision) { return evaluations.origins_of(decision, origins); };
    std::string& out = parts_.source;
    out += ",\"conditions\":{";
    for (const auto& [line, of_line] : decisions) {
      if (out.back() != '{') out += ',';
      out += fmt::format("\"{}\":", line);
      append_conditions_json(out, of_line, line, origins_of);
    }
    out += '}';
  }

  const AnalyzedFile& file_;
  const Analysis& analysis_;
  const SourceAnalysis& source_;
  const SourceJsonOptions& options_;
  size_t n_ = 0;  // physical lines
  SourceParts parts_;
};

}  // namespace

SourceParts source_parts(const AnalyzedFile& file, const SourceJsonOptions& options) {
  return SourceWriter(file, options).write();
}

}  // namespace qd::report
