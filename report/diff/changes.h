// Finds what changed between a base and the working tree. The base is mostly the merge base with a branch.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/diff/base_commit.h"
#include "report/diff/behind_links.h"
#include "report/diff/hunk.h"

namespace qd::report {

struct ChangeOptions {
  std::string folder = ".";  // any folder of the working tree
  BaseOptions base;
  std::optional<std::string> diff_file;  // this file says what changed, in place of git
  bool include_untracked = false;
  bool ignore_staged = false;    // what is in the index and not in HEAD
  bool ignore_unstaged = false;  // what is in the working tree and not in the index
  bool ignore_whitespace = false;
  bool keep_lines =
      false;  // with ignore_whitespace: blank lines that came or went count all the same, so that lines can be followed
};

struct Changes {
  std::string root;             // absolute path of the top of the working tree
  std::string title;            // "main...HEAD, staged and unstaged changes"
  std::string compare_branch;   // what it was compared with, as the user would write it; empty: a diff file
  bool from_merge_base = true;  // base_commit is where HEAD left compare_branch, else its tip
  std::string base_commit;      // full commit ids; empty where not known
  std::string head;
  std::vector<ChangedFile> files;        // in git's order; deleted files too
  std::vector<LinkedFile> behind_links;  // files that changed links lead to
  std::vector<std::string> submodules;   // that changed: another commit, or edits in them
  std::vector<std::string> untracked;    // paths of files that git does not track, where they are no part of the change
  std::vector<std::string> notes;        // what the reader should know about how git was asked
};

/// Makes one diff from the base straight to the working tree, so every line number is one of the file as it is. Throws
/// GitError.
Changes find_changes(const ChangeOptions& options);

/// What changed from one commit to another, in the form of find_changes(). Throws GitError when git does not know both
/// commits.
std::vector<ChangedFile> changes_between(const std::string& folder, const std::string& old_commit,
                                         const std::string& new_commit);

/// "'a', 'b', 'c' and 4 more".
std::string some_names(const std::vector<std::string>& names);

/// Paths of all files that git tracks in the working tree, sorted. Throws GitError.
std::vector<std::string> tracked_files(const std::string& root);

}  // namespace qd::report
