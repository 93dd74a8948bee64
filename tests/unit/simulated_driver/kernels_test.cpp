// Kernels on the simulated device: results and counts, and launches that are refused.
#include "tests/unit/simulated_driver/kernels.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>

namespace qd::simulated::testing {
namespace {

using ::testing::Contains;

std::vector<int32_t> numbers(size_t count) {
  std::vector<int32_t> all(count);
  for (size_t i = 0; i < count; ++i) all[i] = static_cast<int32_t>(i * 37 % 11);
  return all;
}

class KernelsOnSimulatedDevice : public WithKernel {
 protected:
  /// Loads a kernel of two arrays, and launches it.
  void run(std::string_view text, const std::vector<int32_t>& x, const char* maker = "cuda") {
    load(text, maker);
    y_ = allocate(x.size() * 4);
    bind({{on_device(x), static_cast<int32_t>(x.size())}, {y_, static_cast<int32_t>(x.size())}});
    ASSERT_EQ(launch(static_cast<uint32_t>(x.size())), 0);
  }
  uint64_t y_ = 0;
};

TEST_F(KernelsOnSimulatedDevice, ComputeAndCount) {
  const std::vector<int32_t> x = numbers(1000);
  run(kAddOne, x);
  const std::vector<int32_t> y = read_numbers<int32_t>(y_, x.size());
  size_t greater = 0;
  for (size_t i = 0; i < x.size(); ++i) EXPECT_EQ(y[i], x[i] + 1), greater += x[i] > 5;
  EXPECT_THAT(counters(), Contains(greater));
}

TEST_F(KernelsOnSimulatedDevice, HaveBlocksWithSharedMemory) {
  const std::vector<int32_t> x = numbers(5 * 128);
  run(kTurn, x);
  const std::vector<int32_t> y = read_numbers<int32_t>(y_, x.size());
  for (size_t i = 0; i < x.size(); ++i) EXPECT_EQ(y[i], 2 * x[i / 128 * 128 + 127 - i % 128]);
}

/// Lanes of a subgroup: 32 of CUDA, 64 of HIP.
TEST_F(KernelsOnSimulatedDevice, HaveSubgroups) {
  for (const size_t lanes : {32, 64}) {
    const std::vector<int32_t> x = numbers(2 * 128);
    run(kLanes, x, lanes == 32 ? "cuda" : "hip");
    const std::vector<int32_t> y = read_numbers<int32_t>(y_, x.size());
    auto next = [&](size_t i) { return i % lanes == lanes - 1 ? x[i] : x[i + 1]; };
    for (size_t i = 0; i < x.size(); ++i) {
      uint64_t ballot = 0;
      for (size_t lane = 0; lane < lanes; ++lane) {
        const size_t other = i / lanes * lanes + lane;
        ballot |= uint64_t{x[other] > next(other)} << lane;
      }
      const uint64_t folded = ballot ^ ballot >> 32;
      ASSERT_EQ(y[i], static_cast<int32_t>(static_cast<uint32_t>(folded) + static_cast<uint32_t>(next(i)))) << lanes;
    }
  }
}

TEST_F(KernelsOnSimulatedDevice, WantTheRightShape) {
  run(kAddOne, numbers(1000));
  constexpr int kInvalidValue = 1;
  EXPECT_EQ(launch_groups(0, 256), kInvalidValue);
  EXPECT_EQ(launch_groups(0x80000000, 256), kInvalidValue);
  EXPECT_EQ(launch_groups(1, 2048), kInvalidValue);
  EXPECT_EQ(launch_groups(1, 128), kInvalidValue);  // made for 256
  EXPECT_EQ(launch_groups(1, 256), 0);
  finish();
}

/// Counts add up over many launches; prints the time of one.
TEST_F(KernelsOnSimulatedDevice, CountInManyLaunches) {
  constexpr int kSmall = 500, kLarge = 20;
  const std::vector<int32_t> x = numbers(1 << 16);
  run(kAddOne, x);
  finish();
  auto timed = [&](uint32_t iterations, int times) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < times; ++i) {
      EXPECT_EQ(launch(iterations), 0);
      finish();
    }
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / times;
  };
  fmt::print("{:.1f} us for 256 threads, {:.1f} us for 65536\n", timed(256, kSmall), timed(1 << 16, kLarge));
  const auto is_greater = [](int32_t number) { return number > 5; };
  const auto first = std::count_if(x.begin(), x.begin() + 256, is_greater);
  const auto all = std::count_if(x.begin(), x.end(), is_greater);
  EXPECT_THAT(counters(), Contains(first * kSmall + all * (kLarge + 1)));
}

}  // namespace
}  // namespace qd::simulated::testing
