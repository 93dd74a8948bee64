// Lines followed over a change, against the texts themselves.
#include "report/diff/line_tracker.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "report/diff/hunk.h"

namespace qd::report {
namespace {

TEST(LineTracker, WithoutChangesEveryLineStays) {
  LineTracker map;
  EXPECT_EQ(map.old_line(1), 1);
  EXPECT_EQ(map.old_line(7), 7);
}

TEST(LineTracker, FollowsRandomEdits) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    // Runs of kept, removed and added lines, in any order: which old line a new one was is known.
    std::vector<int32_t> old_of_new;  // 0: none; index 0 is line 1
    int32_t n_old = 0;
    std::vector<ChangedSpan> spans;
    bool kept_before = true;
    for (int piece = 0; piece < 12; ++piece) {
      int n = static_cast<int>(random() % 3) + 1;
      auto old_at = n_old, new_at = static_cast<int32_t>(old_of_new.size());
      if (kept_before) {
        int removed = static_cast<int>(random() % 3), added = static_cast<int>(random() % 3);
        if (removed + added > 0) spans.push_back({old_at + 1, removed, new_at + 1, added});
        n_old += removed;
        old_of_new.insert(old_of_new.end(), static_cast<size_t>(added), 0);
      } else {
        for (int i = 0; i < n; ++i) old_of_new.push_back(old_at + i + 1);
        n_old += n;
      }
      kept_before = !kept_before;
    }
    LineTracker map(spans);
    for (size_t i = 0; i < old_of_new.size(); ++i)
      EXPECT_EQ(map.old_line(static_cast<int32_t>(i) + 1).value_or(0), old_of_new[i]);
  }
}

}  // namespace
}  // namespace qd::report
