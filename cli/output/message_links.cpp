// Message links to the page of the documentation that explains a message.
#include "cli/output/message_links.h"

#include <fmt/core.h>

#include <algorithm>

#include "report/config/coverage_version.h"

namespace qd::cli {

namespace {

std::string page;  // address of the page; empty: none

}  // namespace

void link_messages(const report::Config& config) {
  page.clear();
  if (config.coverage_version && !report::matches_since(*config.coverage_version, 7, 10, 7)) return;
  // Documentation pages exist for complete version numbers only.
  const std::string version = config.coverage_version.value_or("");
  page = fmt::format("https://coverage.readthedocs.io/en/{}/messages.html",
                     std::count(version.begin(), version.end(), '.') == 2 ? version : "latest");
}

std::string linked_error(const std::string& message) {
  if (page.empty()) return message;
  const char* name = nullptr;
  if (message.starts_with("No source for code: '") && message.ends_with("'."))
    name = "no-source";
  else if (message.starts_with("Can't combine ") && message.find(" coverage data with ") != std::string::npos)
    name = "cant-combine";
  if (!name) return message;
  return fmt::format("{}; see {}#error-{}", message.substr(0, message.size() - message.ends_with('.')), page, name);
}

std::string linked_warning(const std::string& message) {
  size_t open = message.rfind(" (");
  if (page.empty() || open == std::string::npos || !message.ends_with(')')) return message;
  std::string name = message.substr(open + 2, message.size() - open - 3);
  bool is_name = !name.empty() &&
                 std::all_of(name.begin(), name.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; }) &&
                 name.find('-') != std::string::npos;
  return is_name ? fmt::format("{}; see {}#warning-{}", message, page, name) : message;
}

}  // namespace qd::cli
