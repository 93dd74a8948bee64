// What a diff in a file leaves out must be the same in both versions; else part of the diff is missing.
#pragma once

#include <string>
#include <vector>

#include "report/diff/hunk.h"

namespace qd::report {

/// Holds the lines between the hunks of `files` (of parse_diff_file) against the old versions that the diff names,
/// where git has them. White space does not count: the diff may have been made without it. Throws std::runtime_error
/// for a line that changed without a word of the diff. Afterwards `old_id` is as find_changes() has it.
void check_gaps(const std::string& root, std::vector<ChangedFile>& files);

}  // namespace qd::report
