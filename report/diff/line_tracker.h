// Line tracker: maps lines of the new file to lines of the old one, and back.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "report/diff/hunk.h"

namespace qd::report {

/// Made of the spans of one file, in order. Without spans every line is unchanged. Lines count from 1.
class LineTracker {
 public:
  LineTracker() = default;
  explicit LineTracker(std::vector<ChangedSpan> spans) : spans_(std::move(spans)) {}

  /// The old number of a line; nothing for a line that is new or changed.
  std::optional<int32_t> old_line(int32_t new_line) const;
  /// The new number of a line; nothing for a line that was removed or changed.
  std::optional<int32_t> new_line(int32_t old_line) const;
  /// Whether one of the lines first..last of the new file changed, or lines between them were removed.
  bool touched(int32_t first, int32_t last) const;

 private:
  std::vector<ChangedSpan> spans_;
};

}  // namespace qd::report
