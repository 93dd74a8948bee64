// Annotation of a source: state and origins of every line.
#include <fmt/core.h>

#include <algorithm>

#include "report/analysis/kernels/kernel_gaps.h"
#include "report/analysis/numbers.h"
#include "report/data/producers.h"
#include "report/diff/diff_coverage.h"

namespace qd::report {
namespace {

std::vector<std::string> copied_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

bool is_kernel_context(const std::string& context) { return named_arch(context) != kHostArch; }

}  // namespace

std::string BranchCount::text() const { return share_of_branches(missing, total); }

bool AnnotatedSource::has_kernel_lines() const {
  return std::any_of(origins.begin(), origins.end(), [](uint8_t origin) { return (origin & kKernel) != 0; });
}

AnnotatedSource annotate_unmeasured(const std::string& text) {
  AnnotatedSource result;
  result.lines = copied_lines(text);
  result.states.assign(result.lines.size(), LineState::NotStatement);
  result.origins.assign(result.lines.size(), kNobody);
  for (int32_t line = 1; line <= result.n_lines(); ++line) result.first_lines.push_back(line);
  return result;
}

AnnotatedSource annotate(const std::string& text, const Analysis& analysis, const FileData& data,
                         const std::vector<std::string>& contexts) {
  AnnotatedSource result = annotate_unmeasured(text);
  const SourceAnalysis& source = analysis.source;
  size_t n = result.lines.size();
  std::vector<LineState> by_first(n + 1, LineState::NotStatement);
  auto mark = [&](const std::vector<int32_t>& lines, LineState state) {
    for (int32_t line : lines)
      if (line > 0 && static_cast<size_t>(line) <= n) by_first[static_cast<size_t>(line)] = state;
  };
  mark(source.excluded, LineState::Excluded);
  mark(analysis.executed, LineState::Covered);
  mark(analysis.missing, LineState::Missing);
  for (const auto& [line, destinations] : analysis.missing_branches) {
    if (line < 1 || static_cast<size_t>(line) > n) continue;  // a plugin may name lines that do not exist
    auto& state = by_first[static_cast<size_t>(line)];
    if (state != LineState::Covered) continue;
    state = LineState::Partial;
    result.missing_branches[line] = destinations;
    for (auto arc = std::lower_bound(source.arcs.begin(), source.arcs.end(), Arc{line, INT32_MIN});
         arc != source.arcs.end() && arc->from == line; ++arc) {
      if (std::ranges::binary_search(analysis.unknown_branches, *arc)) continue;
      const bool missed = std::find(destinations.begin(), destinations.end(), arc->to) != destinations.end();
      result.branches[line].push_back({*arc, !missed, analysis.arc_description(*arc)});
    }
  }

  if (analysis.imported)
    for (const auto& [line, stats] : analysis.branch_stats)
      if (stats[1] < stats[0] && line > 0 && static_cast<size_t>(line) <= n &&
          by_first[static_cast<size_t>(line)] == LineState::Covered) {
        by_first[static_cast<size_t>(line)] = LineState::Partial;
        result.missing_counts[line] = {stats[0] - stats[1], stats[0]};
      }

  for (const KernelGap& gap : kernel_gaps(analysis)) {
    const AnnotatedSource::KernelState state{gap.state, gap.function->explain(gap.state)};
    for (int32_t line : gap.lines) result.kernel_lines[line] = state;
  }
  for (const auto& [line, destinations] : result.missing_branches) {
    const KernelProbes* function = analysis.kernels.at(line);
    if (!function) continue;
    for (int32_t to : destinations) {
      ProbeState state = function->unreached({line, to});
      result.kernel_branches[{line, to}] = {state, function->explain(state)};
    }
  }

  std::vector<uint8_t> origins(n + 1, kNobody);
  auto ran = [&](int32_t line, bool kernel) {
    if (line <= 0 || static_cast<size_t>(line) > n) return;
    int32_t first = source.logical_line(line);
    if (first <= 0 || static_cast<size_t>(first) > n) return;
    origins[static_cast<size_t>(first)] |= static_cast<uint8_t>(kernel ? kKernel : kHost);
  };
  if (analysis.imported)
    for (int32_t line : analysis.executed) ran(line, false);
  for (const auto& [context, lines] : data.lines)
    for (int32_t line : lines.lines()) ran(line, is_kernel_context(contexts[context]));
  for (const auto& [context, arcs] : data.arcs) {
    bool kernel = is_kernel_context(contexts[context]);
    for (Arc arc : arcs) {
      ran(arc.from, kernel);
      ran(arc.to, kernel);
    }
  }

  for (int32_t line = 1; line <= result.n_lines(); ++line) {
    auto i = static_cast<size_t>(line) - 1;
    int32_t first = source.logical_line(line);
    if (first < 1 || first > line) first = line;
    result.first_lines[i] = first;
    LineState state = by_first[static_cast<size_t>(line)];
    if (state == LineState::NotStatement) state = by_first[static_cast<size_t>(first)];
    result.states[i] = state;
    if (state == LineState::Covered || state == LineState::Partial)
      result.origins[i] = origins[static_cast<size_t>(first)];
  }
  return result;
}

}  // namespace qd::report
