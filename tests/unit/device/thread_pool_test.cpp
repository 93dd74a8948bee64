// The thread pool: every element once, from many host threads, nested, and after a fork.
#include "runtime/device/cpu/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

namespace qd::device {
namespace {

void run(ThreadPool& pool, int64_t count, int64_t chunk, const std::function<void(int64_t, int64_t)>& part) {
  pool.run(
      count, chunk,
      [](void* data, int64_t begin, int64_t end) {
        (*static_cast<const std::function<void(int64_t, int64_t)>*>(data))(begin, end);
      },
      const_cast<std::function<void(int64_t, int64_t)>*>(&part));
}

TEST(ThreadPool, VisitsEveryElementOnce) {
  ThreadPool pool(4);
  for (int64_t count : {0, 1, 2, 63, 64, 1000, 4097}) {
    for (int64_t chunk : {1, 7, 64, 5000}) {
      std::vector<std::atomic<int>> visits(count);
      run(pool, count, chunk, [&](int64_t begin, int64_t end) {
        EXPECT_LT(begin, end);
        for (int64_t i = begin; i < end; ++i) ++visits[i];
      });
      for (int64_t i = 0; i < count; ++i) ASSERT_EQ(visits[i], 1) << count << " in parts of " << chunk;
    }
  }
}

TEST(ThreadPool, PartsBeginAtMultiplesOfTheChunk) {
  ThreadPool pool(3);
  run(pool, 1000, 64, [](int64_t begin, int64_t end) {
    EXPECT_EQ(begin % 64, 0);
    EXPECT_TRUE(end - begin == 64 || end == 1000);
  });
}

/// Whether the condition becomes true within ten seconds.
bool becomes(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return condition();
}

TEST(ThreadPool, PartsOfAThreadLieTogether) {
  ThreadPool pool(2);
  std::atomic<bool> first_begun = false, second_begun = false;
  std::atomic<std::thread::id> ran[64];
  run(pool, 64, 1, [&](int64_t begin, int64_t) {
    ran[begin] = std::this_thread::get_id();
    // Each waits for the other, so two threads have one of them.
    if (begin == 0) first_begun = true;
    if (begin == 32) second_begun = true;
    if (begin == 0 || begin == 32) {
      EXPECT_TRUE(becomes([&] { return first_begun && second_begun; }));
    }
    // No thread comes to the end of a slice before the other one has gone on.
    if (begin == 31 || begin == 63) {
      EXPECT_TRUE(becomes([&] { return ran[1].load() != std::thread::id() && ran[33].load() != std::thread::id(); }));
    }
  });
  EXPECT_EQ(ran[0].load(), ran[1].load());
  EXPECT_EQ(ran[32].load(), ran[33].load());
  EXPECT_NE(ran[0].load(), ran[32].load());
}

TEST(ThreadPool, WhoHasNoPartsLeftTakesThoseOfOthers) {
  ThreadPool pool(2);
  std::atomic<int> done = 0;
  run(pool, 64, 1, [&](int64_t begin, int64_t) {
    if (begin == 32) {
      EXPECT_TRUE(becomes([&] { return done == 63; }));
    }
    ++done;
  });
}

TEST(ThreadPool, RangesLargerThanInt32) {
  ThreadPool pool(2);
  std::atomic<int64_t> sum = 0;
  const int64_t count = int64_t{1} << 33;
  run(pool, count, count / 8, [&](int64_t begin, int64_t end) { sum += end - begin; });
  EXPECT_EQ(sum, count);
}

TEST(ThreadPool, ManyHostThreads) {
  ThreadPool pool(4);
  std::atomic<int64_t> sum = 0;
  std::vector<std::thread> hosts;
  for (int h = 0; h < 6; ++h) {
    hosts.emplace_back([&] {
      for (int round = 0; round < 300; ++round)
        run(pool, 100, 3, [&](int64_t begin, int64_t end) { sum += end - begin; });
    });
  }
  for (std::thread& host : hosts) host.join();
  EXPECT_EQ(sum, 6 * 300 * 100);
}

TEST(ThreadPool, ARangeBesideAnotherRunsOnItsOwnThread) {
  ThreadPool pool(2);
  std::atomic<int> others = 0;
  std::atomic<bool> begun = false;
  std::thread other([&] {
    EXPECT_TRUE(becomes([&] { return begun.load(); }));
    run(pool, 8, 1, [&](int64_t, int64_t) { ++others; });
  });
  // Both threads of the pool are in these parts until the other range is over.
  run(pool, 2, 1, [&](int64_t, int64_t) {
    begun = true;
    EXPECT_TRUE(becomes([&] { return others == 8; }));
  });
  other.join();
}

TEST(ThreadPool, ARangeGetsTheWorkersWhenTheyAreFree) {
  ThreadPool pool(2);
  std::atomic<bool> begun = false, over = false;
  std::atomic<std::thread::id> ran[64];
  std::thread other([&] {
    EXPECT_TRUE(becomes([&] { return begun.load(); }));
    run(pool, 64, 1, [&](int64_t begin, int64_t) {
      ran[begin] = std::this_thread::get_id();
      if (begin == 3) {
        over = true;
        usleep(20'000);  // the first range ends meanwhile
      }
      // Here two threads are needed.
      if (begin == 63) {
        EXPECT_TRUE(becomes([&] { return ran[4].load() != std::thread::id(); }));
      }
      if (begin == 4) {
        EXPECT_TRUE(becomes([&] { return ran[34].load() != std::thread::id(); }));
      }
    });
  });
  run(pool, 2, 1, [&](int64_t, int64_t) {
    begun = true;
    EXPECT_TRUE(becomes([&] { return over.load(); }));
  });
  other.join();
  for (const auto& thread : ran) EXPECT_NE(thread.load(), std::thread::id());
  EXPECT_NE(ran[4].load(), ran[34].load());
}

TEST(ThreadPool, NestedRangesRunOnTheirOwnThread) {
  ThreadPool pool(4);
  std::atomic<int64_t> sum = 0;
  run(pool, 16, 1, [&](int64_t, int64_t) {
    std::thread::id self = std::this_thread::get_id();
    run(pool, 10, 1, [&](int64_t begin, int64_t end) {
      EXPECT_EQ(std::this_thread::get_id(), self);
      sum += end - begin;
    });
  });
  EXPECT_EQ(sum, 160);
}

/// Ranges that follow each other at once and after the workers have gone to sleep.
TEST(ThreadPool, ManyShortRanges) {
  ThreadPool pool(3);
  int64_t sum = 0;
  std::atomic<int64_t> counted = 0;
  for (int round = 0; round < 3000; ++round) {
    run(pool, 6, 1, [&](int64_t begin, int64_t end) { counted += end - begin; });
    sum += 6;
    ASSERT_EQ(counted, sum);
    if (round % 500 == 0) usleep(2000);
  }
}

#ifndef __SANITIZE_THREAD__  // ThreadSanitizer ends a child that starts threads
TEST(ThreadPool, AForkedChildHasThreadsOfItsOwn) {
  ThreadPool pool(3);
  std::atomic<int64_t> sum = 0;
  auto add = [&](int64_t begin, int64_t end) { sum += end - begin; };
  run(pool, 100, 1, add);
  pid_t child = fork();
  if (child == 0) {
    alarm(20);  // a child that waits for its parent's threads must not hang the test
    sum = 0;
    run(pool, 100, 1, add);
    _exit(sum == 100 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  run(pool, 100, 1, add);
  EXPECT_EQ(sum, 200);
}
#endif

TEST(ThreadPool, OneThreadNeedsNoWorkers) {
  ThreadPool pool(1);
  std::thread::id self = std::this_thread::get_id();
  run(pool, 100, 10, [&](int64_t, int64_t) { EXPECT_EQ(std::this_thread::get_id(), self); });
}

}  // namespace
}  // namespace qd::device
