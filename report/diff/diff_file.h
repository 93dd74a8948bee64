// Diff file of --diff-file: any unified diff, made earlier. It is checked against the files in the working tree, and
// for missing parts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/diff/hunk.h"

namespace qd::report {

/// Returns the changed files of a unified diff, made by git or another tool with any number of context lines. Paths are
/// looked up below `root`, the top of the working tree, and then below `folder`, where the diff may have been made.
/// Throws std::runtime_error when the text is no diff, when it names files outside of `root`, or when the new files do
/// not have the lines of the diff.
std::vector<ChangedFile> parse_diff_file(std::string_view text, const std::string& root, const std::string& folder);

// Gap check: the text between the hunks of a diff must be the same in both versions. Otherwise a part of the diff is
// missing.

/// Compares the text between the hunks of `files` (of parse_diff_file) with the old versions that the diff names, if
/// git has them. White space does not count, because the diff may have been made without it. Throws std::runtime_error
/// for a line that changed and is not in the diff. Afterwards `old_id` has the form of find_changes().
void check_gaps(const std::string& root, std::vector<ChangedFile>& files);

/// Throws std::runtime_error for a deleted file that is there, and that git tracks, if there is a repository.
void check_deleted(const std::string& root, const std::vector<ChangedFile>& files);

}  // namespace qd::report
