// Formats of services that keep a list of findings and compare it from commit to commit: GitLab's code quality report and SARIF 2.1.0. A finding is known again by
// a fingerprint of its file and its text, wherever the lines move to.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "report/formats/diff_findings.h"
#include "report/formats/diff_formats.h"
#include "report/formats/digests.h"

namespace qd::report {
namespace {

using Json = nlohmann::ordered_json;

/// Fingerprints of findings, each once: the same text in the same file a second time gets another.
class Fingerprints {
 public:
  std::string of(const DiffFinding& finding) {
    std::string text = fmt::format("{}\n{}\n", rule_name(finding.kind), finding.file->path);
    if (finding.kind != FindingKind::NotMeasured)
      for (int32_t line = finding.first; line <= finding.last; ++line) text += finding.file->source.lines[static_cast<size_t>(line) - 1] + "\n";
    int n = seen_[text]++;
    if (n > 0) text += std::to_string(n);
    auto digest = md5(text);
    return hexadecimal(digest.data(), digest.size());
  }

 private:
  std::map<std::string, int> seen_;
};

/// RFC 3986: everything but unreserved characters and the slashes between folders.
std::string uri(const std::string& path) {
  std::string result;
  for (char c : path) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || std::string_view("-._~/").find(c) != std::string_view::npos;
    result += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

const char* severity(FindingKind kind) {
  switch (kind) {
    case FindingKind::Missing: return "major";
    case FindingKind::Partial: return "minor";
    case FindingKind::NotMeasured: return "info";
  }
  return "";
}

const char* description(FindingKind kind) {
  switch (kind) {
    case FindingKind::Missing: return "Changed lines that no test runs";
    case FindingKind::Partial: return "Changed lines with branches that no test takes";
    case FindingKind::NotMeasured: return "Changed files that no test run has data of";
  }
  return "";
}

}  // namespace

std::string gitlab_code_quality(const DiffCoverage& coverage, const DiffStyle&) {
  Fingerprints fingerprints;
  Json list = Json::array();
  for (const DiffFinding& finding : diff_findings(coverage))
    list.push_back({{"description", finding.message},
                    {"check_name", rule_name(finding.kind)},
                    {"fingerprint", fingerprints.of(finding)},
                    {"severity", severity(finding.kind)},
                    {"location", {{"path", finding.file->path}, {"lines", {{"begin", finding.first}, {"end", finding.last}}}}}});
  return list.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string sarif(const DiffCoverage& coverage, const DiffStyle&) {
  Fingerprints fingerprints;
  Json rules = Json::array();
  for (FindingKind kind : {FindingKind::Missing, FindingKind::Partial, FindingKind::NotMeasured})
    rules.push_back({{"id", rule_name(kind)}, {"shortDescription", {{"text", description(kind)}}}});
  Json results = Json::array();
  for (const DiffFinding& finding : diff_findings(coverage)) {
    Json region = {{"startLine", finding.first}, {"endLine", finding.last}};
    Json place = {{"physicalLocation", {{"artifactLocation", {{"uri", uri(finding.file->path)}, {"uriBaseId", "%SRCROOT%"}}}, {"region", region}}}};
    results.push_back({{"ruleId", rule_name(finding.kind)},
                       {"ruleIndex", static_cast<int>(finding.kind)},
                       {"level", "warning"},
                       {"message", {{"text", finding.message}}},
                       {"locations", Json::array({place})},
                       {"partialFingerprints", {{"text/v1", fingerprints.of(finding)}}}});
  }
  Json driver = {{"name", "qd-cov"}, {"rules", rules}};
  Json run = {{"tool", {{"driver", driver}}}, {"columnKind", "unicodeCodePoints"}, {"results", results}};
  Json json = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace qd::report
