// File table on the page of diff coverage, and its parts that the rest of the page uses.
#pragma once

#include <string>

#include "report/formats/diff/diff_formats.h"

namespace qd::report {

std::string diff_table_html(const DiffCoverage& coverage);

/// HTML of a text of the change or of its data.
std::string shown_html(const std::string& text);
/// Cell with a file's name, which links to its code.
std::string diff_name_cell(const DiffFile& file);
/// Links of a list such as "12, 31-33", each to the first of its lines.
std::string diff_line_links(const std::string& path, const std::string& list);

}  // namespace qd::report
