// What changed between the merge base with a branch and the working tree.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/diff/git.h"
#include "report/diff/patch.h"

namespace qd::report {

struct ChangeOptions {
  std::string folder = ".";                   // any folder of the working tree
  std::optional<std::string> compare_branch;  // none: origin/main, or main where there is no such branch
  bool include_untracked = false;
  bool ignore_whitespace = false;
};

struct Changes {
  std::string root;            // absolute path of the top of the working tree
  std::string compare_branch;  // what it was compared with, as the user would write it
  std::string merge_base;      // full commit ids
  std::string head;
  bool include_untracked = false;
  std::vector<ChangedFile> files;  // in git's order; deleted files too

  /// "main...HEAD, staged and unstaged changes"
  std::string title() const;
};

/// One diff from the merge base straight to the working tree, so that every line number is one of the file as it stands.
/// Throws GitError.
Changes find_changes(const ChangeOptions& options);

}  // namespace qd::report
