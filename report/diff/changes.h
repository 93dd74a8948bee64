// Changes between a base and the working tree. The base is mostly the merge base with a branch.
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
  std::optional<std::string> diff_file;  // a file with the changes, in place of git
  bool include_untracked = false;
  bool ignore_staged = false;    // changes in the index against HEAD
  bool ignore_unstaged = false;  // changes in the working tree against the index
  bool ignore_whitespace = false;
  bool keep_lines = false;  // with ignore_whitespace: blank lines that were added or removed count all the same, so
                            // that lines can be followed
};

struct Changes {
  std::string root;             // absolute path of the top of the working tree
  std::string title;            // "main...HEAD, staged and unstaged changes"
  std::string compare_branch;   // the user's name of the base; empty: a diff file
  bool from_merge_base = true;  // base_commit is the merge base of HEAD and compare_branch, else its tip
  std::string base_commit;      // full commit ids; empty when not known
  std::string head;
  std::vector<ChangedFile> files;         // in git's order; deleted files too
  std::vector<LinkedFile> behind_links;   // files behind changed links
  std::vector<std::string> submodules;    // changed submodules: at another commit, or with edits
  std::vector<std::string> repositories;  // folders with a repository of their own, that git tracks nothing of
  std::vector<std::string> untracked;     // paths of files that git does not track, if they are no part of the change
  std::vector<std::string> notes;         // remarks for the reader about the repository and the call of git
};

/// Finds the changes with one diff from the base straight to the working tree, so every line number is one of the
/// present file. Throws GitError.
Changes find_changes(const ChangeOptions& options);

/// Returns the changes from one commit to another, in the form of find_changes(). Throws GitError when git does not
/// know both commits.
std::vector<ChangedFile> changes_between(const std::string& folder, const std::string& old_commit,
                                         const std::string& new_commit);

/// List of names for a message: "'a', 'b', 'c' and 4 more".
std::string some_names(const std::vector<std::string>& names);

/// Paths of all files that git tracks in the working tree, sorted. Throws GitError.
std::vector<std::string> tracked_files(const std::string& root);

}  // namespace qd::report
