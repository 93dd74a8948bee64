// Block loops that are too large for a device.
#include "runtime/ir/block_limits.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace qd::ir {
namespace {

Kernel loop_of(int threads, const std::string& body) {
  return parse(
      fmt::format("kernel k\nloop 0 parallel block_dim {}\nbody {{\n%0 = const i32 0\n%1 = const i32 2048\n"
                  "%2 = for 0 [%0, %1) {{\n{}\n}}\n}}\n",
                  threads, body));
}

std::string reason(const Kernel& kernel, const BlockLimits& limits) {
  const std::optional<Excess> excess = beyond(kernel, limits);
  return excess ? fmt::format("%{} {}", static_cast<uint32_t>(excess->inst), excess->message) : "";
}

TEST(BlockLimits, OfThreads) {
  const Kernel kernel = loop_of(256, "%3 = thread i32");
  EXPECT_EQ(reason(kernel, {}), "");
  EXPECT_EQ(reason(kernel, {.threads = 256}), "");
  EXPECT_EQ(reason(kernel, {.threads = 128, .threads_name = "mostThreads"}),
            "%2 runs at most 128 threads in a block (mostThreads), and this loop has a block_dim of 256");
  EXPECT_EQ(reason(loop_of(256, ""), {.threads = 128}), "") << "a loop without operations of blocks";
}

TEST(BlockLimits, OfSharedMemory) {
  // Small numbers take as much as others of up to 32 bits.
  const Kernel kernel = loop_of(64, "%3 = shared i8 100\n%4 = shared f64 50\n%5 = shared f32");
  EXPECT_EQ(reason(kernel, {.shared_bytes = 804}), "");
  EXPECT_EQ(reason(kernel, {.shared_bytes = 803}),
            "%2 has at most 803 bytes of shared memory for a block, and this loop uses 804");
}

TEST(BlockLimits, OfAtomics) {
  const std::string body = "%3 = shared i64 4\n%4 = local_ptr i64 %3, %0\n%5 = const i64 1\n%6 = atomic add i64 %4, %5";
  EXPECT_EQ(reason(loop_of(64, body), {}), "");
  EXPECT_EQ(reason(loop_of(64, body), {.wide_atomics = false, .wide_atomics_name = "wide"}),
            "%6 has no atomic operations on numbers of 64 bits in shared memory (wide)");
}

}  // namespace
}  // namespace qd::ir
