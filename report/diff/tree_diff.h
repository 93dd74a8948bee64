// Tree diff: the changes between two sides of git, with the present lines of the files, and stages of a change.
#pragma once

#include <string>
#include <vector>

#include "report/diff/hunk.h"

namespace qd::report {

struct TreeDiff {
  const char* command;             // diff-index, diff-files or diff-tree
  std::vector<std::string> sides;  // its arguments: the two sides
  bool ignore_whitespace = false;
  bool keep_lines = false;      // with ignore_whitespace: blank lines that were added or removed count all the same
  bool to_working_tree = true;  // the new side is the working tree
  std::vector<std::string> environment = {};  // variables of git, such as the index file
};

/// Whether git would take this content for binary, without regard to attributes and sizes.
bool looks_binary(const std::string& bytes);

/// Whether an attribute puts a filter between the file and git's stored form of it.
bool has_filter(const std::string& root, const std::string& path);

/// Returns the changed files. The user's configuration, attributes and variables do not change the result: it has lines
/// of files that an attribute or their size makes binary. If there is a clean filter between the working tree and git,
/// lines are those of the working tree. Throws GitError.
std::vector<ChangedFile> run_diff(const std::string& root, const TreeDiff& diff);

/// Replaces the changes of `change`, from an old text to `filtered` (the text that a filter makes of a file), by those
/// from the old text to the `file` itself. A line that the filter changes, and that has no counterpart, counts as added
/// if the filtered lines in its place do. Exported for its test.
void follow_filter(const std::vector<std::string>& filtered, const std::vector<std::string>& file, ChangedFile& change);

// Stages of a change: a changed line comes from a commit, from the index, or from the working tree alone.

/// Removes staged or unstaged lines from `files`, which are the working tree compared with a base. The remaining lines
/// keep their numbers in the present files. `staged` is the index compared with HEAD, `unstaged` the working tree
/// compared with the index.
void ignore_stages(std::vector<ChangedFile>& files, const std::vector<ChangedFile>& staged,
                   const std::vector<ChangedFile>& unstaged, bool ignore_staged, bool ignore_unstaged);

}  // namespace qd::report
