// Reads hunks of a unified diff: which lines of the old file became which lines of the new one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace qd::report {

enum class ChangeKind : uint8_t { Added, Modified, Renamed, Copied, Deleted, TypeChanged, Untracked };

/// The n_old lines from old_first became the n_new lines from new_first. When there are no lines, the first is the line
/// before which they would be.
struct ChangedSpan {
  int32_t old_first = 1, n_old = 0;
  int32_t new_first = 1, n_new = 0;
  bool operator==(const ChangedSpan&) const = default;
};

/// One file that differs from the base. Lines are those of the new file, as git counts them (separated by '\n'),
/// from 1.
struct ChangedFile {
  ChangeKind kind = ChangeKind::Modified;
  std::string path;                // relative to the top of the working tree, '/' between folders
  std::string old_path;            // where it was renamed or copied from; else empty
  bool is_regular = true;          // neither a symbolic link nor a submodule
  bool is_binary = false;          // git shows no lines of it
  std::string old_id;              // of the blob that it was at the base; empty where not known
  std::vector<ChangedSpan> spans;  // in order; what stands between two is the same text
  std::vector<int32_t> added;      // new or changed lines, sorted
  std::vector<int32_t>
      removed_after;  // lines that follow these (0: the start) are gone and nothing came in their place

  /// Appends to `spans`, and to `added` or `removed_after` what follows from it.
  void add(const ChangedSpan& span);
};

/// The lines of a text, one after the other.
class TextLines {
 public:
  explicit TextLines(std::string_view text) : rest_(text) {}
  bool done() const { return rest_.empty(); }
  std::string_view peek() const { return rest_.substr(0, rest_.find('\n')); }
  std::string_view next() {
    std::string_view line = peek();
    rest_.remove_prefix(std::min(rest_.size(), line.size() + 1));
    return line;
  }

 private:
  std::string_view rest_;
};

/// A line that the hunk says the new file has; `text` without its line end.
using SeenLine = std::function<void(int32_t new_line, std::string_view text)>;

/// Reads a hunk, from its "@@ -OLD +NEW @@" on, into `file` (null: it is skipped). Throws std::runtime_error with the
/// line that is not as expected.
void parse_hunk(TextLines& lines, ChangedFile* file, const SeenLine& seen = {});

/// Says that a diff has `line` where it should not be.
[[noreturn]] void throw_unexpected(std::string_view line);

}  // namespace qd::report
