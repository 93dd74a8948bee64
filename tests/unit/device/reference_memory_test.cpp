// Memory of the reference device.
#include "runtime/device/reference/reference_memory.h"

#include <gtest/gtest.h>

#include <cstring>

namespace qd::device {
namespace {

TEST(ReferenceMemory, IsZeroAndOneForBothSides) {
  int waits = 0;
  ReferenceMemory memory(10'000, [&] { ++waits; });
  EXPECT_EQ(memory.size(), 10'000u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(memory.address()) % 64, 0u);
  auto* host = static_cast<char*>(memory.map(Memory::Access::Write));
  EXPECT_EQ(waits, 1);
  EXPECT_NE(host, memory.address());
  for (int i = 0; i < 10'000; ++i) ASSERT_EQ(host[i], 0);
  host[9'999] = 'x';
  memory.unmap();
  EXPECT_EQ(static_cast<char*>(memory.address())[9'999], 'x');
  static_cast<char*>(memory.address())[0] = 'y';
  EXPECT_EQ(memory.map(Memory::Access::Read), host) << "always at the same place";
  EXPECT_EQ(host[0], 'y');
}

TEST(ReferenceMemoryDeathTest, FaultsWhereItIsNotMapped) {
  ReferenceMemory memory(64, [] {});
  volatile char* host = static_cast<char*>(memory.map(Memory::Access::Write));
  host[0] = 'x';
  memory.unmap();
  EXPECT_DEATH((void)host[0], "");
  memory.map(Memory::Access::Read);
  EXPECT_EQ(host[0], 'x');
  EXPECT_DEATH(host[0] = 'y', "") << "mapped to be read";
}

TEST(ReferenceMemory, MoreThanThereIs) {
  EXPECT_THROW(ReferenceMemory(SIZE_MAX - 100, [] {}), std::bad_alloc);
}

}  // namespace
}  // namespace qd::device
