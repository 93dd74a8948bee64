// Base commit, which the working tree is compared with; fetches missing history.
#pragma once

#include <optional>
#include <string>

#include "report/diff/git.h"
#include "report/diff/revision.h"

namespace qd::report {

struct BaseOptions {
  std::optional<std::string> compare_branch;  // none: origin/main, or main if there is no such branch
  std::optional<std::string>
      base_sha;            // this commit itself, wherever it is in the history; takes precedence over compare_branch
  bool merge_base = true;  // the merge base of HEAD and the branch ("..."); false: its tip ("..")
  bool deepen = false;     // of a shallow clone, fetch as much history as is needed
};

struct BaseCommit {
  std::string name;    // in the user's form
  std::string commit;  // full id of the commit to compare with
};

/// Absolute path of the top of the working tree that `folder` is in. Throws GitError.
std::string top_of_working_tree(const std::string& folder);

/// Note for the reader about GIT_DIR without GIT_WORK_TREE, when git takes any folder for the top of the working tree;
/// empty when there is none. Throws GitError when `root` has none of the files that git tracks.
std::string note_of_environment(const std::string& folder, const std::string& root);

/// The commit that is checked out.
struct HeadCommit {
  std::string commit;  // full id
  std::string branch;  // empty when no branch is checked out
  std::string folder;  // the given one below the top of the working tree: "" or "sub/"
  bool dirty = false;  // tracked files differ from the commit
};

/// Returns the commit that is checked out. A change of the file `ignored` does not make it dirty. Throws GitError.
HeadCommit head_commit(const std::string& folder, const std::string& ignored = {});

/// Returns the base of the comparison. Throws GitError, whose text advises the user.
BaseCommit find_base(const std::string& root, const BaseOptions& options);

}  // namespace qd::report
