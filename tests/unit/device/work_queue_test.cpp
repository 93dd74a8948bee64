// Order of the reference device's work.
#include "runtime/device/reference/work_queue.h"

#include <gmock/gmock.h>

#include <atomic>
#include <set>

namespace qd::device {
namespace {

constexpr std::chrono::seconds kLong{20};

TEST(WorkQueue, RunsNothingBeforeSomebodyWaits) {
  WorkQueue queue(1);
  const size_t stream = queue.add_stream();
  std::atomic<int> ran = 0;
  for (int i = 0; i < 3; ++i) queue.add(stream, [&] { ++ran; });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(ran, 0);
  EXPECT_TRUE(queue.wait_for(*queue.point(stream), kLong));
  EXPECT_EQ(ran, 3);
}

TEST(WorkQueue, RunsUnaskedWhenMuchHasComeTogether) {
  WorkQueue queue(1);
  const size_t stream = queue.add_stream();
  std::atomic<int> ran = 0;
  const auto end = std::chrono::steady_clock::now() + kLong;
  while (ran == 0 && std::chrono::steady_clock::now() < end) queue.add(stream, [&] { ++ran; });
  EXPECT_GT(ran, 0);
}

TEST(WorkQueue, KeepsTheOrderOfAStream) {
  WorkQueue queue(7);
  const size_t stream = queue.add_stream();
  std::vector<int> order;
  for (int i = 0; i < 200; ++i) queue.add(stream, [&order, i] { order.push_back(i); });
  queue.wait_for_all();
  ASSERT_EQ(order.size(), 200u);
  EXPECT_TRUE(std::ranges::is_sorted(order));
}

/// "a" and "b" of two streams, three of each, in the order of a seed.
std::string order_of(uint64_t seed) {
  WorkQueue queue(seed);
  const size_t first = queue.add_stream(), second = queue.add_stream();
  std::string order;
  for (int i = 0; i < 3; ++i) {
    queue.add(first, [&] { order += 'a'; });
    queue.add(second, [&] { order += 'b'; });
  }
  queue.wait_for_all();
  return order;
}

TEST(WorkQueue, DrawsTheOrderOfStreamsFromItsSeed) {
  std::set<std::string> orders;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    orders.insert(order_of(seed));
    EXPECT_EQ(order_of(seed), order_of(seed));
  }
  EXPECT_GT(orders.size(), 8u) << "20 are possible";
}

TEST(WorkQueue, StreamsWaitForEachOther) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    WorkQueue queue(seed);
    const size_t first = queue.add_stream(), second = queue.add_stream();
    std::string order;
    queue.add(first, [&] { order += 'a'; });
    queue.wait_in_stream(second, queue.point(first));
    queue.add(second, [&] { order += 'b'; });
    queue.wait_in_stream(first, queue.point(second));
    queue.add(first, [&] { order += 'c'; });
    queue.wait_for_all();
    ASSERT_EQ(order, "abc") << seed;
  }
}

TEST(WorkQueue, AWaitEndsInTime) {
  WorkQueue queue(1);
  const size_t stream = queue.add_stream();
  std::atomic<bool> go = false;
  queue.add(stream, [&] { go.wait(false); });
  const auto mark = queue.point(stream);
  EXPECT_FALSE(queue.wait_for(*mark, std::chrono::milliseconds(5)));
  go = true;
  go.notify_all();
  EXPECT_TRUE(queue.wait_for(*mark, kLong));
}

TEST(WorkQueue, ItsEndRunsWhatIsLeft) {
  int ran = 0;
  {
    WorkQueue queue(1);
    const size_t stream = queue.add_stream();
    queue.add(stream, [&] { ++ran; });
  }
  EXPECT_EQ(ran, 1);
}

}  // namespace
}  // namespace qd::device
