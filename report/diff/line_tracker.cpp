// Line tracker. A line between two spans keeps its distance to the span before it.
#include "report/diff/line_tracker.h"

#include <algorithm>

namespace qd::report {

std::optional<int32_t> LineTracker::old_line(int32_t new_line) const {
  auto after = std::upper_bound(spans_.begin(), spans_.end(), new_line,
                                [](int32_t line, const ChangedSpan& span) { return line < span.new_first; });
  if (after == spans_.begin()) return new_line;
  const ChangedSpan& span = *(after - 1);
  int32_t distance = new_line - (span.new_first + span.n_new);
  if (distance < 0) return std::nullopt;
  return span.old_first + span.n_old + distance;
}

std::optional<int32_t> LineTracker::new_line(int32_t old_line) const {
  auto after = std::upper_bound(spans_.begin(), spans_.end(), old_line,
                                [](int32_t line, const ChangedSpan& span) { return line < span.old_first; });
  if (after == spans_.begin()) return old_line;
  const ChangedSpan& span = *(after - 1);
  int32_t distance = old_line - (span.old_first + span.n_old);
  if (distance < 0) return std::nullopt;
  return span.new_first + span.n_new + distance;
}

bool LineTracker::touched(int32_t first, int32_t last) const {
  auto end_of = [](const ChangedSpan& span) { return span.new_first + span.n_new; };
  auto span =
      std::partition_point(spans_.begin(), spans_.end(), [&](const ChangedSpan& one) { return end_of(one) <= first; });
  return span != spans_.end() && span->new_first <= last;
}

}  // namespace qd::report
