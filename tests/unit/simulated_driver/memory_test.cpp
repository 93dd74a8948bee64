// Memory of the simulated device: its own, full of garbage at first, and checked by each copy.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>

#include "tests/unit/simulated_driver/library.h"

namespace qd::simulated::testing {
namespace {

using ::testing::Each;

constexpr int kInvalidValue = 1, kOutOfMemory = 2;

class MemoryOfSimulatedDevice : public Simulated {
 protected:
  int copy_to_device(uint64_t to, const void* from, size_t bytes) {
    return call<int>("cuMemcpyHtoDAsync_v2", to, from, bytes, kDefault);
  }
  void fill(uint64_t to, unsigned char byte, size_t bytes) { right("cuMemsetD8Async", to, byte, bytes, kDefault); }
  static long live() { return call<long>("qd_simulated_live", "memory"); }
};

/// The kernel's error number when it is asked to read an address; 0: it could.
int error_of_reading(uint64_t address) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const int error = write(ends[1], reinterpret_cast<const void*>(address), 1) < 0 ? errno : 0;
  close(ends[0]);
  close(ends[1]);
  return error;
}

TEST_F(MemoryOfSimulatedDevice, HoldsGarbageAtFirst) {
  EXPECT_THAT(read(allocate(300), 300), Each(0xcd));
  EXPECT_THAT(read(allocate(300'000), 300'000), Each(0xcd));
}

TEST_F(MemoryOfSimulatedDevice, HoldsWhatWasCopied) {
  const std::vector<int32_t> numbers{3, 1, 4, 1, 5};
  const uint64_t first = on_device(numbers), second = allocate(20);
  right("cuMemcpyDtoDAsync_v2", second, first, size_t{20}, kDefault);
  EXPECT_EQ(read_numbers<int32_t>(second, 5), numbers);
  fill(second + 4, 0xff, 8);
  EXPECT_EQ(read_numbers<int32_t>(second, 5), (std::vector<int32_t>{3, -1, -1, 1, 5}));
}

TEST_F(MemoryOfSimulatedDevice, IsNotTheHosts) {
  if (std::getenv("QD_SIMULATED_KEYS") || pkey_alloc(0, 0) < 0) GTEST_SKIP() << "there are no protection keys";
  const uint64_t address = allocate(4096);
  EXPECT_EQ(error_of_reading(address), EFAULT);
  fill(address, 1, 4096);
  finish();
  EXPECT_EQ(error_of_reading(address), EFAULT);
  EXPECT_EQ(read(address, 1)[0], 1);
}

TEST_F(MemoryOfSimulatedDevice, RefusesCopiesThatAreNotWithinAnAllocation) {
  const uint64_t address = allocate(1000);
  std::vector<char> host(2000);
  EXPECT_EQ(copy_to_device(address, host.data(), 1001), kInvalidValue);
  EXPECT_EQ(copy_to_device(address + 1, host.data(), 1000), kInvalidValue);
  EXPECT_EQ(copy_to_device(address - 1, host.data(), 1), kInvalidValue);
  EXPECT_EQ(copy_to_device(reinterpret_cast<uint64_t>(host.data()), host.data(), 1), kInvalidValue);
  EXPECT_EQ(copy_to_device(address, reinterpret_cast<void*>(address), 1), kInvalidValue);
  EXPECT_EQ(copy_to_device(address + 999, host.data(), 1), 0);
  right("cuMemFree_v2", address);
  EXPECT_EQ(copy_to_device(address, host.data(), 1), kInvalidValue);
  EXPECT_EQ(call<int>("cuMemFree_v2", address), kInvalidValue);
}

TEST_F(MemoryOfSimulatedDevice, HasAnEnd) {
  const With small(Variables{{"QD_SIMULATED_MEMORY", "1000000"}});
  SetUp();
  size_t free = 0, total = 0;
  const uint64_t address = allocate(600'000);
  right("cuMemGetInfo_v2", &free, &total);
  EXPECT_EQ(std::pair(free, total), std::pair(size_t{400'000}, size_t{1'000'000}));
  uint64_t more = 0;
  EXPECT_EQ(call<int>("cuMemAlloc_v2", &more, size_t{600'000}), kOutOfMemory);
  right("cuMemFree_v2", address);
  right("cuMemAlloc_v2", &more, size_t{600'000});
  EXPECT_EQ(call<int>("cuMemAlloc_v2", &more, size_t{0}), kInvalidValue);
}

TEST_F(MemoryOfSimulatedDevice, IsFreedWhenTheStreamComesToIt) {
  const With lagging(Variables{{"QD_SIMULATED_SEED", "1"}});
  SetUp();
  void* pool = nullptr;
  const void* properties = nullptr;
  right("cuMemPoolCreate", &pool, properties);
  uint64_t address = 0;
  right("cuMemAllocFromPoolAsync", &address, size_t{1000}, pool, kDefault);
  fill(address, 7, 1000);
  right("cuMemFreeAsync", address, kDefault);
  EXPECT_EQ(call<int>("cuMemFreeAsync", address, kDefault), kInvalidValue);
  EXPECT_EQ(live(), 1);
  finish();
  EXPECT_EQ(live(), 0);
  right("cuMemPoolDestroy", pool);
}

/// A copy from or to pinned memory happens when the stream comes to it.
TEST_F(MemoryOfSimulatedDevice, IsCopiedLaterWithPinnedMemory) {
  const With lagging(Variables{{"QD_SIMULATED_SEED", "1"}});
  SetUp();
  void* pinned = nullptr;
  right("cuMemHostAlloc", &pinned, size_t{4}, 0u);
  auto* number = static_cast<unsigned char*>(pinned);
  EXPECT_EQ(*number, 0xcd);
  const uint64_t address = allocate(4);
  fill(address, 1, 4);
  right("cuMemcpyDtoHAsync_v2", pinned, address, size_t{4}, kDefault);
  EXPECT_EQ(*number, 0xcd);
  finish();
  EXPECT_EQ(*number, 1);
  EXPECT_EQ(copy_to_device(address, pinned, 4), 0);
  *number = 5;  // too early: the copy has not read it
  EXPECT_EQ(read(address, 1)[0], 5);
  right("cuMemFreeHost", pinned);
  EXPECT_EQ(call<long>("qd_simulated_live", "host"), 0);
}

TEST_F(MemoryOfSimulatedDevice, IsCopiedFromOtherMemoryBeforeTheCallReturns) {
  const With lagging(Variables{{"QD_SIMULATED_SEED", "1"}});
  SetUp();
  char here = 3;
  const uint64_t address = allocate(1);
  EXPECT_EQ(copy_to_device(address, &here, 1), 0);
  here = 4;
  EXPECT_EQ(read(address, 1)[0], 3);
}

TEST_F(MemoryOfSimulatedDevice, ComesInManySmallPieces) {
  std::vector<uint64_t> all;
  const auto start = std::chrono::steady_clock::now();
  for (size_t i = 0; i < 5000; ++i) all.push_back(allocate(1 + i % 5000));
  for (uint64_t address : all) right("cuMemFree_v2", address);
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(live(), 0);
  fmt::print("{:.2f} us for an allocation with its end\n", took.count() / 5000);
}

}  // namespace
}  // namespace qd::simulated::testing
