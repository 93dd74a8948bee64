// Finds out where a changed line comes from: a commit, the index, or only the working tree.
#pragma once

#include <string>
#include <vector>

#include "report/diff/hunk.h"

namespace qd::report {

/// Takes staged or unstaged lines out of `files`, which are the working tree compared with a base. The remaining lines
/// keep their numbers in the files as they are. `staged` is the index compared with HEAD, `unstaged` the working tree
/// compared with the index.
void ignore_stages(std::vector<ChangedFile>& files, const std::vector<ChangedFile>& staged,
                   const std::vector<ChangedFile>& unstaged, bool ignore_staged, bool ignore_unstaged);

}  // namespace qd::report
