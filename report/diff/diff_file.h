// A diff that somebody made and kept (--diff-file): any unified diff, held against the files that it speaks of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/diff/hunk.h"

namespace qd::report {

/// The changed files of a unified diff, by git or another tool, with any number of context lines. Paths are looked for
/// under `root`, the top of the working tree, and then under `folder`, where the diff may have been made. Throws
/// std::runtime_error when the text is no diff, when it names files outside of `root`, or when what it says of the new
/// files is not what they hold.
std::vector<ChangedFile> parse_diff_file(std::string_view text, const std::string& root, const std::string& folder);

}  // namespace qd::report
