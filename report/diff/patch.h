// Reads what `git diff-index --raw -p -U0` prints: the files that changed and their new lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qd::report {

enum class ChangeKind : uint8_t { Added, Modified, Renamed, Copied, Deleted, TypeChanged, Untracked };

/// One file that differs from the base. Lines are those of the new file, as git counts them (separated by '\n'), from 1.
struct ChangedFile {
  ChangeKind kind = ChangeKind::Modified;
  std::string path;      // relative to the top of the working tree, '/' between folders
  std::string old_path;  // where it was renamed or copied from; else empty
  bool is_regular = true;  // neither a symbolic link nor a submodule
  bool is_binary = false;  // git shows no lines of it
  std::vector<int32_t> added;          // new or changed lines, sorted
  std::vector<int32_t> removed_after;  // lines that follow these (0: the start) are gone and nothing came in their place
};

/// Throws std::runtime_error with the line that is not as expected.
std::vector<ChangedFile> parse_patch(std::string_view text);

/// A path as git writes it: in double quotes with C escapes when it has special characters, else as it is.
std::string unquote_path(std::string_view text);

}  // namespace qd::report
