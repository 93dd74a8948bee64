// Table of the formats of diff coverage.
#include "report/formats/diff/diff_formats.h"

namespace qd::report {
namespace {

constexpr DiffFormat kFormats[] = {
    {"terminal", "a table of the changed files and the totals", nullptr, false, diff_terminal},
    {"annotated", "the table, then the changed code with a mark for each line", nullptr, false, diff_annotated},
    {"markdown", "a report for a pull request, shorter than 65,536 characters", nullptr, true, diff_markdown},
    {"markdown-summary", "one line of markdown", nullptr, true, diff_markdown_summary},
    {"html", "one self-contained page", "diff-coverage.html", true, diff_html},
    {"json", "diff-cover's JSON, with more in the object qd_cov", "diff-coverage.json", true, diff_json},
    {"github-annotations",
     "workflow commands that mark lines of a pull request; ':notice', ':warning' or ':error' sets their level", nullptr,
     false, github_annotations},
    {"github-check-run", "the body of a request to GitHub's Checks API", "check-run.json", true, github_check_run},
    {"gitlab", "GitLab's code quality report", "gl-code-quality-report.json", false, gitlab_code_quality},
    {"gcc", "lines as gcc writes warnings, for editors and tools that read the output of compilers", nullptr, false,
     diff_gcc},
    {"sarif", "SARIF 2.1.0", "diff-coverage.sarif", false, sarif},
};

}  // namespace

std::span<const DiffFormat> diff_formats() { return kFormats; }

}  // namespace qd::report
