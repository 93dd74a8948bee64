// Lines between two spans keep their distance to the span before them.
#include "report/diff/line_tracker.h"

#include <algorithm>

namespace qd::report {

std::optional<int32_t> LineTracker::old_line(int32_t new_line) const {
  auto after = std::upper_bound(spans_.begin(), spans_.end(), new_line, [](int32_t line, const ChangedSpan& span) { return line < span.new_first; });
  if (after == spans_.begin()) return new_line;
  const ChangedSpan& span = *(after - 1);
  int32_t distance = new_line - (span.new_first + span.n_new);
  if (distance < 0) return std::nullopt;
  return span.old_first + span.n_old + distance;
}

}  // namespace qd::report
