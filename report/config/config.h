// Settings of coverage.py, from the configuration file that it would use.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "report/regex/exclusions.h"

namespace qd::report {

/// A configuration that cannot be used, with coverage.py's text.
struct ConfigError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Warn = std::function<void(const std::string& message)>;
using StringList = std::vector<std::string>;
using ReadText = std::function<std::optional<std::string>(const std::string& path)>;
using OptionalList = std::optional<StringList>;

/// Gates of a report, as they were given: report/gate reads and compares them.
struct ReportGates {
  double fail_under = 0;  // coverage.py's [report] fail_under; 0: none
  std::optional<std::string> fail_under_conditions, fail_under_mcdc, fail_under_gradients;  // as written
  bool require_hashes = false;   // gates fail for data without the hash of each source
  StringList misplaced, hidden;  // sentences on settings that look like fail_under, and are not read

  bool of_conditions() const { return fail_under_conditions || fail_under_mcdc; }
  bool any_threshold() const { return fail_under > 0 || of_conditions() || fail_under_gradients; }
};

/// [tool.qd-cov.diff]: the options of `qd-cov diff`, as written.
struct DiffConfig {
  std::optional<std::string> compare_branch, diff_range_notation;
  StringList fail_under;  // "90", "src/**=90", "qd:vulkan=80"
  std::optional<std::string> fail_under_branches, fail_under_new_files, fail_under_total;
  std::optional<std::string> max_missing, max_lost, on_no_data;
  std::optional<std::string> base;  // file of the base report
  bool fail_under_base = false;
  bool require_hashes = false;
  StringList require_archs;  // devices on which lines have to run that run on others: "vulkan"
  StringList format;
  std::optional<std::string> changed_lines;  // "exact": a statement is changed only if its first line is; "statement"
  bool branch_coverage = false, include_untracked = false, ignore_staged = false, ignore_unstaged = false,
       ignore_whitespace = false;
  // options of diff-cover
  std::optional<std::string> minimum_change, diff_file;
  OptionalList include;  // only these files
  StringList exclude;    // without these files
  bool show_uncovered = false, quiet = false, total_percent_float = false;
  bool expand_coverage_report = false;  // a line that an imported report leaves out counts like the line before it

  bool exact_lines() const { return changed_lines == "exact"; }
};

/// A line of [tool.qd-cov.check], as written. Numbers and single texts are lists of one. The checks validate the lines.
struct CheckLine {
  std::string name;  // with '-' for '_'
  StringList values;
  std::string file;
  bool is_table = false;     // values are "KEY=VALUE"
  bool has_numbers = false;  // some values are written as numbers
};

/// One of our own settings as it was given, except those of checks.
struct OwnSetting {
  StringList values;  // of a flag: "true" or "false"
  std::string file;
};

/// All settings after defaults, files and environment. Names and defaults are those of coverage.py's CoverageConfig.
/// [run], [report] and so on name the section.
struct Config {
  std::string config_file;  // absolute; empty when no file was used
  StringList files;         // all with settings, ours too, under the names by which they were read

  // [run]
  bool branch = false;
  std::optional<std::string> command_line;
  StringList concurrency;
  std::optional<std::string> context;
  std::optional<std::string> core;
  bool cover_pylib = false;
  std::string data_file = ".coverage";
  StringList debug;
  std::optional<std::string> debug_file;
  StringList disable_warnings;
  std::optional<std::string> dynamic_context;
  bool parallel = false;
  StringList patch;
  StringList plugins;
  bool relative_files = false;
  StringList run_include;
  StringList run_omit;
  bool sigterm = false;
  OptionalList source;
  StringList source_pkgs;
  StringList source_dirs;
  bool timid = false;

  // [report]
  Exclusions exclusions;  // exclude_lines, partial_branches and partial_branches_always, with exclude_also and
                          // partial_also; by_line and by_token follow coverage_version
  StringList exclude_also;
  std::optional<std::string> format;
  bool ignore_errors = false;
  bool include_namespace_packages = false;
  StringList partial_also;
  int precision = 0;
  OptionalList report_contexts;
  bool by_arch = false;  // report, json: numbers of each arch, too
  StringList archs;      // "host", "cpu", ...: only these are reported; empty: all. Of the command line alone
  OptionalList report_include;
  OptionalList report_omit;
  bool show_missing = false;
  bool skip_covered = false;
  bool skip_empty = false;
  std::optional<std::string> sort;

  // [html]
  std::optional<std::string> extra_css;
  std::string html_dir = "htmlcov";
  std::optional<bool> html_skip_covered;
  std::optional<bool> html_skip_empty;
  std::string html_title = "Coverage report";
  bool show_contexts = false;

  // [xml], [json], [lcov]
  std::string xml_output = "coverage.xml";
  int xml_package_depth = 99;
  std::string json_output = "coverage.json";
  bool json_pretty_print = false;
  bool json_show_contexts = false;
  std::string lcov_output = "coverage.lcov";
  bool lcov_line_checksums = false;

  // [paths], in the order of the file: name -> result root and the patterns that stand for it
  std::vector<std::pair<std::string, StringList>> paths;

  // [tool.qd-cov], which coverage.py does not have; from the first of its files that has the section
  bool conditions = false;
  bool gradients = false;
  bool cache = true;                 // keep analyses of sources for the next run
  StringList inputs;                 // reports of other tools to add to the data
  StringList src_roots;              // base folders of relative names in reports
  OptionalList producers;            // names before devices in contexts, as report::Producers; not set: its default
  OptionalList kernel_decorators;    // the same
  OptionalList func_decorators;      // the same
  std::optional<std::string> trend;  // file of commits and their coverage
  bool record_commit = false;        // in the JSON report
  bool mixed = false;                // data with and without branches may be combined
  std::optional<std::string>
      coverage_version;  // version of coverage.py whose defaults and pattern rules the reports follow; none: the newest

  std::map<std::string, OwnSetting> own;  // all given settings of ours by key: "require_hashes", "diff.fail_under"

  ReportGates gates;
  DiffConfig diff;
  std::vector<CheckLine> check;  // [tool.qd-cov.check]

  Config();

  /// Whether conditions are shown or have a threshold.
  bool needs_conditions() const { return conditions || gates.of_conditions(); }
  /// The same of gradients.
  bool needs_gradients() const { return gradients || gates.fail_under_gradients; }
};

/// Reads `rcfile`, or the file of $COVERAGE_RCFILE, or the first of .coveragerc, .coveragerc.toml, setup.cfg, tox.ini,
/// pyproject.toml in the current folder that has settings; then the environment. Our own settings are those of the
/// first file with some, where a file was named and has some; else those of every folder from the top of the repository
/// down to the current one, of which the nearer wins, setting by setting. The file of $COVERAGE_FORCE_CONFIG has the
/// last word. Throws ConfigError. `warn` hears of options of coverage.py's that there are not.
Config read_config(const std::optional<std::string>& rcfile, const Warn& warn);

/// The same of files as `read` has them, of which the environment says no more than their names. These are seen from
/// the current folder.
Config read_config_as_it_was(const std::optional<std::string>& rcfile, const ReadText& read);

/// File of a setting of ours, for messages: " (pyproject.toml)"; empty when it was not given.
std::string place_of_own(const Config& config, const std::string& key);

/// Whether our own settings ask for conditions; coverage.py's are not read.
bool conditions_configured(const std::optional<std::string>& rcfile);

/// Throws ConfigError for unknown libraries, and for a combination that is not supported.
void check_concurrency(const StringList& concurrency);

}  // namespace qd::report
