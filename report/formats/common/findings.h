// Places in files that services should mark: for GitHub, GitLab, and what reads SARIF.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace qd::report {

enum class FindingLevel : uint8_t { Error, Warning, Notice };

/// A finding about the physical lines first..last of a file. Every text may hold what a stranger called a file, or
/// wrote into it.
struct Finding {
  std::string path;  // from the top of the working tree, '/' between folders
  int32_t first = 1, last = 1;
  FindingLevel level = FindingLevel::Warning;
  std::string rule;      // "missing-lines"
  std::string title;     // "Missing coverage"
  std::string message;   // one line
  std::string severity;  // GitLab's: "info", "minor", "major", "critical" or "blocker"
  std::string identity;  // tells it from others of its rule and file, wherever its lines move to
};

/// A kind of finding.
struct FindingRule {
  std::string name, description;
};

/// "error", "warning" or "notice".
const char* name(FindingLevel level);

/// Workflow commands, the worst level first, in each level in the given order. There are as many of each level as
/// GitHub shows in a step. If there are more, the last one says so under `headline`: "4 " + `more`.
std::string github_commands(const std::vector<Finding>& findings, const std::string& headline, const std::string& more);

/// GitLab's code quality report.
std::string gitlab_report(const std::vector<Finding>& findings);

/// SARIF 2.1.0.
std::string sarif_report(const std::vector<Finding>& findings, std::span<const FindingRule> rules);

}  // namespace qd::report
