// Asks git what changed from one side to another, with the lines of the files as they are.
#pragma once

#include <string>
#include <vector>

#include "report/diff/hunk.h"

namespace qd::report {

struct TreeDiff {
  const char* command;             // diff-index, diff-files or diff-tree
  std::vector<std::string> sides;  // its arguments: what is compared with what
  bool ignore_whitespace = false;
  bool keep_lines = false;      // with ignore_whitespace: blank lines that came or went count all the same
  bool to_working_tree = true;  // the new side is the working tree
  std::vector<std::string> environment = {};  // of git: which index, say
};

/// Whether git would take this for a binary file, without regard to attributes and sizes.
bool looks_binary(const std::string& bytes);

/// Whether an attribute puts a filter between the file and what git stores of it.
bool has_filter(const std::string& root, const std::string& path);

/// The changed files. No configuration, attribute or variable of the user changes the result: it has lines of files
/// that an attribute or their size makes binary. If there is a clean filter between the working tree and git, lines are
/// those of the working tree. Throws GitError.
std::vector<ChangedFile> run_diff(const std::string& root, const TreeDiff& diff);

/// Of `spans`, from an old text to the text that a filter makes of a file, and that text: the same from the old text to
/// the `file` itself. A line that the filter changes, and that has no counterpart, counts as added where what stands in
/// its place was. Exported for its test.
void follow_filter(const std::vector<std::string>& filtered, const std::vector<std::string>& file, ChangedFile& change);

}  // namespace qd::report
