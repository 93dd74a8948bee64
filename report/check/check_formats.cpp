// Formats of `qd-cov check`. The text looks like this:
//
//   src/solver.py:12: [untested-changes] Function 'step' changed: no test reaches it, and no changed test names it.
//
//   tests/test_a.py:3: [slow-tests] warning: 'test_b' took 2.5 s, and its budget is 1 s.
//
//   1 error, 1 warning
#include "report/check/check_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "report/formats/common/findings.h"
#include "report/formats/common/text.h"

namespace qd::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr CheckFormat kFormats[] = {
    {"text", nullptr, check_text},
    {"json", nullptr, check_json},
    {"github-annotations", nullptr, check_annotations},
    {"gitlab", "gl-code-quality-report.json", check_gitlab},
    {"sarif", "qd-cov-check.sarif", check_sarif},
};

constexpr const char* kBold = "\033[1m";
constexpr const char* kRed = "\033[31m";
constexpr const char* kYellow = "\033[33m";
constexpr const char* kPlain = "\033[0m";

int64_t count(const CheckReport& report, Severity severity) {
  return std::count_if(report.findings.begin(), report.findings.end(),
                       [&](const CheckFinding& one) { return one.severity == severity; });
}

std::string table_text(const CheckTable& table) {
  std::vector<std::vector<std::string>> lines = {table.columns};
  for (const CheckTable::Row& row : table.rows) {
    std::vector<std::string>& line = lines.emplace_back(std::vector<std::string>{row.name});
    for (int64_t number : row.numbers) line.push_back(fmt::format("{}", number));
  }
  std::vector<size_t> widths(table.columns.size());
  for (const auto& line : lines)
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  std::string out;
  for (const auto& line : lines) {
    out += fmt::format("{:<{}}", line[0], widths[0]);
    for (size_t i = 1; i < line.size(); ++i) out += fmt::format("  {:>{}}", line[i], widths[i]);
    out += "\n";
  }
  return out;
}

/// Summary line: "2 errors, 1 warning, 3 silenced by comments".
std::string summary(const CheckReport& report) {
  int64_t errors = count(report, Severity::Error), warnings = count(report, Severity::Warning);
  std::string text = errors + warnings == 0 ? "No findings" : "";
  if (errors > 0) text += plural(errors, "error");
  if (warnings > 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", plural(warnings, "warning"));
  if (report.n_silenced > 0)
    text += fmt::format(", {} silenced by {}", report.n_silenced, report.n_silenced == 1 ? "a comment" : "comments");
  return text;
}

FindingLevel level_of(Severity severity) {
  return severity == Severity::Error ? FindingLevel::Error : FindingLevel::Warning;
}

/// Findings for services: without those of severity Info.
std::vector<Finding> as_findings(const CheckReport& report) {
  std::vector<Finding> findings;
  for (const CheckFinding& one : report.findings) {
    if (one.severity == Severity::Info) continue;
    findings.push_back({one.path, one.line, one.line, level_of(one.severity), one.check, one.check,
                        displayed(one.message), one.severity == Severity::Error ? "major" : "minor", one.identity});
  }
  return findings;
}

}  // namespace

std::span<const CheckFormat> check_formats() { return kFormats; }

std::string check_text(const CheckReport& report, const CheckStyle& style) {
  auto in = [&](const char* color, const std::string& text) { return style.color ? color + text + kPlain : text; };
  std::string out;
  for (const Check& check : all_checks()) {
    std::string group;
    for (const CheckFinding& one : report.findings) {
      if (one.check != check.name) continue;
      std::string level = one.severity == Severity::Error ? "" : fmt::format("{}: ", name(one.severity));
      const char* color = one.severity == Severity::Error ? kRed : one.severity == Severity::Warning ? kYellow : "";
      group += fmt::format("{}: {} {}{}\n", in(kBold, fmt::format("{}:{}", displayed(one.path), one.line)),
                           in(color, fmt::format("[{}]", one.check)), level, displayed(one.message));
    }
    for (const CheckTable& table : report.tables)
      if (table.check == check.name) group += (group.empty() ? "" : "\n") + table_text(table);
    if (!group.empty()) out += group + "\n";
  }
  for (const std::string& note : report.notes) out += fmt::format("Note: {}\n", displayed(note));
  if (!report.notes.empty()) out += "\n";
  return out + summary(report) + "\n";
}

std::string check_json(const CheckReport& report, const CheckStyle&) {
  Json findings = Json::array();
  for (const CheckFinding& one : report.findings)
    findings.push_back({{"check", one.check},
                        {"severity", name(one.severity)},
                        {"path", one.path},
                        {"line", one.line},
                        {"message", one.message}});
  Json tables = Json::object();
  for (const CheckTable& table : report.tables) {
    Json rows = Json::array();
    for (const CheckTable::Row& row : table.rows) {
      Json cells = Json::object();
      auto key = [&](size_t column) {
        std::string text = table.columns[column];
        for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        return text;
      };
      cells[key(0)] = row.name;
      for (size_t i = 0; i < row.numbers.size(); ++i) cells[key(i + 1)] = row.numbers[i];
      rows.push_back(std::move(cells));
    }
    tables[table.check] = std::move(rows);
  }
  Json json = {{"errors", count(report, Severity::Error)},
               {"warnings", count(report, Severity::Warning)},
               {"silenced", report.n_silenced},
               {"findings", findings},
               {"tables", tables},
               {"notes", report.notes}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string check_annotations(const CheckReport& report, const CheckStyle&) {
  return github_commands(as_findings(report), "qd-cov check", "more: see the log of 'qd-cov check'.");
}

std::string check_gitlab(const CheckReport& report, const CheckStyle&) { return gitlab_report(as_findings(report)); }

std::string check_sarif(const CheckReport& report, const CheckStyle&) {
  std::vector<FindingRule> rules;
  for (const Check& check : all_checks()) rules.push_back({check.name, check.help});
  return sarif_report(as_findings(report), rules);
}

}  // namespace qd::report
