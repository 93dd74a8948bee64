// What a check is: what it is given, and what it gives back. Checks look at tests and changes beside coverage, and are
// deterministic.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/check/areas.h"
#include "report/check/check_settings.h"
#include "report/config/config.h"
#include "report/data/coverage_data.h"
#include "report/diff/changes.h"
#include "report/diff/diff_coverage.h"

namespace qd::report {

/// Info is printed and never fails; it is not for services that mark lines.
enum class Severity : uint8_t { Info, Warning, Error };

/// "info", "warning", "error".
const char* name(Severity severity);

/// Something that a check says about a place. The texts may hold what a stranger called a file, or wrote into it.
struct CheckFinding {
  std::string check;
  Severity severity = Severity::Warning;
  std::string path;  // from CheckInput::root where it lies below, '/' between folders
  int32_t line = 1;  // that is shown
  int32_t first_line =
      1;  // silencing comments may stand from here on, or on the line above: of a function, its first decorator
  std::string message;   // one sentence
  std::string identity;  // tells it from others of its check and file, wherever its lines move to
};

/// Lines that a check has looked at. If a silencing comment in them silences nothing, it is not needed.
struct Examined {
  std::string check, path;
  int32_t first = 1, last = std::numeric_limits<int32_t>::max();
};

/// A table of numbers that a check prints.
struct CheckTable {
  std::string check;
  std::vector<std::string> columns;  // the first is that of the names
  struct Row {
    std::string name;
    std::vector<int64_t> numbers;
  };
  std::vector<Row> rows;
};

struct CheckReport {
  std::vector<CheckFinding> findings;
  std::vector<Examined> examined;
  std::vector<CheckTable> tables;
  std::vector<std::string> notes;  // what the reader should know about these findings
  VersionNotes versions;           // of data that was looked at, beside that of the changed files
  int32_t n_silenced = 0;
};

/// What checks look at. Changes and data are read only when the first check asks for them.
struct CheckInput {
  const Config& config;
  const CheckSettings& settings;
  std::string root;                           // absolute: the top of the working tree, or the current folder
  std::function<const Changes&()> changes;    // throws GitError
  std::function<const CoverageData&()> data;  // throws NoDataError, DataError
  std::function<const DiffCoverage&()> diff;  // the changed files joined with the data; throws what both throw
  std::vector<std::string> junit;             // files of test results, as given
  int python_minor = kDefaultPythonMinor;

  Areas areas() const { return Areas(settings); }
  /// `path` (absolute, or from the current folder) as findings have it.
  std::string shown(const std::string& path) const;
  /// The bytes of a file of the working tree (a path as findings have it), or nothing.
  std::optional<std::string> read(const std::string& path) const;
};

/// A row of the table of checks. `run` adds findings with severity Warning for everything that counts (the caller sets
/// the configured severity), and with Info for what is only worth printing.
struct Check {
  const char* name;
  const char* help;
  Severity severity;                                          // when it is named, and nothing is configured
  void (*run)(const CheckInput& input, CheckReport& report);  // null: unused-ignore, which comes of the others
};

/// All checks, in the order in which they report.
std::span<const Check> all_checks();

/// The row with this name. Throws ConfigError, which lists all names; `where` begins its text ("option ...",
/// "[tool.qd-cov.check]").
const Check& find_check(const std::string& name, const std::string& where);

void untested_changes(const CheckInput& input, CheckReport& report);
void change_size(const CheckInput& input, CheckReport& report);
void deleted_comments(const CheckInput& input, CheckReport& report);
void slow_tests(const CheckInput& input, CheckReport& report);
void unlaunched_kernels(const CheckInput& input, CheckReport& report);

/// Runs the checks, takes out what is silenced by comments or configuration, and sorts: by check, path and line. Throws
/// what the checks throw.
CheckReport run_checks(const CheckInput& input, const std::vector<const Check*>& checks);

}  // namespace qd::report
