// Diff findings. Ranges are those of the column Missing: another changed statement ends a range; blank lines and
// comments do not.
#include "report/formats/diff/diff_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "report/formats/common/text.h"
#include "report/formats/diff/marks.h"

namespace qd::report {
namespace {

/// Last physical line of the statement that begins at `line`.
int32_t end_of_statement(const AnnotatedSource& source, int32_t line) {
  int32_t end = line;
  while (end < source.n_lines() && source.first_lines[static_cast<size_t>(end)] == line) ++end;
  return end;
}

void add_missing(const DiffFile& file, std::vector<DiffFinding>& findings) {
  for (const MissingRange& range : file.missing_ranges()) {
    DiffFinding finding{FindingKind::Missing, &file, range.first, end_of_statement(file.source, range.last),
                        range.n_statements,   ""};
    finding.message = finding.first == finding.last
                          ? fmt::format("Line {} is not covered by tests.", finding.first)
                          : fmt::format("Lines {}-{} are not covered by tests.", finding.first, finding.last);
    if (auto state = file.source.kernel_lines.find(range.first);
        state != file.source.kernel_lines.end() && !state->second.why.empty())
      finding.message += fmt::format(" Kernel: {}.", visible(state->second.why));
    findings.push_back(std::move(finding));
  }
}

void add_partial(const DiffFile& file, std::vector<DiffFinding>& findings) {
  auto add = [&](int32_t line, std::string message) {
    findings.push_back({FindingKind::Partial, &file, line, end_of_statement(file.source, line), 1, std::move(message)});
  };
  for (const auto& [line, to] : file.missing_branches) add(line, fmt::format("Line {} {}.", line, never_jumped(to)));
  for (const auto& [line, count] : file.missing_counts)
    add(line, fmt::format("Line {}: {}.", line, never_taken(count)));
}

void add_lost(const DiffFile& file, const BaseCoverage& base, std::vector<DiffFinding>& findings) {
  for (const MissingRange& range : file.lost_ranges()) {
    DiffFinding finding{FindingKind::Lost,  &file, range.first, end_of_statement(file.source, range.last),
                        range.n_statements, ""};
    finding.message = finding.first == finding.last
                          ? fmt::format("Line {} is not changed, and not covered any more: {} has it covered.",
                                        finding.first, visible(base.name))
                          : fmt::format("Lines {}-{} are not changed, and not covered any more: {} has them covered.",
                                        finding.first, finding.last, visible(base.name));
    findings.push_back(std::move(finding));
  }
}

void add_arch_gaps(const DiffFile& file, std::vector<DiffFinding>& findings) {
  for (const ArchGap& gap : file.arch_gaps)
    for (const MissingRange& range : file.ranges(gap.lines)) {
      DiffFinding finding{FindingKind::NeverOnDevice, &file, range.first, end_of_statement(file.source, range.last),
                          range.n_statements,         ""};
      finding.message = finding.first == finding.last
                            ? fmt::format("Line {} is {}.", finding.first, visible(gap.words()))
                            : fmt::format("Lines {}-{} are {}.", finding.first, finding.last, visible(gap.words()));
      findings.push_back(std::move(finding));
    }
}

void add_not_measured(const DiffFile& file, std::vector<DiffFinding>& findings) {
  int32_t first = file.changed.empty() ? 1 : std::max(1, file.changed.front());
  std::string why = file.not_measured == "no data"
                        ? fmt::format("No test run has data of this file: {} not measured.",
                                      plural(file.unmeasured_statements, "changed line"))
                        : fmt::format("This file is not measured: {}.", visible(file.not_measured));
  findings.push_back(
      {FindingKind::NotMeasured, &file, first, first, std::max(1, file.unmeasured_statements), std::move(why)});
}

struct Kind {
  const char *rule, *title, *severity;
};
/// In the order of FindingKind.
constexpr Kind kKinds[] = {
    {"missing-lines", "Missing coverage", "major"},
    {"missing-branches", "Missing branch", "minor"},
    {"not-measured", "Not measured", "info"},
    {"lost-lines", "Lost coverage", "major"},
    {"lines-never-on-device", "Never ran on a device", "minor"},
};

static_assert(std::size(kKinds) == static_cast<size_t>(FindingKind::NeverOnDevice) + 1);

const Kind& kind_of(FindingKind kind) { return kKinds[static_cast<size_t>(kind)]; }

}  // namespace

std::vector<DiffFinding> diff_findings(const DiffCoverage& coverage) {
  std::vector<DiffFinding> findings;
  for (const DiffFile& file : coverage.files) {
    add_missing(file, findings);
    add_arch_gaps(file, findings);
    if (coverage.branches) add_partial(file, findings);
    if (coverage.base) add_lost(file, *coverage.base, findings);
  }
  if (coverage.base)
    for (const DiffFile& file : coverage.lost_elsewhere) add_lost(file, *coverage.base, findings);
  for (const DiffFile& file : coverage.not_measured) add_not_measured(file, findings);
  auto key = [](const DiffFinding& one) {
    return std::tuple(-one.n_statements, one.kind, std::string_view(one.file->path), one.first);
  };
  std::sort(findings.begin(), findings.end(),
            [&](const DiffFinding& a, const DiffFinding& b) { return key(a) < key(b); });
  return findings;
}

const char* rule_name(FindingKind kind) { return kind_of(kind).rule; }

std::vector<Finding> as_findings(const std::vector<DiffFinding>& findings, FindingLevel level) {
  std::vector<Finding> result;
  for (const DiffFinding& one : findings) {
    std::string identity;
    if (one.kind != FindingKind::NotMeasured)
      for (int32_t line = one.first; line <= one.last; ++line)
        identity += one.file->source.lines[static_cast<size_t>(line) - 1] + "\n";
    result.push_back({one.file->path, one.first, one.last, level, rule_name(one.kind), kind_of(one.kind).title,
                      one.message, kind_of(one.kind).severity, std::move(identity)});
  }
  return result;
}

}  // namespace qd::report
