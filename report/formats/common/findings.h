// Findings: places in files for services to mark: GitHub, GitLab, and tools that read SARIF.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace qd::report {

enum class FindingLevel : uint8_t { Error, Warning, Notice };

/// A finding about the physical lines first..last of a file. Its texts may hold untrusted names and contents of files.
struct Finding {
  std::string path;  // from the top of the working tree, '/' between folders
  int32_t first = 1, last = 1;
  FindingLevel level = FindingLevel::Warning;
  std::string rule;      // "missing-lines"
  std::string title;     // "Missing coverage"
  std::string message;   // one line
  std::string severity;  // GitLab's: "info", "minor", "major", "critical" or "blocker"
  std::string identity;  // tells it from others of its rule and file; independent of line numbers
};

/// A kind of finding.
struct FindingRule {
  std::string name, description;
};

/// Name of a level: "error", "warning" or "notice".
const char* name(FindingLevel level);

/// Workflow commands, the worst level first, in each level in the given order. There are as many of each level as
/// GitHub shows in a step. If there are more, the last one has their number under `headline`: "4 " + `more`.
std::string github_commands(const std::vector<Finding>& findings, const std::string& headline, const std::string& more);

/// GitLab's code quality report.
std::string gitlab_report(const std::vector<Finding>& findings);

/// Static analysis results in SARIF 2.1.0.
std::string sarif_report(const std::vector<Finding>& findings, std::span<const FindingRule> rules);

}  // namespace qd::report
