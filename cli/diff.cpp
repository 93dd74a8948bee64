// `qd-cov diff`: coverage of what changed since a branch.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/condition_options.h"
#include "cli/output_file.h"
#include "cli/reported_data.h"
#include "cli/terminal.h"
#include "report/config/glob_matcher.h"
#include "report/config/path_aliases.h"
#include "report/data/combine.h"
#include "report/inputs/inputs.h"
#include "report/diff/diff_coverage.h"
#include "report/formats/diff_formats.h"
#include "report/formats/reported_files.h"
#include "report/gate/gate.h"

namespace qd::cli {

namespace {

namespace fs = std::filesystem;
using report::DiffCoverage;
using report::DiffFormat;
using report::GlobMatcher;

struct Output {
  const DiffFormat* format;
  std::string path;  // "-" is standard output
};

std::string format_names() {
  std::string names;
  for (const DiffFormat& format : report::diff_formats()) names += fmt::format("{}{}", names.empty() ? "" : ", ", format.name);
  return names;
}

// "markdown", "markdown:out.md", "html:-"
Output parse_output(const std::string& text) {
  size_t colon = text.find(':');
  std::string name = text.substr(0, colon);
  for (const DiffFormat& format : report::diff_formats()) {
    if (name != format.name) continue;
    if (colon == std::string::npos) return {&format, format.file ? format.file : "-"};
    if (colon + 1 == text.size()) throw UsageError(fmt::format("option --format: no path after '{}'", text));
    return {&format, text.substr(colon + 1)};
  }
  throw UsageError(fmt::format("option --format: unknown format '{}'; there are {}", name, format_names()));
}

struct MeasuredData {
  report::CoverageData data;
  fs::file_time_type time = fs::file_time_type::min();  // of the newest file
};

/// The data file and what no combine has taken yet of the files beside it, with the paths that [paths] says. They all stay.
MeasuredData read_all_data(const report::Config& config) {
  report::PathAliases aliases(config);
  auto map_path = [&](const std::string& path) { return config.paths.empty() ? path : aliases.map(path); };
  MeasuredData result;
  bool found = false;
  auto take = [&](const std::string& path, const report::CoverageData& part) {
    result.data.update(part, map_path);
    result.time = std::max(result.time, fs::last_write_time(path));
    found = true;
  };
  if (fs::exists(config.data_file)) take(config.data_file, report::read_data(config.data_file));
  for (const std::string& file : report::combinable_files(config.data_file, {})) {
    report::CoverageData part;
    try {
      part = report::read_data(file);
    } catch (const report::DataError& error) {
      warn(error.what());
      continue;
    }
    take(file, part);
  }
  for (const std::string& input : config.inputs) {
    report::CoverageData data = report::require_input(input);
    take(input, data);
  }
  if (!found)
    throw report::NoDataError(fmt::format("No data to report: there is no '{}'; run the tests under 'qd-cov run' first.", config.data_file));
  return result;
}

/// Lines that moved after the tests ran would be taken for others: a note on files that are newer than the data.
void note_newer_files(DiffCoverage& coverage, const std::string& root, fs::file_time_type data_time) {
  std::vector<std::string> newer;
  for (const report::DiffFile& file : coverage.files) {
    std::error_code error;
    fs::file_time_type time = fs::last_write_time(root + "/" + file.path, error);
    if (!error && time > data_time) newer.push_back(file.path);
  }
  if (newer.empty()) return;
  std::string more = newer.size() == 1 ? " is" : fmt::format(" and {} more are", newer.size() - 1);
  coverage.notes.push_back(fmt::format("'{}'{} newer than the data: after a change, run the tests again.", newer[0], more));
}

/// The total that `qd-cov report` would print; a note when it would print an error.
void add_overall(DiffCoverage& coverage, const report::CoverageData& data, const report::Config& config, int python_minor) {
  report::Numbers overall;
  try {
    report::analyze_files(
        report::reported_files(data, config, {}), data, config, python_minor,
        [&](report::AnalyzedFile&& analyzed) { overall += analyzed.analysis.numbers; }, warn);
  } catch (const std::runtime_error& error) {
    coverage.notes.push_back(fmt::format("No overall coverage: {}", error.what()));
    return;
  }
  coverage.overall = overall;
}

/// Which files the configuration wants: [report] include and omit for all, [run] source, include and omit for those without data.
class Selection {
 public:
  explicit Selection(const report::Config& config)
      : report_include_(patterns(config.report_include)),
        report_omit_(patterns(config.report_omit)),
        run_include_(patterns(config.run_include)),
        run_omit_(patterns(config.run_omit)) {
    for (const std::string& source : config.source.value_or(report::StringList{})) add_source(source);
    for (const std::string& source : config.source_dirs) add_source(source);
  }

  bool wanted(const std::string& path, bool measured) const {
    if (!report_include_.empty() && !report_include_.match(path)) return false;
    if (report_omit_.match(path)) return false;
    if (measured) return true;
    if (!sources_.empty()) {
      bool inside = false;
      for (const std::string& folder : sources_) inside = inside || path.starts_with(folder);
      if (!inside) return false;
    } else if (!run_include_.empty() && !run_include_.match(path)) {
      return false;
    }
    return !run_omit_.match(path);
  }

 private:
  static GlobMatcher patterns(const std::optional<report::StringList>& list) {
    return GlobMatcher(report::prepare_patterns(list.value_or(report::StringList{})));
  }
  void add_source(const std::string& source) {
    if (fs::is_directory(source)) sources_.push_back(report::absolute_path(source) + "/");
  }

  GlobMatcher report_include_, report_omit_, run_include_, run_omit_;
  std::vector<std::string> sources_;
};

/// 2 with one line on stderr for each gate that is missed.
int check_gates(const DiffCoverage& coverage, const std::optional<report::Threshold>& threshold, bool fail_unmeasured) {
  int code = kOk;
  if (threshold && !report::reaches(coverage.covered(), coverage.total(), *threshold)) {
    int64_t lacking = report::lacking(coverage.covered(), coverage.total(), *threshold);
    fmt::print(stderr, "Failure. Coverage is below {}%: it is {}%, and {} of the {} missing {} to be covered to reach it.\n",
               threshold->text, report::percent(coverage.covered(), coverage.total()), lacking, coverage.missing(),
               lacking == 1 ? "has" : "have");
    code = kFailUnder;
  }
  if (fail_unmeasured && !coverage.not_measured.empty()) {
    fmt::print(stderr, "Failure. {} changed {} not measured, the first is '{}'.\n", coverage.not_measured.size(),
               coverage.not_measured.size() == 1 ? "file is" : "files are", coverage.not_measured[0].path);
    code = kFailUnder;
  }
  return code;
}

void add_options(CommandLine& line) {
  line.add()("input", "Report of another tool to add to the data: LCOV, Cobertura XML, or JSON of gcov, gcovr or llvm-cov. May be given several times.",
             cxxopts::value<std::vector<std::string>>(), "FILE");
  line.add()("compare-branch", "Branch, tag or commit to compare with. Default: origin/main, or main where there is no such branch.",
             cxxopts::value<std::string>(), "BRANCH");
  line.add()("format",
             "Format of the report, with ':PATH' for where it goes ('-' is standard output); may be given several times. One of " +
                 format_names() + ". Default: terminal.",
             cxxopts::value<std::vector<std::string>>(), "FORMAT[:PATH]");
  line.add()("fail-under", "Exit with a status of 2 if the diff coverage is less than this percentage.", cxxopts::value<std::string>(), "MIN");
  line.add()("fail-unmeasured", "Exit with a status of 2 if a changed Python file has no data.");
  line.add()("branch-coverage", "Count branches as well as lines.");
  add_condition_options(line);
  line.add()("include-untracked", "Files that git does not track are part of the change.");
  line.add()("ignore-whitespace", "A change of white space alone is no change.");
  line.add()("include", "Include only files whose paths match one of these patterns.", cxxopts::value<std::string>(), "PAT1,PAT2,...");
  line.add()("omit", "Omit files whose paths match one of these patterns.", cxxopts::value<std::string>(), "PAT1,PAT2,...");
  line.add()("i,ignore-errors", "A changed file that does not parse counts as not measured.");
  line.add()("python", "Version of the Python that ran the code, like 3.12. Defaults to that of the active virtual environment.",
             cxxopts::value<std::string>(), "VERSION");
  line.add()("data-file", "Read coverage data for the report from this file. Defaults to '.coverage'. [env: COVERAGE_FILE]",
             cxxopts::value<std::string>(), "INFILE");
}

}  // namespace

int diff(const Arguments& arguments) {
  CommandLine line("diff", "[options]",
                   "Report the coverage of the lines that changed between the merge base with a branch and the working tree.");
  add_options(line);
  if (!line.parse(arguments)) return kOk;
  if (!line.arguments().empty()) throw UsageError(fmt::format("unexpected argument '{}'", line.arguments()[0]));

  std::vector<Output> outputs;
  for (const std::string& text : line.values("format")) outputs.push_back(parse_output(text));
  if (outputs.empty()) outputs.push_back(parse_output("terminal"));
  std::optional<report::Threshold> threshold;
  if (std::optional<std::string> text = line.text("fail-under")) {
    threshold = report::parse_threshold(*text);
    if (!threshold) throw UsageError(fmt::format("option --fail-under: '{}' is no percentage from 0 to 100", *text));
  }

  report::Config config = line.config();
  if (line.list("include")) config.report_include = line.list("include");
  if (line.list("omit")) config.report_omit = line.list("omit");
  apply_condition_options(line, config);
  for (const std::string& input : line.values("input")) config.inputs.push_back(input);
  config.ignore_errors = config.ignore_errors || line.flag("ignore-errors");
  report::ChangeOptions change_options;
  change_options.compare_branch = line.text("compare-branch");
  change_options.include_untracked = line.flag("include-untracked");
  change_options.ignore_whitespace = line.flag("ignore-whitespace");
  report::Changes changes = report::find_changes(change_options);
  MeasuredData measured = read_all_data(config);
  const report::CoverageData& data = measured.data;

  Selection selection(config);
  report::DiffCoverageOptions options;
  options.exclusions = {config.exclude_list, config.partial_list, config.partial_always_list, config.patterns_by_line, config.exclusions_by_token};
  options.branches = line.flag("branch-coverage");
  options.conditions = config.needs_conditions();
  options.ignore_errors = config.ignore_errors;
  options.python_minor = python_minor(line.text("python"));
  options.wanted = [&](const std::string& path, bool measured) { return selection.wanted(path, measured); };
  DiffCoverage coverage = report::diff_coverage(changes, data, options);
  coverage.conditions = config.conditions;
  report::ConditionNumbers conditions = coverage.condition_numbers();
  note_newer_files(coverage, changes.root, measured.time);
  if (std::string note = note_of_conditions(data, conditions); config.conditions && !note.empty()) coverage.notes.push_back(note);
  bool wants_overall = false;
  for (const Output& output : outputs)
    wants_overall = wants_overall || output.format->wants_overall;
  if (wants_overall) add_overall(coverage, data, config, options.python_minor);

  report::DiffStyle style;
  style.precision = config.precision;
  if (threshold) {
    style.threshold = threshold->text;
    style.reached = report::reaches(coverage.covered(), coverage.total(), *threshold);
  }
  style.condition_gates = condition_gates(data, conditions, config);
  std::vector<std::string> texts;
  for (const Output& output : outputs) {
    report::DiffStyle its_style = style;
    its_style.color = output.path == "-" && color_wanted();
    its_style.width = output.path == "-" ? terminal_width() : 1 << 20;
    texts.push_back(output.format->render(coverage, its_style));
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].path == "-") {
      fmt::print("{}", texts[i]);
    } else {
      write_output_file(outputs[i].path, texts[i]);
      fmt::print(stderr, "Wrote {} report to {}\n", outputs[i].format->name, outputs[i].path);
    }
  }
  std::fflush(stdout);
  return std::max(check_gates(coverage, threshold, line.flag("fail-unmeasured")), check_condition_gates(data, conditions, config, stderr));
}

}  // namespace qd::cli
