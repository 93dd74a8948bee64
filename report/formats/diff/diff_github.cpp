// GitHub formats, shown beside the lines of a pull request: workflow commands that a job prints, and the body of a
// check run. GitHub refuses a request for a check run with more than fifty annotations.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/formats/common/text.h"
#include "report/formats/diff/diff_findings.h"
#include "report/formats/diff/diff_formats.h"
#include "report/formats/diff/diff_result.h"

namespace qd::report {
namespace {

using Json = nlohmann::ordered_json;

// Largest number of annotations in a request of GitHub's; `qd-cov github check-run` sends further ones separately, up
// to a limit.
constexpr size_t kMaxAnnotations = 50;
constexpr size_t kMaxAllAnnotations = 1000;

Json annotation(const Finding& finding) {
  return {{"path", finding.path},     {"start_line", finding.first},
          {"end_line", finding.last}, {"annotation_level", name(finding.level)},
          {"title", finding.title},   {"message", finding.message}};
}

FindingLevel level_of(const std::string& level) {
  return level == "error" ? FindingLevel::Error : level == "notice" ? FindingLevel::Notice : FindingLevel::Warning;
}

}  // namespace

std::string github_annotations(const DiffCoverage& coverage, const DiffStyle& style) {
  return github_commands(as_findings(diff_findings(coverage), level_of(style.annotation_level)),
                         result_words(coverage, style), "more places lack coverage: see the report.");
}

std::string github_check_run(const DiffCoverage& coverage, const DiffStyle& style) {
  std::vector<Finding> findings = as_findings(diff_findings(coverage));
  Json annotations = Json::array(), more = Json::array();
  for (size_t i = 0; i < std::min(findings.size(), kMaxAllAnnotations); ++i)
    (i < kMaxAnnotations ? annotations : more).push_back(annotation(findings[i]));
  std::string conclusion = style.reached() ? "success" : "failure";
  Json json = {{"name", "Diff coverage"},
               {"head_sha", coverage.head},
               {"status", "completed"},
               {"conclusion", style.gates.empty() && !findings.empty() ? "neutral" : conclusion},
               {"output",
                {{"title", result_words(coverage, style)},
                 {"summary", valid_utf8(diff_markdown(coverage, style))},
                 {"annotations", annotations}}}};
  if (!more.empty()) json["more_annotations"] = more;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace qd::report
