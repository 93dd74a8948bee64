// File of the HTML report: its row in the index, and its parts.
#include "report/formats/html/html_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/formats/common/text.h"
#include "report/formats/html/page_data.h"

namespace qd::report {
namespace {

/// Number of the statements that each test ran, in all of its contexts together.
std::vector<std::pair<uint32_t, int32_t>> runs_of(const AnalyzedFile& file, const ContextTests& tests) {
  const SourceAnalysis& source = file.analysis.source;
  std::vector<bool> statement(static_cast<size_t>(source.n_lines) + 1);
  for (int32_t line : source.statements)
    if (line > 0 && line <= source.n_lines) statement[static_cast<size_t>(line)] = true;
  std::map<uint32_t, std::vector<int32_t>> ran;  // [test] -> lines
  for (const auto& [context, numbits] : file.data->lines) {
    const std::vector<int32_t> lines = numbits.lines();
    std::vector<int32_t>& of_test = ran[tests.of[context]];
    of_test.insert(of_test.end(), lines.begin(), lines.end());
  }
  for (const auto& [context, arcs] : file.data->arcs) {
    std::vector<int32_t>& of_test = ran[tests.of[context]];
    for (const Arc& arc : arcs) {
      if (arc.from > 0) of_test.push_back(arc.from);
      if (arc.to > 0) of_test.push_back(arc.to);
    }
  }
  std::vector<std::pair<uint32_t, int32_t>> runs;
  for (auto& [test, lines] : ran) {
    for (int32_t& line : lines) line = line <= source.n_lines ? source.logical_line(line) : 0;
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    const auto n = std::count_if(lines.begin(), lines.end(), [&](int32_t line) {
      return line > 0 && line <= source.n_lines && statement[static_cast<size_t>(line)];
    });
    if (n > 0) runs.emplace_back(test, static_cast<int32_t>(n));
  }
  return runs;
}

/// Whether a file has functions, or classes: with plugins, not every file does.
bool has_regions(const Analysis& analysis, std::string_view kind) {
  if (!analysis.plugin) return true;
  const auto& kinds = analysis.plugin->region_kinds;
  return std::any_of(kinds.begin(), kinds.end(), [&](const auto& names) { return names.first == kind; });
}

}  // namespace

HtmlFile html_file(AnalyzedFile&& file, const HtmlReportOptions& options) {
  HtmlFile result;
  result.relative = file.analysis.relative;
  result.path = displayed(result.relative);
  result.numbers = file.analysis.numbers;
  result.condition_numbers = file.analysis.conditions.numbers();
  const Numbers& n = result.numbers;
  const ConditionNumbers& conditions = result.condition_numbers;
  const GradientNumbers gradients = file.analysis.gradients.numbers();
  const std::vector<ArchCoverage> archs = arch_coverage(file.analysis, *file.data, *options.contexts, options.archs);
  result.arch_numbers = ArchCounter(archs).count({kAllLines}, n);
  bool conditions_covered = !options.conditions || is_covered(conditions);
  result.skipped_as_covered = options.skip_covered && n.n_missing == 0 && n.n_partial_branches == 0 &&
                              conditions_covered && (!options.gradients || gradients.n_missing == 0);
  result.listed = !result.skipped_as_covered && !(options.skip_empty && n.n_statements == 0);
  if (result.listed) {
    SourceJsonOptions source_options;
    source_options.precision = options.precision;
    source_options.conditions = options.conditions;
    source_options.gradients = options.gradients;
    source_options.show_contexts = options.show_contexts;
    source_options.contexts = options.contexts;
    source_options.archs = options.archs;
    SourceParts parts = source_parts(file, source_options);
    result.has_kernel_lines = parts.has_kernel_lines;
    result.has_kernel_states = parts.has_kernel_states;
    std::string_view name = std::string_view(result.path).substr(result.path.rfind('/') + 1);
    auto part = [&](const std::string& json) {
      return options.folder ? options.folder->write(name, packed(json)) : packed(json);
    };
    result.source = part(parts.source);
    if (!parts.contexts.empty()) result.contexts = part(parts.contexts);
    RegionChoice choice{options.skip_covered, options.skip_empty, options.conditions, options.gradients};
    if (has_regions(file.analysis, "function"))
      result.functions = region_rows(file.analysis, archs, CodeRegion::Kind::Function, choice);
    if (has_regions(file.analysis, "class"))
      result.classes = region_rows(file.analysis, archs, CodeRegion::Kind::Class, choice);
    result.kernels = kernel_rows(file.analysis, *file.data, *options.contexts, archs, options.gradients);
    if (options.show_contexts) result.runs = runs_of(file, options.tests);
    append_script_json(result.row, result.path);
    result.row += fmt::format(
        ",{},{}{}", result.has_kernel_lines ? 1 : 0,
        index_numbers(n, options.gradients ? &gradients : nullptr, options.conditions ? &conditions : nullptr),
        result.arch_numbers.differ_from(n) ? result.arch_numbers.json() : "");
  }
  result.conditions = std::move(file.analysis.conditions);
  result.gradients = std::move(file.analysis.gradients);
  return result;
}

}  // namespace qd::report
