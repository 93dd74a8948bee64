// Hunk parser for unified diffs: maps lines of the old file to lines of the new one.
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

/// A file that differs from the base. Lines are those of the new file, as git counts them (separated by '\n'), from 1.
struct ChangedFile {
  ChangeKind kind = ChangeKind::Modified;
  std::string path;                    // relative to the top of the working tree, '/' between folders
  std::string old_path;                // path before a rename or copy; else empty
  bool is_regular = true;              // neither a symbolic link nor a submodule
  bool is_binary = false;              // git shows no lines of it
  std::string old_id;                  // id of its blob at the base; empty when not known
  std::vector<ChangedSpan> spans;      // in order; the text between two spans is unchanged
  std::vector<int32_t> added;          // new or changed lines, sorted
  std::vector<int32_t> removed_after;  // lines (0: the start) behind which lines were removed and not replaced

  /// Appends to `spans`, and its lines to `added` or `removed_after`.
  void add(const ChangedSpan& span);
};

/// Reader of a text line by line.
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

inline std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (TextLines rest(text); !rest.done();) lines.push_back(rest.next());
  return lines;
}

/// Callback for a line of a hunk: one of the new file, or a removed one, which would be at `new_line` if the removed
/// lines before it were still there. `text` is without its line end.
using SeenLine = std::function<void(int32_t new_line, std::string_view text)>;

/// Reads a hunk, from its "@@ -OLD +NEW @@" on, into `file` (null: it is skipped). Throws std::runtime_error with the
/// unexpected line.
void parse_hunk(TextLines& lines, ChangedFile* file, const SeenLine& seen = {}, const SeenLine& removed = {});

/// Throws std::runtime_error: a diff has `line` in a wrong place.
[[noreturn]] void throw_unexpected(std::string_view line);

}  // namespace qd::report
