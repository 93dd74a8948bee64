// Table of checks, and the run of them: severities, silencing, order.
#include "report/check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "report/check/silence.h"
#include "report/config/glob_matcher.h"
#include "report/data/file_content.h"

namespace qd::report {
namespace {

constexpr Check kChecks[] = {
    {"untested-changes", "Changed functions that no test reaches and no changed test names.", Severity::Error,
     untested_changes},
    {"change-size", "Lines added and deleted in source, tests and documentation, and limits on them.", Severity::Error,
     change_size},
    {"deleted-comments", "Comments and docstrings that are gone while their code is still there.", Severity::Warning,
     deleted_comments},
    {"slow-tests", "The slowest tests of each file, and those over a budget, from JUnit XML.", Severity::Warning,
     slow_tests},
    {"unlaunched-kernels", "Kernels that no test launches, and funcs that no launched kernel calls.", Severity::Error,
     unlaunched_kernels},
    {kUnusedIgnore, "Comments '# qd-cov: ignore' that silence nothing; comes with the other checks.", Severity::Warning,
     nullptr},
};

/// Severity of a check's findings: as configured, unless that is "off" and the check was named all the same.
Severity severity_of(const Check& check, const CheckSettings& settings) {
  std::optional<std::string> text = settings.severity(check.name);
  if (text == "error") return Severity::Error;
  if (text == "warning") return Severity::Warning;
  return check.severity;
}

size_t row_of(const std::string& check) {
  return static_cast<size_t>(
      std::find_if(std::begin(kChecks), std::end(kChecks), [&](const Check& one) { return check == one.name; }) -
      std::begin(kChecks));
}

/// Whether all checks ran that a silencing comment without names could be for.
bool all_ran(const CheckInput& input, const std::vector<const Check*>& checks) {
  auto runs = [&](const Check& check) { return std::find(checks.begin(), checks.end(), &check) != checks.end(); };
  auto is_on = [&](const Check& check) {
    return check.run && input.settings.severity(check.name).value_or("off") != "off";
  };
  bool configured = std::any_of(std::begin(kChecks), std::end(kChecks), is_on);
  return std::all_of(std::begin(kChecks), std::end(kChecks),
                     [&](const Check& check) { return !check.run || runs(check) || (configured && !is_on(check)); });
}

}  // namespace

const char* name(Severity severity) {
  switch (severity) {
    case Severity::Info: return "info";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
  }
  return "";
}

std::span<const Check> all_checks() { return kChecks; }

const Check& find_check(const std::string& name, const std::string& where) {
  std::vector<std::string> names;
  for (const Check& check : kChecks) {
    if (name == check.name) return check;
    names.emplace_back(check.name);
  }
  throw ConfigError(fmt::format("{}: there is no check '{}'; there are {}", where, name, fmt::join(names, ", ")));
}

std::string CheckInput::shown(const std::string& path) const {
  std::string absolute = absolute_path(path);
  return absolute.starts_with(root + "/") ? absolute.substr(root.size() + 1) : absolute;
}

std::optional<std::string> CheckInput::read(const std::string& path) const {
  std::string full = path.starts_with('/') ? path : root + "/" + path;
  return read_bytes(full);  // does not wait for the writer of a pipe
}

CheckReport run_checks(const CheckInput& input, const std::vector<const Check*>& checks) {
  CheckReport report;
  std::vector<std::string> ran;
  for (const Check* check : checks) {
    if (!check->run) continue;
    size_t before = report.findings.size();
    check->run(input, report);
    for (size_t i = before; i < report.findings.size(); ++i)
      if (report.findings[i].severity == Severity::Warning)
        report.findings[i].severity = severity_of(*check, input.settings);
    ran.emplace_back(check->name);
  }
  silence(input, ran, all_ran(input, checks), input.settings.severity(kUnusedIgnore) != "off", report);
  const Severity unused = severity_of(find_check(kUnusedIgnore, ""), input.settings);
  for (CheckFinding& finding : report.findings)
    if (finding.check == kUnusedIgnore) finding.severity = unused;
  // Last, so that a comment in a file that is ignored anyway is not called unused.
  std::erase_if(report.findings,
                [&](const CheckFinding& finding) { return input.settings.ignored(finding.check, finding.path); });
  auto key = [](const CheckFinding& one) {
    return std::tuple(row_of(one.check), std::string_view(one.path), one.line, std::string_view(one.message));
  };
  std::sort(report.findings.begin(), report.findings.end(),
            [&](const CheckFinding& a, const CheckFinding& b) { return key(a) < key(b); });
  return report;
}

}  // namespace qd::report
