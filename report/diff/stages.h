// Stages of a change: a changed line comes from a commit, from the index, or from the working tree alone.
#pragma once

#include <string>
#include <vector>

#include "report/diff/hunk.h"

namespace qd::report {

/// Removes staged or unstaged lines from `files`, which are the working tree compared with a base. The remaining lines
/// keep their numbers in the present files. `staged` is the index compared with HEAD, `unstaged` the working tree
/// compared with the index.
void ignore_stages(std::vector<ChangedFile>& files, const std::vector<ChangedFile>& staged,
                   const std::vector<ChangedFile>& unstaged, bool ignore_staged, bool ignore_unstaged);

}  // namespace qd::report
