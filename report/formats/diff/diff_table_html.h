// The table of files on the page of diff coverage, and what other parts of the page have in common with it.
#pragma once

#include <string>

#include "report/formats/diff/diff_formats.h"

namespace qd::report {

std::string diff_table_html(const DiffCoverage& coverage);

/// A text of the change or of its data, as the page shows it.
std::string shown_html(const std::string& text);
/// The cell with a file's name, which leads to its code.
std::string diff_name_cell(const DiffFile& file);
/// Lines such as "12, 31-33", each of which leads to the first of its lines.
std::string diff_line_links(const std::string& path, const std::string& list);

}  // namespace qd::report
