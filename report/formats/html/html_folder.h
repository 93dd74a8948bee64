// Folder of parts: the packed parts of an HTML report as files, for reports that are written with --split.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace qd::report {

/// Files data/NAME-HASH.js. They are scripts, because a page that was opened from a file can load only scripts. The
/// hash in the name is that of the content. So an unchanged part is not written again, and an old part is never shown
/// with a new index.
class HtmlFolder {
 public:
  /// `folder` is the existing folder of index.html. Throws std::runtime_error, as `write` does.
  explicit HtmlFolder(const std::string& folder);

  /// Writes a part, unless it exists, and returns its name. `about` becomes part of the name. Thread-safe.
  std::string write(std::string_view about, const std::string& packed);
  /// Removes parts of earlier reports.
  void remove_others() const;

 private:
  std::string folder_;
  std::mutex mutex_;
  std::set<std::string> names_;  // guarded by mutex_
};

}  // namespace qd::report
