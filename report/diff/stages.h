// Where a changed line comes from: a commit, the index, or the working tree alone.
#pragma once

#include <string>
#include <vector>

#include "report/diff/hunk.h"

namespace qd::report {

/// Takes from `files` (the working tree against a base) the lines that were staged, or that were not, so that what is
/// left are still lines of the files as they stand. `staged` is what the index has against HEAD, `unstaged` what the
/// working tree has against the index.
void ignore_stages(std::vector<ChangedFile>& files, const std::vector<ChangedFile>& staged,
                   const std::vector<ChangedFile>& unstaged, bool ignore_staged, bool ignore_unstaged);

}  // namespace qd::report
