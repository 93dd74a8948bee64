// Parts of the page of diff coverage: its table of files, and the changed code of a file.
#pragma once

#include <string>

#include "report/formats/diff/diff_formats.h"

namespace qd::report {

// File table, and its parts that the rest of the page uses.

std::string diff_table_html(const DiffCoverage& coverage);

/// Cell with a file's name, which links to its code.
std::string diff_name_cell(const DiffFile& file);
/// Links of a list such as "12, 31-33", each to the first of its lines.
std::string diff_line_links(const std::string& path, const std::string& list);

// Changed code of a file.

/// CSS class of a line in a state.
const char* css_class(LineState state);

/// Section of a file: its changed lines with those around them, the missing lines, and pop-overs with the branches and
/// conditions of a line.
std::string diff_file_html(const DiffFile& file, const DiffCoverage& coverage, const DiffStyle& style);

}  // namespace qd::report
