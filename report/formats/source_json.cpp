// The layout of SourceParts::source:
//
//   {"path": "pkg/a.py", "percent": "87", "missing": 3, "states": "cm-p", "kernel": "10", "branches": {"4": "7, exit"}, "lines": ["HTML of line 1", ...]}
//
// `states` has a letter a line: c(overed) m(issing) p(artial) x (excluded) - (no statement), and for missing lines of kernels h (not hit)
// u (not measured) n (not compiled), with the reasons in "why": {"9": "no launch reached it"}; `kernel` is empty when no line ran in one. With
// conditions there are also "outcomes": "3/6" and "conditions": {"4": "HTML of the chip of line 4"}.
#include "report/formats/source_json.h"

#include <fmt/format.h>

#include "report/diff/diff_coverage.h"
#include "report/formats/condition_parts.h"
#include "report/formats/html_parts.h"
#include "report/formats/marks.h"
#include "report/formats/python_colors.h"
#include "report/formats/script_json.h"
#include "report/formats/text.h"

namespace qd::report {
namespace {

std::string json_string(std::string_view text) {
  std::string result;
  append_script_json(result, text);
  return result;
}

char letter(LineState state) {
  switch (state) {
    case LineState::NotStatement: return '-';
    case LineState::Covered: return 'c';
    case LineState::Partial: return 'p';
    case LineState::Missing: return 'm';
    case LineState::Excluded: return 'x';
  }
  return '-';
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

/// "14, exit", with what is known of a destination in a kernel that was not measured.
std::string missing_destinations(const AnnotatedSource& source, int32_t line, const std::vector<int32_t>& to) {
  std::string result;
  for (int32_t destination : to) {
    result += (result.empty() ? "" : ", ") + destinations({destination});
    auto known = source.kernel_branches.find({line, destination});
    if (known != source.kernel_branches.end() && known->second.state != ProbeState::NotHit)
      result += fmt::format(" – {}: {}", name(known->second.state), known->second.why);
  }
  return result;
}

std::string json_of_conditions(const Analysis& analysis) {
  std::string chips;
  for (const auto& [line, decisions] : by_line(analysis.conditions.decisions))
    chips += fmt::format("{}\"{}\":{}", chips.empty() ? "" : ",", line,
                         json_string(conditions_html(decisions, line, anchor_id(analysis.relative, line) + ":C")));
  ConditionNumbers numbers = analysis.conditions.numbers();
  return fmt::format(",\"outcomes\":\"{}/{}\",\"conditions\":{{{}}}", numbers.n_seen_outcomes(), numbers.n_outcomes, chips);
}

std::string json_of(const Analysis& analysis, const AnnotatedSource& source, const SourceJsonOptions& options) {
  std::string states, kernel, branches, why, lines;
  auto colors = python_colors(source.lines);
  for (int32_t line = 1; line <= source.n_lines(); ++line) {
    auto i = static_cast<size_t>(line) - 1;
    auto known = source.kernel_lines.find(source.first_lines[i]);
    if (source.state(line) == LineState::Missing && known != source.kernel_lines.end()) {
      states += letter(known->second.state);
      why += fmt::format("{}\"{}\":{}", why.empty() ? "" : ",", line, json_string(visible(known->second.why)));
    } else {
      states += letter(source.state(line));
    }
    kernel += (source.origins[i] & kKernel) != 0 ? '1' : '0';
    lines += fmt::format("{}{}", i == 0 ? "" : ",", json_string(color_line(source.lines[i], colors[i])));
  }
  for (const auto& [line, to] : source.missing_branches)
    branches += fmt::format("{}\"{}\":{}", branches.empty() ? "" : ",", line, json_string(missing_destinations(source, line, to)));
  if (!why.empty()) why = fmt::format(",\"why\":{{{}}}", why);
  return fmt::format("{{\"path\":{},\"percent\":\"{}\",\"missing\":{},\"states\":\"{}\",\"kernel\":\"{}\",\"branches\":{{{}}}{}{},\"lines\":[{}]}}",
                     json_string(visible(analysis.relative)), analysis.numbers.pc_covered_str(options.precision), analysis.numbers.n_missing, states,
                     source.has_kernel_lines() ? kernel : "", branches, why, options.conditions ? json_of_conditions(analysis) : "", lines);
}

}  // namespace

SourceParts source_parts(const AnalyzedFile& file, const SourceJsonOptions& options) {
  AnnotatedSource source = annotate(file.text, file.analysis, *file.data, *options.contexts);
  SourceParts parts;
  parts.source = json_of(file.analysis, source, options);
  parts.has_kernel_lines = source.has_kernel_lines();
  for (const auto& [line, known] : source.kernel_lines) parts.has_kernel_states = parts.has_kernel_states || known.state != ProbeState::NotHit;
  return parts;
}

}  // namespace qd::report
