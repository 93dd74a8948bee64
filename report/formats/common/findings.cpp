// Finding formats of services that mark lines. GitHub reads commands like this one in the output of a job:
//
//   ::warning file=a.py,line=3,endLine=5,title=Missing coverage::Lines 3-5 are not covered by tests.
//
// A step shows ten such commands of a level, and silently drops more. So the last one has the number of the rest.
//
// GitLab, and tools that read SARIF, keep lists and compare them from commit to commit. They recognise a finding by a
// fingerprint of its rule, its file and its identity.
#include "report/formats/common/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "report/formats/common/digests.h"
#include "report/formats/common/text.h"

namespace qd::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxCommands = 10;

/// Escapes percent signs and line ends for the runner; in a property, also the separators of properties.
std::string command_text(std::string_view text, bool is_property) {
  std::string result;
  for (char c : text) {
    bool separates = is_property && (c == ':' || c == ',');
    if (c == '%' || c == '\r' || c == '\n' || separates)
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      result += static_cast<unsigned char>(c) < ' ' && c != '\t' ? visible(std::string_view(&c, 1)) : std::string(1, c);
  }
  return result;
}

/// Makes unique fingerprints: the same finding a second time in a file gets another one.
class Fingerprints {
 public:
  std::string of(const Finding& finding) {
    std::string text = fmt::format("{}\n{}\n{}", finding.rule, finding.path, finding.identity);
    int n = seen_[text]++;
    if (n > 0) text += std::to_string(n);
    auto digest = md5(text);
    return hexadecimal(digest.data(), digest.size());
  }

 private:
  std::map<std::string, int> seen_;
};

/// Percent encoding of RFC 3986: everything but unreserved characters and the slashes between folders.
std::string uri(const std::string& path) {
  std::string result;
  for (char c : path) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 std::string_view("-._~/").find(c) != std::string_view::npos;
    result += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

std::string text_of(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

const char* name(FindingLevel level) {
  switch (level) {
    case FindingLevel::Error: return "error";
    case FindingLevel::Warning: return "warning";
    case FindingLevel::Notice: return "notice";
  }
  return "";
}

std::string github_commands(const std::vector<Finding>& findings, const std::string& headline,
                            const std::string& more) {
  std::string out;
  for (FindingLevel level : {FindingLevel::Error, FindingLevel::Warning, FindingLevel::Notice}) {
    auto is_it = [&](const Finding& finding) { return finding.level == level; };
    auto total = static_cast<size_t>(std::count_if(findings.begin(), findings.end(), is_it));
    size_t left = total <= kMaxCommands ? total : kMaxCommands - 1;
    if (left < total)
      total -= left;
    else
      total = 0;  // number of findings that are not shown
    for (const Finding& finding : findings) {
      if (!is_it(finding) || left == 0) continue;
      --left;
      std::string end = finding.last > finding.first ? fmt::format(",endLine={}", finding.last) : "";
      out += fmt::format("::{} file={},line={}{},title={}::{}\n", name(level), command_text(finding.path, true),
                         finding.first, end, command_text(finding.title, true), command_text(finding.message, false));
    }
    if (total > 0)
      out += fmt::format("::{} title={}::{}\n", name(level), command_text(headline, true),
                         command_text(fmt::format("{} {}", total, more), false));
  }
  return out;
}

std::string gitlab_report(const std::vector<Finding>& findings) {
  Fingerprints fingerprints;
  Json list = Json::array();
  for (const Finding& finding : findings)
    list.push_back(
        {{"description", finding.message},
         {"check_name", finding.rule},
         {"fingerprint", fingerprints.of(finding)},
         {"severity", finding.severity},
         {"location", {{"path", finding.path}, {"lines", {{"begin", finding.first}, {"end", finding.last}}}}}});
  return text_of(list);
}

std::string sarif_report(const std::vector<Finding>& findings, std::span<const FindingRule> rules) {
  Fingerprints fingerprints;
  Json rule_list = Json::array();
  for (const FindingRule& rule : rules)
    rule_list.push_back({{"id", rule.name}, {"shortDescription", {{"text", rule.description}}}});
  Json results = Json::array();
  for (const Finding& finding : findings) {
    auto rule =
        std::find_if(rules.begin(), rules.end(), [&](const FindingRule& one) { return one.name == finding.rule; });
    Json region = {{"startLine", finding.first}, {"endLine", finding.last}};
    Json place = {
        {"physicalLocation",
         {{"artifactLocation", {{"uri", uri(finding.path)}, {"uriBaseId", "%SRCROOT%"}}}, {"region", region}}}};
    results.push_back({{"ruleId", finding.rule},
                       {"ruleIndex", rule - rules.begin()},
                       {"level", finding.level == FindingLevel::Notice ? "note" : name(finding.level)},
                       {"message", {{"text", finding.message}}},
                       {"locations", Json::array({place})},
                       {"partialFingerprints", {{"text/v1", fingerprints.of(finding)}}}});
  }
  Json driver = {{"name", "qd-cov"}, {"rules", rule_list}};
  Json run = {{"tool", {{"driver", driver}}}, {"columnKind", "unicodeCodePoints"}, {"results", results}};
  return text_of({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                  {"version", "2.1.0"},
                  {"runs", Json::array({run})}});
}

}  // namespace qd::report
