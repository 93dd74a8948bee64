// Interface of checks: their input and their findings. Checks look at tests and changes beside coverage, and are
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

/// Severity of a finding. Info is printed and never fails; services that mark lines do not get it.
enum class Severity : uint8_t { Info, Warning, Error };

/// Name of a severity: "info", "warning", "error".
const char* name(Severity severity);

/// A finding of a check at a place. Its texts may hold untrusted names and contents of files.
struct CheckFinding {
  std::string check;
  Severity severity = Severity::Warning;
  std::string path;  // from CheckInput::root where it lies below, '/' between folders
  int32_t line = 1;  // the line that is shown
  int32_t first_line =
      1;                 // first line for silencing comments, or the line above it: of a function, its first decorator
  std::string message;   // one sentence
  std::string identity;  // tells it from others of its check and file; independent of line numbers
};

/// Lines that a check has looked at. A silencing comment in them that silences nothing is unused.
struct Examined {
  std::string check, path;
  int32_t first = 1, last = std::numeric_limits<int32_t>::max();
};

/// A table of numbers that a check prints.
struct CheckTable {
  std::string check;
  std::vector<std::string> columns;  // the first is the heading of the names
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
  std::vector<std::string> notes;  // remarks for the reader about these findings
  VersionNotes versions;           // of data that was read besides that of the changed files
  int32_t n_silenced = 0;
};

/// Input of checks. Changes and data are read only when the first check asks for them.
struct CheckInput {
  const Config& config;
  const CheckSettings& settings;
  std::string root;                           // absolute: the top of the working tree, or the current folder
  std::function<const Changes&()> changes;    // throws GitError
  std::function<const CoverageData&()> data;  // throws NoDataError, DataError
  std::function<const DiffCoverage&()> diff;  // the changed files joined with the data; throws the errors of both
  std::vector<std::string> junit;             // files of test results, as given
  int python_minor = kDefaultPythonMinor;

  Areas areas() const { return Areas(settings); }
  /// `path` (absolute, or from the current folder) in the form of findings' paths.
  std::string shown(const std::string& path) const;
  /// Bytes of a file of the working tree, given by a path in that form; nothing when it cannot be read.
  std::optional<std::string> read(const std::string& path) const;
};

/// A row of the table of checks. `run` adds findings with severity Warning for everything that counts (the caller sets
/// the configured severity), and with Info for figures that are only printed.
struct Check {
  const char* name;
  const char* help;
  Severity severity;                                          // of a check that is named, when nothing is configured
  void (*run)(const CheckInput& input, CheckReport& report);  // null: unused-ignore, which is made from the others
};

/// Returns all checks, in the order in which they report.
std::span<const Check> all_checks();

/// Returns the row with this name. Throws ConfigError, which lists all names; its text begins with `where` ("option
/// ...", "[tool.qd-cov.check]").
const Check& find_check(const std::string& name, const std::string& where);

void untested_changes(const CheckInput& input, CheckReport& report);
void change_size(const CheckInput& input, CheckReport& report);
void deleted_comments(const CheckInput& input, CheckReport& report);
void slow_tests(const CheckInput& input, CheckReport& report);
void unlaunched_kernels(const CheckInput& input, CheckReport& report);

/// Runs the checks, removes findings that comments or configuration silence, and sorts: by check, path and line. Throws
/// the errors of the checks.
CheckReport run_checks(const CheckInput& input, const std::vector<const Check*>& checks);

}  // namespace qd::report
