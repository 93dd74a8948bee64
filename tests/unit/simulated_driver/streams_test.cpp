// Streams and events: the order that they have, the one that is drawn, and operations beside a kernel.
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "tests/unit/simulated_driver/kernels.h"

namespace qd::simulated::testing {
namespace {

constexpr int kInvalidHandle = 400, kNotReady = 600;

class StreamsOfSimulatedDevice : public WithKernel {
 protected:
  void fill(uint64_t to, unsigned char byte, void* on) { right("cuMemsetD8Async", to, byte, size_t{1}, on); }
  void record(void* event, void* on) { right("cuEventRecord", event, on); }
  void wait(void* on, void* event) { right("cuStreamWaitEvent", on, event, 0u); }

  /// Two streams change the same byte. With or without an event between them; gives what it is then.
  int two_streams(uint64_t seed, bool with_event) {
    const With lagging(Variables{{"QD_SIMULATED_SEED", std::to_string(seed)}});
    SetUp();
    void *first = stream(), *second = stream(), *done = event();
    const uint64_t byte = allocate(1);
    fill(byte, 1, first);
    record(done, first);
    if (with_event) wait(second, done);
    fill(byte, 2, second);
    finish(first);
    finish(second);
    return read(byte, 1)[0];
  }
};

TEST_F(StreamsOfSimulatedDevice, RunInAnOrderThatIsDrawn) {
  std::set<int> seen;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    seen.insert(two_streams(seed, false));
    EXPECT_EQ(two_streams(seed, true), 2) << seed;
  }
  EXPECT_EQ(seen, (std::set{1, 2}));
}

TEST_F(StreamsOfSimulatedDevice, RunLater) {
  const With lagging(Variables{{"QD_SIMULATED_SEED", "3"}});
  SetUp();
  void *own = stream(), *mark = event();
  EXPECT_EQ(call<int>("cuEventQuery", mark), 0);  // never recorded
  fill(allocate(1), 1, own);
  record(mark, own);
  EXPECT_EQ(call<int>("cuStreamQuery", own), kNotReady);
  right("cuEventSynchronize", mark);
  right("cuEventQuery", mark);
  right("cuStreamQuery", own);
}

TEST_F(StreamsOfSimulatedDevice, WaitForTheRecordThatWasTheLastOne) {
  for (int seed = 0; seed < 10; ++seed) {
    const With lagging(Variables{{"QD_SIMULATED_SEED", std::to_string(seed)}});
    SetUp();
    void *first = stream(), *second = stream(), *mark = event();
    const uint64_t bytes = allocate(2);
    wait(second, mark);  // there is nothing to wait for
    finish(second);
    fill(bytes, 1, first);
    record(mark, first);
    wait(second, mark);
    right("cuEventDestroy_v2", mark);  // the wait stays
    right("cuMemcpyDtoDAsync_v2", bytes + 1, bytes, size_t{1}, second);
    finish(second);
    EXPECT_EQ(read(bytes + 1, 1)[0], 1);
  }
}

TEST_F(StreamsOfSimulatedDevice, MeasureTime) {
  load(kWait);
  const uint64_t x = on_device(std::vector<int32_t>{0}), y = on_device(std::vector<int32_t>{0});
  bind({{x, 1}, {y, 1}});
  void *own = stream(), *other = stream(), *start = event(), *end = event();
  record(start, own);
  EXPECT_EQ(launch(1, own), 0);
  record(end, own);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  float milliseconds = 0;
  EXPECT_EQ(call<int>("cuEventElapsedTime", &milliseconds, start, end), kNotReady);
  const int32_t one = 1;
  const void* from = &one;
  right("cuMemcpyHtoDAsync_v2", x, from, size_t{4}, other);  // while the kernel runs
  finish(own);
  right("cuEventElapsedTime", &milliseconds, start, end);
  EXPECT_GE(milliseconds, 15);
  EXPECT_LE(milliseconds, 10'000);
  EXPECT_EQ(read_numbers<int32_t>(y, 1)[0], 2);

  void* untimed = nullptr;
  right("cuEventCreate", &untimed, 2u);
  record(untimed, own);
  finish(own);
  EXPECT_EQ(call<int>("cuEventElapsedTime", &milliseconds, start, untimed), kInvalidHandle);
}

/// Also when a second kernel waits for the first one.
TEST_F(StreamsOfSimulatedDevice, CopyWhileKernelsRun) {
  load(kWait);
  const uint64_t x = on_device(std::vector<int32_t>{0}), y = on_device(std::vector<int32_t>{0});
  bind({{x, 1}, {y, 1}});
  void *first = stream(), *second = stream(), *third = stream();
  EXPECT_EQ(launch(1, first), 0);
  EXPECT_EQ(launch(1, second), 0);
  right("cuMemcpyDtoDAsync_v2", y, x, size_t{4}, third);
  finish(third);
  EXPECT_EQ(call<int>("cuStreamQuery", first), kNotReady);
  EXPECT_EQ(call<int>("cuStreamQuery", second), kNotReady);
  fill(x, 1, third);
  finish(first);
  finish(second);
}

TEST_F(StreamsOfSimulatedDevice, ServeManyThreads) {
  void* context = nullptr;
  right("cuCtxGetCurrent", &context);
  std::atomic<int> wrong = 0;
  auto work = [&](unsigned char byte) {
    wrong += call<int>("cuCtxPushCurrent_v2", context) != 0;
    void* own = stream();
    for (int i = 0; i < 100; ++i) {
      const uint64_t address = allocate(1000 + i);
      unsigned char found = 0;
      void* to = &found;
      fill(address + 999, byte, own);
      wrong += call<int>("cuMemcpyDtoHAsync_v2", to, address + 999, size_t{1}, own) != 0 || found != byte;
      wrong += call<int>("cuMemFree_v2", address) != 0;
    }
  };
  std::vector<std::thread> threads;
  for (unsigned char i = 0; i < 4; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(call<long>("qd_simulated_live", "memory"), 0);
}

TEST_F(StreamsOfSimulatedDevice, AreKnownByTheirHandles) {
  void *own = stream(), *mark = event();
  EXPECT_EQ(call<int>("cuStreamSynchronize", mark), kInvalidHandle);
  EXPECT_EQ(call<int>("cuEventRecord", own, own), kInvalidHandle);
  EXPECT_EQ(call<long>("qd_simulated_live", "stream"), 1);
  EXPECT_EQ(call<long>("qd_simulated_live", "event"), 1);
  right("cuStreamDestroy_v2", own);
  right("cuEventDestroy_v2", mark);
  EXPECT_EQ(call<int>("cuStreamDestroy_v2", own), kInvalidHandle);
  EXPECT_EQ(call<int>("cuEventQuery", mark), kInvalidHandle);
  EXPECT_EQ(call<long>("qd_simulated_live", "stream"), 0);
  EXPECT_EQ(call<long>("qd_simulated_live", "event"), 0);
  EXPECT_EQ(call<long>("qd_simulated_live", "thing"), -1);
}

}  // namespace
}  // namespace qd::simulated::testing
