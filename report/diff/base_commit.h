// Finds the commit with which the working tree is compared, and fetches history that is missing.
#pragma once

#include <optional>
#include <string>

#include "report/diff/git.h"
#include "report/diff/revision.h"

namespace qd::report {

struct BaseOptions {
  std::optional<std::string> compare_branch;  // none: origin/main, or main where there is no such branch
  std::optional<std::string>
      base_sha;            // this commit itself, whatever is between it and HEAD; goes before compare_branch
  bool merge_base = true;  // where HEAD's history left the branch ("..."); false: the tip of the branch ("..")
  bool deepen = false;     // of a shallow clone, fetch as much history as it takes
};

struct BaseCommit {
  std::string name;    // as the user would write it
  std::string commit;  // full id of what is compared with
};

/// Absolute path of the top of the working tree that `folder` is in. Throws GitError.
std::string top_of_working_tree(const std::string& folder);

/// With GIT_DIR and without GIT_WORK_TREE, git takes any folder for the top of the working tree. This is what the
/// reader should know about that; empty when there is nothing. Throws GitError when `root` has none of the files that
/// git tracks.
std::string note_of_environment(const std::string& folder, const std::string& root);

/// What is checked out.
struct HeadCommit {
  std::string commit;  // full id
  std::string branch;  // empty when none is checked out
  std::string folder;  // the given one below the top of the working tree: "" or "sub/"
  bool dirty = false;  // tracked files are not what the commit has
};

/// The commit that is checked out. A change of the file `ignored` does not make it dirty. Throws GitError.
HeadCommit head_commit(const std::string& folder, const std::string& ignored = {});

/// The base of the comparison. Throws GitError, whose text says what to do.
BaseCommit find_base(const std::string& root, const BaseOptions& options);

}  // namespace qd::report
