// Gap check: the text between the hunks of a diff must be the same in both versions. Otherwise a part of the diff is
// missing.
#pragma once

#include <string>
#include <vector>

#include "report/diff/hunk.h"

namespace qd::report {

/// Compares the text between the hunks of `files` (of parse_diff_file) with the old versions that the diff names, if
/// git has them. White space does not count, because the diff may have been made without it. Throws std::runtime_error
/// for a line that changed and is not in the diff. Afterwards `old_id` has the form of find_changes().
void check_gaps(const std::string& root, std::vector<ChangedFile>& files);

}  // namespace qd::report
