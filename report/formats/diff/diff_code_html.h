// Changed code of a file on the page of diff coverage.
#pragma once

#include <string>

#include "report/formats/diff/diff_formats.h"

namespace qd::report {

/// CSS class of a line in a state.
const char* css_class(LineState state);

/// Section of a file: its changed lines with those around them, the missing lines, and pop-overs with the branches and
/// conditions of a line.
std::string diff_file_html(const DiffFile& file, const DiffCoverage& coverage, const DiffStyle& style);

}  // namespace qd::report
