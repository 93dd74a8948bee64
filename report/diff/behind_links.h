// Files behind changed symbolic links: the text at their paths is another one than before.
#pragma once

#include <string>
#include <vector>

#include "report/diff/hunk.h"

namespace qd::report {

/// A file at a path that is a changed link, or below one.
struct LinkedFile {
  ChangedFile file;         // with the path by the link; all its lines are new, and not read yet
  bool is_tracked = false;  // git tracks the file by its own name, under which its changes count
  bool replaces = false;    // another link, a file, or a folder of files was at the path before
  std::string unknown;      // reason why the files behind the link could not be read; then `file` is the link
};

/// Selection of links that count as changed.
struct FollowedLinks {
  bool only_with_lines = false;  // only links with new text in the diff (others may be staged and ignored)
  bool uncommitted = true;       // also a tracked folder that is a link in the working tree alone
};

/// Returns the files behind those of `files` that are links, or that are behind a link which replaced a folder. Links
/// to links and folders in folders are followed; hidden folders and virtual environments are skipped. `root` is the top
/// of the working tree.
std::vector<LinkedFile> behind_links(const std::string& root, const std::vector<ChangedFile>& files,
                                     const FollowedLinks& which);

}  // namespace qd::report
