// Set of line numbers of one file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace qd::report {

/// Set of lines from 0 to the file's last line and one beyond, where a pattern can match the end of the text.
class LineSet {
 public:
  explicit LineSet(int32_t n_lines) : marks_(static_cast<size_t>(n_lines) + 2, 0) {}

  void insert(int32_t line) {
    if (in_range(line)) marks_[static_cast<size_t>(line)] = 1;
  }
  void insert(int32_t first, int32_t last) {
    for (int32_t line = first; line <= last; ++line) insert(line);
  }
  bool contains(int32_t line) const { return in_range(line) && marks_[static_cast<size_t>(line)]; }
  bool contains_any(int32_t first, int32_t last) const {
    for (int32_t line = first; line <= last; ++line)
      if (contains(line)) return true;
    return false;
  }
  bool empty() const { return std::find(marks_.begin(), marks_.end(), 1) == marks_.end(); }
  std::vector<int32_t> lines() const {
    std::vector<int32_t> result;
    for (size_t line = 0; line < marks_.size(); ++line)
      if (marks_[line]) result.push_back(static_cast<int32_t>(line));
    return result;
  }

 private:
  bool in_range(int32_t line) const { return line >= 0 && static_cast<size_t>(line) < marks_.size(); }
  std::vector<char> marks_;
};

}  // namespace qd::report
