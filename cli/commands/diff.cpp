// `qd-cov diff`: coverage of the changes since a branch.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/measure/killed_runs.h"
#include "cli/options/arch_option.h"
#include "cli/options/change_options.h"
#include "cli/options/condition_options.h"
#include "cli/options/gates.h"
#include "cli/options/gradient_options.h"
#include "cli/options/input_options.h"
#include "cli/python/plugins.h"
#include "cli/python/python_version.h"
#include "cli/reported/base_report.h"
#include "cli/reported/diff_data.h"
#include "cli/reported/diff_outputs.h"
#include "cli/reported/diff_selection.h"
#include "cli/reported/lowered_gates.h"
#include "cli/reported/reported_data.h"
#include "report/diff/diff_coverage.h"
#include "report/gate/condition_gates.h"
#include "report/gate/gradient_gate.h"

namespace qd::cli {

namespace {

namespace fs = std::filesystem;
using report::DiffCoverage;

void add_data_options_of_diff(CommandLine& line) {
  line.group("Data");
  line.add("data-file",
           "Read coverage data for the report from this file. Defaults to '.coverage'. [env: COVERAGE_FILE]", kText,
           "INFILE");
  line.add("input",
           "Data file, or report of another tool, to add to the data. Reports are LCOV, XML of Cobertura, Clover or "
           "JaCoCo, JSON of gcov, gcovr or llvm-cov. With 'NAME=' before it its share is reported too. May be given "
           "several times.",
           kTexts, "[NAME=]FILE");
  add_input_options(line);
  add_arch_option(line);
  add_base_options(line);
  line.add("i,ignore-errors", "A changed file that does not parse counts as not measured.");
  line.add("python",
           "Version of the Python that ran the code, like 3.12. Defaults to that of the active virtual environment, or "
           "of python3 on the PATH.",
           kText, "VERSION");
}

void add_output_options(CommandLine& line) {
  line.group("Output");
  line.add("format",
           "Format of the report, with ':PATH' for its output ('-' is standard output). May be given several times. "
           "One of " +
               diff_format_names() + ". Default: terminal.",
           kTexts, "FORMAT[:PATH]");
  std::vector<std::string> formats;
  for (const report::DiffFormat& format : report::diff_formats()) formats.push_back(format.name);
  line.choices("format", formats);
  line.add("show-uncovered", "Show the changed code under the table: the same as '--format annotated'.");
  line.add("full-report",
           "Path or URL of the page of 'qd-cov html', which may be made later; the page of the change links to it, and "
           "with a URL the comment does. Defaults to the page in the folder [html] directory, if there is one. An "
           "empty text: no link.",
           kText, "PAGE");
  line.add("q,quiet",
           "Print nothing but errors and gates that are missed: no report on the terminal, no warnings, no names of "
           "written files.");
}

void add_diff_options(CommandLine& line) {
  add_change_options(line);
  line.add("changed-lines",
           "Effect of an edit within a statement of several lines: 'statement' counts the statement as changed; "
           "'exact' only a line with numbers of its own, as diff-cover does. Default: 'statement'.",
           kText, "WHAT");
  line.choices("changed-lines", {"statement", "exact"});
  line.add("branch-coverage", "A line that never took one of its branches counts as missing.");
  add_file_options(line);
  add_gate_options(line);
  add_strict_option(line);
  add_data_options_of_diff(line);
  add_output_options(line);
  add_condition_options(line);
  add_gradient_options(line);
  add_diff_cover_options(line);
  line.usual({"compare-branch", "fail-under", "max-missing", "branch-coverage", "include-untracked", "include", "omit",
              "input", "base", "format", "show-uncovered", "quiet"});
}

void apply_changed_lines(const CommandLine& line, report::DiffConfig& config) {
  const std::string what = line.text("changed-lines").value_or(config.changed_lines.value_or("statement"));
  if (what != "statement" && what != "exact")
    throw UsageError(fmt::format("option --changed-lines: '{}' is neither 'statement' nor 'exact'", what));
  config.changed_lines = what;
}

/// Subject of the gates that lost data may let pass, because data alone tells that there is something to cover: the
/// lines of files in reports of other tools; the files of a total; code of kernels on a device, conditions and
/// gradients. Empty when there is no such gate.
const char* known_by_data_alone(const report::DiffGateOptions& gates, const report::ReportGates& more,
                                const DiffCoverage& coverage) {
  auto by_its_report = [](const report::DiffFile& file) { return file.measured() && file.data == nullptr; };
  if (gates.any_threshold() && (std::ranges::any_of(coverage.files, by_its_report) ||
                                std::ranges::any_of(coverage.without_lines, by_its_report)))
    return "Coverage of the change";
  if (gates.fail_under_total || gates.fail_under_base) return "Total coverage";
  const bool of_archs = !gates.require_archs.empty() ||
                        std::ranges::any_of(gates.patterns, [](const auto& one) { return !one.arch.empty(); });
  return of_archs || more.of_conditions() || more.fail_under_gradients ? "Coverage of kernels" : "";
}

/// Path or URL of the page of all files; empty when there is none.
std::string full_report(const CommandLine& line, const report::Config& config) {
  if (auto given = line.text("full-report")) return *given;
  const std::string page = (fs::path(config.html_dir) / "index.html").string();
  std::error_code error;
  return fs::is_regular_file(page, error) ? page : "";
}

/// Current folder relative to the top of the working tree: "", "sub/".
std::string folder_below(const std::string& root) {
  std::error_code error;
  const std::string folder = fs::relative(fs::current_path(), root, error).string();
  return error || folder.empty() || folder == "." ? "" : folder + "/";
}

}  // namespace

int diff(const Arguments& arguments) {
  CommandLine line(
      "diff", "[options] [data files and reports]",
      "Report the coverage of the lines that changed between the merge base with a branch and the working tree. A "
      "missed gate exits with a status of 2.");
  add_diff_options(line);
  line.allow_options_after_arguments();
  if (!line.parse(arguments)) return kOk;

  if (line.flag("quiet")) silence_warnings();
  report::Config config = line.config();
  configure_by_plugins(config, line);
  read_diff_cover_settings(line, config);
  apply_strict_option(line, config);
  apply_diff_cover_options(line, config);
  if (config.diff.quiet) silence_warnings();
  std::vector<DiffOutput> outputs = choose_diff_outputs(config.diff);
  report::DiffGateOptions gates = gate_options(line, config, base_report_file(line, config).has_value());
  apply_condition_options(line, config);
  apply_gradient_options(line, config);
  apply_arch_option(line, config);
  for (const std::string& input : line.values("input")) config.inputs.push_back(input);
  config.ignore_errors = config.ignore_errors || line.flag("ignore-errors");
  const bool more_gates = config.gates.of_conditions() || config.gates.fail_under_gradients;
  if (more_gates && !gates.on_no_data) gates.on_no_data = report::OnNoData::Fail;
  report::ChangeOptions how = change_options(line, config.diff);
  report::Changes changes = report::find_changes(how);
  DiffData measured = read_diff_data(config, line.arguments());
  ask_about_changes(measured, changes, config);
  const report::CoverageData& data = measured.all;

  DiffSelection selection(config, changes.root);
  config.diff.branch_coverage = config.diff.branch_coverage || line.flag("branch-coverage");
  gates.branch_coverage = config.diff.branch_coverage;
  config.diff.require_archs = gates.require_archs;
  apply_changed_lines(line, config.diff);
  report::DiffCoverageOptions options{config, python_minor(line.text("python"))};
  if (!gates.patterns.empty() || config.report_include) {
    const std::vector<std::string> paths = known_paths(changes, data);
    selection.check_include(changes.root, paths);
    report::find_patterns(gates, paths);
  }
  options.wanted = [&](const std::string& path, bool is_measured) { return selection.wanted(path, is_measured); };
  options.omitted = [&](const std::string& path) { return selection.omitted(path); };
  for (const DiffInput& input : measured.inputs) options.inputs.push_back({input.name, &input.data});
  std::unique_ptr<report::BaseComparison> base = open_base(line, config, changes, how, options, selection);
  DiffCoverage coverage = report::diff_coverage(changes, data, options);
  report::ConditionNumbers conditions = coverage.condition_numbers();
  if (std::string note = report::note_of_conditions(data, conditions); config.conditions && !note.empty())
    coverage.notes.push_back(note);
  const std::string no_gradients = report::note_of_gradients(data, coverage.has_kernel_lines());
  if (config.gradients && !no_gradients.empty()) coverage.notes.push_back(no_gradients);
  const bool has_gate = gates.any_threshold() || more_gates;
  if (std::string note = note_of_lowered_gates(line, config, changes, data, selection, options.python_minor, has_gate);
      !note.empty())
    coverage.notes.push_back(note);
  bool wants_overall = base || gates.fail_under_total ||
                       std::any_of(outputs.begin(), outputs.end(),
                                   [](const DiffOutput& output) { return output.format->wants_overall; });
  if (wants_overall) add_overall(coverage, measured.all, config, options.python_minor, base.get());

  const fs::path data_file = fs::absolute(config.data_file).lexically_normal();
  LackingData lost;
  if (line.arguments().empty()) lost.uncombined = ended_runs(data_file.parent_path().string());
  const std::string why = lacking_data(data, lost);
  if (!why.empty()) coverage.notes.push_back(fmt::format("Some data is lacking: {}.", why));

  report::DiffStyle style{config};
  style.threshold = gates.fail_under;
  style.full_report = full_report(line, config);
  style.full_report_folder = folder_below(changes.root);
  style.gates = report::check_diff_gates(coverage, gates);
  const char* lacking = known_by_data_alone(gates, config.gates, coverage);
  if (!why.empty() && *lacking && gates.on_no_data.value_or(report::OnNoData::Fail) == report::OnNoData::Fail)
    style.gates.push_back({"Unread data", "", false, false, fmt::format("{} is not known: {}.", lacking, why)});
  for (report::GateResult& gate : report::condition_gates(data, conditions, config))
    style.gates.push_back(std::move(gate));
  for (report::GateResult& gate : report::gradient_gates(no_gradients, coverage.gradient_numbers(), config))
    style.gates.push_back(std::move(gate));
  write_diff_outputs(outputs, coverage, style, config.diff.quiet);
  return report_gates(style.gates, stderr);
}

}  // namespace qd::cli
