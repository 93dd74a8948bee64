// Formats of services that keep a list of findings: GitLab's code quality report and SARIF.
#include "report/formats/diff/diff_findings.h"
#include "report/formats/diff/diff_formats.h"

namespace qd::report {

std::string gitlab_code_quality(const DiffCoverage& coverage, const DiffStyle&) {
  return gitlab_report(as_findings(diff_findings(coverage)));
}

std::string sarif(const DiffCoverage& coverage, const DiffStyle&) {
  static const FindingRule kRules[] = {
      {rule_name(FindingKind::Missing), "Changed lines that no test runs"},
      {rule_name(FindingKind::Partial), "Changed lines with branches that no test takes"},
      {rule_name(FindingKind::NotMeasured), "Changed files that no test run has data of"},
      {rule_name(FindingKind::Lost), "Unchanged lines that tests ran once, and run no more"},
      {rule_name(FindingKind::NeverOnDevice), "Changed lines of kernels that ran on one device and never on another"},
  };
  return sarif_report(as_findings(diff_findings(coverage)), kRules);
}

}  // namespace qd::report
