// The files that a changed symbolic link leads to: what stands at their paths is another text than before.
#pragma once

#include <string>
#include <vector>

#include "report/diff/hunk.h"

namespace qd::report {

/// A file at a path that a changed link is, or is a folder of.
struct LinkedFile {
  ChangedFile file;         // with the path by the link; all its lines are new, and not read yet
  bool is_tracked = false;  // git tracks the file by its own name, which is where a change of it counts
  bool replaces = false;    // the path was another link before, or a file, or a folder of files
  std::string unknown;      // why the files behind the link could not be looked at; then `file` is the link
};

/// Which links count as changed.
struct FollowedLinks {
  bool only_with_lines = false;  // those of which the text is new in the diff: others are staged, say, and ignored
  bool uncommitted = true;       // a tracked folder that is a link in the working tree alone, too
};

/// The files behind those of `files` that are links, or that are behind a link which took the place of a folder. Links
/// of links and folders of folders are followed; hidden folders and virtual environments are not looked at. `root` is
/// the top of the working tree.
std::vector<LinkedFile> behind_links(const std::string& root, const std::vector<ChangedFile>& files,
                                     const FollowedLinks& which);

}  // namespace qd::report
