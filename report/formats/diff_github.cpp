// What GitHub shows beside the lines of a pull request: workflow commands that a job prints, and the body of a check run.
//
//   ::warning file=a.py,line=3,endLine=5,title=Missing coverage::Lines 3-5 are not covered by tests.
//
// A step shows ten commands of a level, a request for a check run takes fifty annotations; more would be dropped silently, so the last says how many there are.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/formats/diff_findings.h"
#include "report/formats/diff_formats.h"
#include "report/formats/text.h"

namespace qd::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxCommands = 10;
constexpr size_t kMaxAnnotations = 50;

/// Percent signs and line ends as the runner takes them back; in a property also what separates properties.
std::string command_text(std::string_view text, bool is_property) {
  std::string result;
  for (char c : text) {
    bool separates = is_property && (c == ':' || c == ',');
    if (c == '%' || c == '\r' || c == '\n' || separates)
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      result += static_cast<unsigned char>(c) < ' ' ? visible(std::string_view(&c, 1)) : std::string(1, c);
  }
  return result;
}

const char* title(FindingKind kind) {
  switch (kind) {
    case FindingKind::Missing: return "Missing coverage";
    case FindingKind::Partial: return "Missing branch";
    case FindingKind::NotMeasured: return "Not measured";
  }
  return "";
}

std::string headline(const DiffCoverage& coverage) {
  if (!coverage.has_lines()) return "No lines with coverage information in this diff";
  return fmt::format("Diff coverage: {}%", percent(coverage.covered(), coverage.total()));
}

Json annotation(const DiffFinding& finding) {
  return {{"path", finding.file->path}, {"start_line", finding.first}, {"end_line", finding.last},
          {"annotation_level", "warning"}, {"title", title(finding.kind)}, {"message", finding.message}};
}

}  // namespace

std::string github_annotations(const DiffCoverage& coverage, const DiffStyle& style) {
  std::vector<DiffFinding> findings = diff_findings(coverage);
  size_t shown = findings.size() <= kMaxCommands ? findings.size() : kMaxCommands - 1;
  std::string out;
  for (size_t i = 0; i < shown; ++i) {
    const DiffFinding& finding = findings[i];
    std::string end = finding.last > finding.first ? fmt::format(",endLine={}", finding.last) : "";
    out += fmt::format("::{} file={},line={}{},title={}::{}\n", style.annotation_level, command_text(finding.file->path, true), finding.first, end,
                       title(finding.kind), command_text(finding.message, false));
  }
  if (shown < findings.size())
    out += fmt::format("::{} title={}::{}\n", style.annotation_level, command_text(headline(coverage), true),
                       command_text(fmt::format("{} more places lack coverage: see the report.", findings.size() - shown), false));
  return out;
}

std::string github_check_run(const DiffCoverage& coverage, const DiffStyle& style) {
  std::vector<DiffFinding> findings = diff_findings(coverage);
  Json annotations = Json::array();
  for (size_t i = 0; i < std::min(findings.size(), kMaxAnnotations); ++i) annotations.push_back(annotation(findings[i]));
  std::string conclusion = style.reached() ? "success" : "failure";
  Json json = {{"name", "Diff coverage"},
               {"head_sha", coverage.head},
               {"status", "completed"},
               {"conclusion", style.gates.empty() && !findings.empty() ? "neutral" : conclusion},
               {"output", {{"title", headline(coverage)}, {"summary", valid_utf8(diff_markdown(coverage, style))}, {"annotations", annotations}}}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace qd::report
