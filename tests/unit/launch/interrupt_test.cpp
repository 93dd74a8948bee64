// Poll of a launch: launches that it ends, and others.
#include <gtest/gtest.h>

#include <csignal>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "instrument/session.h"
#include "runtime/launch/program.h"
#include "tests/unit/instrument/recorded.h"

namespace qd {
namespace {

using ir::Type;

const std::string kFile = QD_SOURCE_DIR "/tests/unit/launch/kernels.py";

#ifdef __SANITIZE_THREAD__
constexpr bool kSignalsReachCode = false;  // ThreadSanitizer keeps them until code that it knows is reached
#else
constexpr bool kSignalsReachCode = true;
#endif

class Poll : public LaunchPoll {
 public:
  explicit Poll(std::function<bool(int)> wants) : wants_(std::move(wants)) {}
  bool wants_end() override {
    EXPECT_EQ(std::this_thread::get_id(), thread_);
    return wants_(++asked);
  }
  int asked = 0;

 private:
  std::function<bool(int)> wants_;
  std::thread::id thread_ = std::this_thread::get_id();
};

class Interrupt : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!kSignalsReachCode) GTEST_SKIP();
    config.cpu_max_num_threads = GetParam();
  }
  static std::vector<Argument> with(Ndarray* x, int64_t number) { return {x, number}; }
  Config config;
};

TEST_P(Interrupt, EndsALaunchWithoutEnd) {
  Program program(config);
  auto x = program.ndarray(Type::I32, {8});
  for (int parallel = 0; parallel < 2; ++parallel) {
    for (int round = 0; round < 3; ++round) {
      Poll third([](int asked) { return asked == 3; });
      EXPECT_THROW(program.load_kernel(kFile, "endless").launch(with(x.get(), parallel), {.poll = &third}),
                   KernelInterrupted);
      EXPECT_EQ(third.asked, 3);
    }
  }
  auto y = program.ndarray(Type::I32, {100'000});
  program.load_kernel(kFile, "chains")(y.get(), 1);
  for (int32_t value : y->span<int32_t>()) ASSERT_EQ(value, 1013904223);
}

TEST_P(Interrupt, LeavesALaunchAsItIsWhenNobodyWantsItsEnd) {
  Program program(config);
  auto x = program.ndarray(Type::I32, {8}), y = program.ndarray(Type::I32, {8});
  Kernel& chain = program.load_kernel(kFile, "chain");
  Kernel& chains = program.load_kernel(kFile, "chains");
  Poll never([&](int) {
    // A launch of its own, on the thread that is in the middle of another.
    EXPECT_EQ(chain.launch(with(x.get(), 3)), chain.launch(with(x.get(), 3)));
    return false;
  });
  // More and more rounds, until a launch takes long enough, on whatever this is.
  int64_t rounds = 10'000'000;
  for (int tries = 0; never.asked == 0 && tries < 20; ++tries) {
    chains(y.get(), rounds);
    const int32_t want = y->span<int32_t>()[0];
    std::ranges::fill(y->span<int32_t>(), 0);
    chains.launch(with(y.get(), rounds), {.poll = &never});
    for (int32_t value : y->span<int32_t>()) EXPECT_EQ(value, want);
    rounds = std::min<int64_t>(4 * rounds, 2'000'000'000);
  }
  EXPECT_GE(never.asked, 1);
}

TEST_P(Interrupt, EachLaunchingThreadHasItsOwn) {
  Program program(config);
  std::vector<std::thread> threads;
  std::atomic<int> interrupted = 0, finished = 0;
  program.load_kernel(kFile, "chain");
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      auto x = program.ndarray(Type::I32, {8});
      for (int round = 0; round < 5; ++round) {
        Poll poll([&](int asked) { return t % 2 == 0 && asked == 1 + round % 2; });
        try {
          program.load_kernel(kFile, t % 2 ? "chain" : "endless")
              .launch(with(x.get(), t % 2 ? 20'000'000 : t / 2), {.poll = &poll});
          ++finished;
        } catch (const KernelInterrupted&) {
          ++interrupted;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(interrupted, 10);
  EXPECT_EQ(finished, 10);
}

TEST_P(Interrupt, OneThatWaitsForAnotherThreadsLaunchEnds) {
  Program program(config);
  auto x = program.ndarray(Type::I32, {8}), y = program.ndarray(Type::I32, {200'000});
  program.load_kernel(kFile, "chains")(y.get(), 1);
  std::atomic<bool> over = false;
  std::thread other([&] {
    Poll until([&](int) { return over.load(); });
    EXPECT_THROW(program.load_kernel(kFile, "endless").launch(with(x.get(), 1), {.poll = &until}), KernelInterrupted);
  });
  Poll second([](int asked) { return asked == 2; });
  try {
    for (;;) program.load_kernel(kFile, "chains").launch(with(y.get(), 1'000'000), {.poll = &second});
  } catch (const KernelInterrupted&) {
  }
  over = true;
  other.join();
}

TEST_P(Interrupt, ItsCountersSayNothing) {
  instrument::Session session;
  Program program(config, &session);
  auto x = program.ndarray(Type::I32, {8});
  auto taken = [&] {
    size_t count = 0;
    auto hits = instrument::testing::hits(session);
    for (const auto& [file, arcs] : hits["qd:cpu"]) count += arcs.size();
    return count;
  };
  EXPECT_EQ(std::get<int64_t>(program.load_kernel(kFile, "sides")(1)[0]), 1);
  const size_t before = taken();
  EXPECT_GT(before, 0);
  for (int parallel = 0; parallel < 2; ++parallel) {
    Poll first([](int) { return true; });
    EXPECT_THROW(program.load_kernel(kFile, "endless").launch(with(x.get(), parallel), {.poll = &first}),
                 KernelInterrupted);
  }
  EXPECT_EQ(taken(), before);
  program.load_kernel(kFile, "endless")(x.get(), -1);
  EXPECT_GT(taken(), before);
}

INSTANTIATE_TEST_SUITE_P(Threads, Interrupt, ::testing::Values(1, 3));

}  // namespace
}  // namespace qd
