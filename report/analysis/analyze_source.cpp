// Analysis of a source, step by step: exclusions, logical lines, statements, possible arcs.
#include <fmt/core.h>

#include <algorithm>

#include "report/analysis/analysis.h"
#include "report/analysis/source/exclusions.h"
#include "report/analysis/source/line_patterns.h"
#include "report/analysis/source/logical_lines.h"
#include "report/analysis/source/possible_arcs.h"
#include "report/analysis/source/statements.h"
#include "report/regex/python_text.h"
#include "runtime/syntax/parse.h"

namespace qd::report {

namespace {

LineSet matching_lines(const std::string& text, const std::string& path, const std::vector<std::string>& patterns,
                       bool by_line, int32_t n_lines) {
  LineSet result(n_lines);
  try {
    LinePatterns::get(patterns, by_line)->find_lines(text, [&](int32_t first, int32_t last) {
      result.insert(first, last);
    });
  } catch (const RegexLimit& error) {
    throw RegexLimit(fmt::format("Couldn't search '{}' for exclusions and partial branches: {}", path, error.what()));
  }
  return result;
}

LineSet first_lines(const LineSet& lines, const LogicalLines& logical, int32_t n_lines) {
  LineSet result(n_lines);
  for (int32_t line : lines.lines()) result.insert(logical.first_of(line));
  return result;
}

/// Start of the module as old versions of coverage.py have it with Python 3.11 or newer: line 1 stands for the first
/// line with code, if any statement has several lines.
void say_where_the_module_starts(LogicalLines& lines, const LineSet& code, int python_minor) {
  bool any = false;
  for (size_t line = 1; line < lines.last.size(); ++line) any = any || lines.last[line] != static_cast<int32_t>(line);
  std::vector<int32_t> with_code = code.lines();
  if (any && python_minor >= 11 && !with_code.empty()) lines.first[1] = with_code.front();
}

void add_arcs(SourceAnalysis& result, const syntax::Module& module, const LogicalLines& lines, const LineSet& reachable,
              bool descriptions) {
  PossibleArcs possible = find_possible_arcs(module, lines, reachable, descriptions);
  result.with_jumps = std::move(possible.with_jumps);
  result.arc_reasons = std::move(possible.reasons);
  for (Arc arc : replace_with_jumps(possible.arcs, result.with_jumps)) {
    arc = {result.logical_line(arc.from), result.logical_line(arc.to)};
    if (arc.from != arc.to) result.arcs.push_back(arc);
  }
  std::sort(result.arcs.begin(), result.arcs.end());
  result.arcs.erase(std::unique(result.arcs.begin(), result.arcs.end()), result.arcs.end());
  result.count_exits();
}

}  // namespace

int32_t SourceAnalysis::logical_line(int32_t line) const {
  size_t index = static_cast<size_t>(line < 0 ? -line : line);
  if (index >= first_line.size()) return line;
  return line < 0 ? -first_line[index] : first_line[index];
}

void SourceAnalysis::count_exits() {
  LineSet excluded_lines(n_lines);
  for (int32_t line : excluded) excluded_lines.insert(line);
  for (const Arc& arc : arcs)
    if (!excluded_lines.contains(arc.from) && !excluded_lines.contains(arc.to)) ++exit_counts[arc.from];
}

SourceAnalysis analyze_source(const std::string& text, const std::string& path, const Exclusions& exclusions,
                              const AnalysisOptions& options) {
  // CPython refuses such a text as a whole, before it looks for lines.
  if (text.find('\0') != std::string::npos)
    throw NotPython(fmt::format(
        "Couldn't parse '{}' as Python source: 'source code string cannot contain null bytes' at line None", path));
  syntax::ParseResult parsed = syntax::parse(text);
  if (!parsed.module)
    throw NotPython(fmt::format("Couldn't parse '{}' as Python source: {} at line {}", path,
                                python_repr(parsed.error->message), parsed.error->line));
  const syntax::Module& module = *parsed.module;

  SourceAnalysis result;
  result.n_lines = static_cast<int32_t>(std::count(text.begin(), text.end(), '\n'));
  if (!text.empty() && text.back() != '\n') ++result.n_lines;
  LogicalLines lines(module.tokens, result.n_lines);

  bool excludes = std::any_of(exclusions.exclude.begin(), exclusions.exclude.end(),
                              [](const std::string& p) { return !p.empty(); });
  LineSet excluded(result.n_lines);
  if (excludes) excluded = matching_lines(text, path, exclusions.exclude, exclusions.by_line, result.n_lines);
  if (!excluded.empty()) exclude_suites(module.tokens, excluded, exclusions.by_token);
  LineSet code = find_statements(module, result.n_lines, options.python_minor, exclusions.by_token);
  if (exclusions.by_token) say_where_the_module_starts(lines, code, options.python_minor);
  if (!excluded.empty()) excluded = first_lines(excluded, lines, result.n_lines);
  if (!exclusions.by_token) exclude_definitions(module, code, excluded);
  LineSet docstrings = exclusions.by_token ? find_first_strings(module, result.n_lines, options.python_minor)
                                           : find_docstrings(module, result.n_lines);
  auto counts = [&](int32_t line) { return !excluded.contains(line) && !docstrings.contains(line); };
  LineSet statements(result.n_lines);
  for (int32_t line : code.lines())
    if (counts(line) && counts(lines.first_of(line))) statements.insert(lines.first_of(line));
  result.statements = statements.lines();
  result.excluded = excluded.lines();
  result.first_line = std::move(lines.first);
  result.last_line = std::move(lines.last);

  if (options.regions) result.regions = find_regions(module, result.n_lines);
  if (options.conditions) result.decisions = find_decisions(module, result.first_line);
  if (options.kernels) {
    result.functions = function_definitions(module);
    for (KernelDefinition& function : *result.functions) function.def = nullptr;  // the tree goes with the module
  }
  if (options.arcs) {
    lines.first = result.first_line;
    add_arcs(result, module, lines, first_lines(code, lines, result.n_lines), options.descriptions);
  }
  if (options.arcs || options.conditions) {
    lines.first = result.first_line;
    std::vector<std::string> partial = exclusions.partial;
    partial.insert(partial.end(), exclusions.partial_always.begin(), exclusions.partial_always.end());
    result.no_branch =
        first_lines(matching_lines(text, path, partial, exclusions.by_line, result.n_lines), lines, result.n_lines)
            .lines();
  }
  return result;
}

}  // namespace qd::report
