// Whole index of git: without the flags that make git ignore changes of files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/data/temporary_name.h"

namespace qd::report {

/// git would use the index's version of a flagged file (assume-unchanged, skip-worktree) that is in the working tree.
/// While this object lives, there is a copy of the index in which no file is flagged.
class WholeIndex {
 public:
  /// Throws GitError.
  explicit WholeIndex(const std::string& root);
  ~WholeIndex();
  WholeIndex(const WholeIndex&) = delete;
  WholeIndex& operator=(const WholeIndex&) = delete;

  /// Environment variables for git commands that read the index.
  std::vector<std::string> environment() const;
  /// Paths of the flagged files in the working tree, sorted.
  const std::vector<std::string>& flagged() const { return flagged_; }
  /// Paths of all submodules, sorted.
  const std::vector<std::string>& submodules() const { return submodules_; }

 private:
  void copy(const std::string& root);

  std::vector<std::string> flagged_, submodules_;
  std::string copy_;  // empty: no file is flagged
  std::optional<TemporaryName> gone_on_signal_;
};

}  // namespace qd::report
