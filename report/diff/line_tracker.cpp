// Line tracker. A line between two spans keeps its distance to the span before it.
#include "report/diff/line_tracker.h"

#include <algorithm>

namespace qd::report {

namespace {

/// Lines of a span before or after the change.
struct Side {
  int32_t ChangedSpan::* first;
  int32_t ChangedSpan::* n;
};
constexpr Side kOld{&ChangedSpan::old_first, &ChangedSpan::n_old}, kNew{&ChangedSpan::new_first, &ChangedSpan::n_new};

std::optional<int32_t> moved(const std::vector<ChangedSpan>& spans, int32_t line, Side from, Side to) {
  const auto after = std::ranges::upper_bound(spans, line, {}, from.first);
  if (after == spans.begin()) return line;
  const ChangedSpan& span = *(after - 1);
  const int32_t distance = line - (span.*from.first + span.*from.n);
  if (distance < 0) return std::nullopt;
  return span.*to.first + span.*to.n + distance;
}

}  // namespace

std::optional<int32_t> LineTracker::old_line(int32_t new_line) const { return moved(spans_, new_line, kNew, kOld); }
std::optional<int32_t> LineTracker::new_line(int32_t old_line) const { return moved(spans_, old_line, kOld, kNew); }

bool LineTracker::touched(int32_t first, int32_t last) const {
  auto end_of = [](const ChangedSpan& span) { return span.new_first + span.n_new; };
  auto span =
      std::partition_point(spans_.begin(), spans_.end(), [&](const ChangedSpan& one) { return end_of(one) <= first; });
  return span != spans_.end() && span->new_first <= last;
}

}  // namespace qd::report
