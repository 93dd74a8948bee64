// Lines between two spans keep their distance to the span before them.
#include "report/diff/line_tracker.h"

#include <algorithm>

namespace qd::report {
namespace {

/// Maps a line of the side that `from` and `n_from` are of to the other one.
std::optional<int32_t> mapped(const std::vector<ChangedSpan>& spans, int32_t line, int32_t ChangedSpan::*from, int32_t ChangedSpan::*n_from,
                              int32_t ChangedSpan::*to, int32_t ChangedSpan::*n_to) {
  auto after = std::upper_bound(spans.begin(), spans.end(), line, [&](int32_t value, const ChangedSpan& span) { return value < span.*from; });
  if (after == spans.begin()) return line;
  const ChangedSpan& span = *(after - 1);
  int32_t distance = line - (span.*from + span.*n_from);
  if (distance < 0) return std::nullopt;
  return span.*to + span.*n_to + distance;
}

}  // namespace

std::optional<int32_t> LineTracker::old_line(int32_t new_line) const {
  return mapped(spans_, new_line, &ChangedSpan::new_first, &ChangedSpan::n_new, &ChangedSpan::old_first, &ChangedSpan::n_old);
}

std::optional<int32_t> LineTracker::new_line(int32_t old_line) const {
  return mapped(spans_, old_line, &ChangedSpan::old_first, &ChangedSpan::n_old, &ChangedSpan::new_first, &ChangedSpan::n_new);
}

}  // namespace qd::report
