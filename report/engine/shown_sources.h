// Shown sources: selects the files whose text a report may show. A report leaves the machine, and its data may come
// from elsewhere: a report of another tool can name any file.
#pragma once

#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace qd::report {

/// Thread-safe.
class ShownSources {
 public:
  /// Reason why the text of a file that a report of another tool or a setting names is hidden; empty: it is shown. It
  /// is shown if git tracks the file, also behind links. Outside of a working tree, it is shown if it is below the
  /// current folder and no part of its path begins with a dot.
  std::string why_not(const std::string& path) const;
  /// The same for a file that coverage.py measured. These are shown wherever they are, as in coverage.py, except for
  /// files in git's own folder, and for files whose names are not Python's and that git ignores or that begin with a
  /// dot.
  std::string why_not_measured(const std::string& path) const;

 private:
  void ask_git() const;
  bool tracks(const std::string& real) const;
  /// `path` without links; empty when there is no such file.
  std::string real_path(const std::string& path) const;
  std::string real_folder(const std::string& folder) const;

  mutable std::once_flag asked_;
  mutable std::string here_, root_;  // without links; root_ is empty outside of a working tree
  mutable std::string failure_;      // error of git when there is a working tree
  mutable std::unordered_set<std::string> tracked_;
  mutable std::mutex mutex_;                                           // guards real_folders_
  mutable std::unordered_map<std::string, std::string> real_folders_;  // cache by folder
};

/// As many lines as `text` has; the first one has the reason why the others are empty. `path` selects the comment
/// syntax.
std::string hidden_text(const std::string& text, const std::string& path, const std::string& why);

}  // namespace qd::report
