// `qd-cov check`: small checks of tests and changes, beside coverage.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/options/change_options.h"
#include "cli/options/format_choice.h"
#include "cli/output/terminal.h"
#include "cli/python/plugins.h"
#include "cli/python/python_version.h"
#include "cli/reported/diff_data.h"
#include "cli/reported/diff_selection.h"
#include "cli/reported/reported_data.h"
#include "cli/standard_streams.h"
#include "report/check/check.h"
#include "report/check/check_formats.h"
#include "report/config/glob_matcher.h"

namespace qd::cli {

namespace {

using report::Check;

constexpr const char* kNothingToDo =
    "No checks are switched on. Name some ('qd-cov check untested-changes'), or switch them on in pyproject.toml:\n\n"
    "    [tool.qd-cov.check]\n"
    "    untested-changes = \"error\"\n"
    "    deleted-comments = \"warning\"\n\n"
    "'qd-cov check --list' lists all checks.";

std::vector<FormatName> formats() {
  std::vector<FormatName> result;
  for (const report::CheckFormat& format : report::check_formats()) result.push_back({format.name, format.file});
  return result;
}

void add_check_options(CommandLine& line) {
  line.add("list", "List all checks and their settings, and check nothing.");
  add_change_options(line);
  line.add("include", "Check only files whose paths match one of these patterns.", kText, "PAT1,PAT2,...");
  line.add("omit", "Leave out files whose paths match one of these patterns.", kText, "PAT1,PAT2,...");
  line.group("Data");
  line.add("data-file", "Read coverage data from this file. Defaults to '.coverage'. [env: COVERAGE_FILE]", kText,
           "INFILE");
  line.add("input", "Data file, or report of another tool, to add to the data; may be given several times.", kTexts,
           "FILE");
  line.add("junit", "JUnit XML file with the times of tests, for slow-tests; may be given several times.", kTexts,
           "FILE");
  line.add("python",
           "Version of the Python that ran the code, like 3.12. Defaults to that of the active virtual environment, or "
           "of python3 on the PATH.",
           kText, "VERSION");
  line.group("Gate");
  line.add("require-hashes",
           "Exit with a status of 2 if the data of a file has no hash of its present source: 'qd-cov run' and "
           "pytest-cov leave hashes.");
  line.group("Output");
  line.add("format",
           "Format of the report, with ':PATH' for its output ('-' is standard output); may be given several times. "
           "One of " +
               format_names(formats()) + ". Default: text.",
           kTexts, "FORMAT[:PATH]");
  std::vector<std::string> names;
  for (const FormatName& format : formats()) names.push_back(format.name);
  line.choices("format", names);
  line.usual({"list", "compare-branch", "include", "omit", "data-file", "junit", "format"});
}

/// Prints every check with its configuration, and the settings that several checks share.
void print_list(const report::CheckSettings& settings) {
  auto print_settings = [&](auto wanted) {
    for (const report::CheckSetting& setting : report::all_check_settings())
      if (wanted(std::string(setting.name)))
        fmt::print("    {} = {}\n        {}\n", setting.name,
                   settings.list(setting.name).empty()
                       ? "(none)"
                       : fmt::format("{}", fmt::join(settings.list(setting.name), ", ")),
                   setting.help);
  };
  auto owner = [](const std::string& setting) {
    return std::find_if(report::all_checks().begin(), report::all_checks().end(),
                        [&](const Check& check) { return setting.starts_with(std::string(check.name) + "-"); });
  };
  for (const Check& check : report::all_checks()) {
    std::string standard = check.run ? "off" : report::name(check.severity);
    fmt::print("{} = {}\n    {}\n", check.name, settings.severity(check.name).value_or(standard), check.help);
    print_settings([&](const std::string& name) {
      return owner(name) != report::all_checks().end() && check.name == std::string(owner(name)->name);
    });
  }
  fmt::print("\nOf all checks:\n");
  print_settings([&](const std::string& name) { return owner(name) == report::all_checks().end(); });
}

/// Returns the checks that are named, else those that the configuration switches on; in the order of the table.
std::vector<const Check*> chosen_checks(const Arguments& names, const report::CheckSettings& settings) {
  for (const std::string& name : names) report::find_check(name, "Unknown check");
  std::vector<const Check*> chosen;
  for (const Check& check : report::all_checks()) {
    bool named = std::find(names.begin(), names.end(), check.name) != names.end();
    if (named && !check.run)
      throw UsageError(fmt::format("{} is about comments for other checks: name one of those", check.name));
    bool is_on = names.empty() && settings.severity(check.name).value_or("off") != "off";
    if (check.run && (named || is_on)) chosen.push_back(&check);
  }
  if (chosen.empty()) throw report::ConfigError(kNothingToDo);
  return chosen;
}

/// Top of the working tree, or the current folder if there is none: not every check needs git.
std::string find_root() {
  try {
    return report::absolute_path(report::top_of_working_tree("."));
  } catch (const report::GitError&) {
    return report::absolute_path(".");
  }
}

/// Changes and data for checks; read when the first check asks for them.
class Sources {
 public:
  Sources(const CommandLine& line, const report::Config& config)
      : line_(line), config_(config), python_minor_(python_minor(line.text("python"))) {}

  int minor() const { return python_minor_; }

  const report::Changes& changes() {
    if (!changes_) changes_ = report::find_changes(change_options(line_, config_.diff));
    return *changes_;
  }

  const report::CoverageData& data() {
    if (!data_) data_ = read_diff_data(config_, {});
    return data_->all;
  }

  const report::DiffCoverage& diff() {
    if (diff_) return *diff_;
    report::Config lines_alone = config_;
    lines_alone.diff = {};
    lines_alone.gates = {};
    lines_alone.conditions = false;
    lines_alone.ignore_errors = true;
    report::DiffCoverageOptions options{lines_alone, python_minor_};
    const DiffSelection selection(config_, changes().root);
    options.wanted = [&](const std::string& path, bool is_measured) { return selection.wanted(path, is_measured); };
    options.omitted = [&](const std::string& path) { return selection.omitted(path); };
    data();
    ask_about_changes(*data_, changes(), config_);
    diff_ = report::diff_coverage(changes(), data(), options);
    return *diff_;
  }

  /// Versions of the changed files, if a check asked for their data.
  report::VersionNotes versions() const { return diff_ ? diff_->versions : report::VersionNotes(); }
  /// Notes on the data, if a check asked for it.
  std::vector<std::string> notes() const { return diff_ ? diff_->notes : std::vector<std::string>(); }

 private:
  const CommandLine& line_;
  const report::Config& config_;
  int python_minor_;
  std::optional<report::Changes> changes_;
  std::optional<DiffData> data_;
  std::optional<report::DiffCoverage> diff_;
};

}  // namespace

int check(const Arguments& arguments) {
  CommandLine line("check", "[options] [checks]",
                   "Check tests and changes beside coverage: with the checks that [tool.qd-cov.check] switches on, or "
                   "those that are named.");
  add_check_options(line);
  for (const Check& check : report::all_checks())
    if (check.run) line.add_topic({check.name, check.help});
  line.allow_options_after_arguments();
  if (!line.parse(arguments)) return kOk;

  report::Config config = line.config();
  report::CheckSettings settings(config);
  if (line.flag("list")) {
    print_list(settings);
    return kOk;
  }
  configure_by_plugins(config, line);
  if (line.list("include")) config.report_include = line.list("include");
  if (line.list("omit")) config.report_omit = line.list("omit");
  for (const std::string& input : line.values("input")) config.inputs.push_back(input);
  std::vector<const Check*> checks = chosen_checks(line.arguments(), settings);
  std::vector<FormatChoice> choices =
      choose_formats(formats(), line.flag("format") ? line.values("format") : settings.list("format"));

  Sources sources(line, config);
  report::CheckInput input{config,
                           settings,
                           find_root(),
                           [&]() -> const report::Changes& { return sources.changes(); },
                           [&]() -> const report::CoverageData& { return sources.data(); },
                           [&]() -> const report::DiffCoverage& { return sources.diff(); },
                           line.flag("junit") ? line.values("junit") : settings.list("slow-tests-junit"),
                           sources.minor()};
  report::CheckReport found = report::run_checks(input, checks);
  for (const std::string& note : sources.notes()) found.notes.push_back(note);
  if (!found.versions.newer.empty()) found.notes.push_back(found.versions.notes()[0]);
  std::vector<std::string> without_hashes;
  if (config.gates.require_hashes || config.diff.require_hashes || line.flag("require-hashes"))
    without_hashes = {sources.versions().without_hashes(), found.versions.without_hashes()};

  std::vector<FormattedReport> reports;
  for (const FormatChoice& choice : choices) {
    const report::CheckFormat& format = report::check_formats()[choice.format];
    reports.push_back({format.name, choice.path, format.render(found, {choice.path == "-" && color_wanted()})});
  }
  write_reports(reports);
  std::erase(without_hashes, "");
  for (const std::string& why : without_hashes) tell("Failure. " + why);
  bool failed = !without_hashes.empty() ||
                std::any_of(found.findings.begin(), found.findings.end(),
                            [](const report::CheckFinding& one) { return one.severity == report::Severity::Error; });
  return failed ? kFailUnder : kOk;
}

}  // namespace qd::cli
