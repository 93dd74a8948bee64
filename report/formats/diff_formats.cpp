// The table of the formats of diff coverage.
#include "report/formats/diff_formats.h"

namespace qd::report {
namespace {

constexpr DiffFormat kFormats[] = {
    {"terminal", "a table of the changed files and the totals", nullptr, false, diff_terminal},
    {"annotated", "the table, then the changed code with a mark for each line", nullptr, false, diff_annotated},
    {"markdown", "a report for a pull request, shorter than 65,536 characters", nullptr, true, diff_markdown},
    {"markdown-summary", "one line of markdown", nullptr, true, diff_markdown_summary},
    {"html", "one self-contained page", "diff-coverage.html", true, diff_html},
};

}  // namespace

std::span<const DiffFormat> diff_formats() { return kFormats; }

}  // namespace qd::report
