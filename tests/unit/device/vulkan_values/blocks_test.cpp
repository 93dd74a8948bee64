// Block loops on the device: shared memory between barriers, atomics of a block, and the threads of subgroups, against
// values that follow from the numbers of threads and lanes.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include "runtime/device/reference/scalar.h"
#include "tests/unit/codegen/operation_kernels.h"
#include "tests/unit/device/vulkan_values/launched.h"

namespace qd::device::testing {
namespace {

using ir::Type;
using Words = std::vector<uint64_t>;

constexpr int32_t kThreads = 64;

/// A kernel of one block loop over arrays of one length, the last of which begin as zeros.
class BlockLoop {
 public:
  BlockLoop(std::vector<Type> arrays, int32_t iterations, const std::string& body, int32_t threads = kThreads)
      : length_(iterations) {
    std::string text = "kernel k\n";
    for (size_t i = 0; i < arrays.size(); ++i)
      text += fmt::format("array {0} a{0} {1} rank 1 parameter\n", i, ir::name(arrays[i]));
    text += fmt::format("task parallel t loop %0 [0, {}) block_dim {} {{\nbody {{\n{}\n}}\n}}\n", iterations, threads,
                        body);
    kernel_ = ir::parse(text);
    EXPECT_THAT(ir::verify(kernel_), ::testing::IsEmpty()) << text;
  }
  const ir::Kernel& kernel() const { return kernel_; }

  /// The arrays that are not given begin as zeros.
  std::vector<Words> run(std::vector<Words> given) const {
    qd::testing::Launch launch;
    launch.arrays = std::move(given);
    launch.arrays.resize(kernel_.arrays.size());
    for (Words& words : launch.arrays) {
      words.resize(static_cast<size_t>(length_));
      launch.shapes.push_back({length_});
    }
    return VulkanRuns::here().run(kernel_, launch).arrays;
  }

 private:
  int32_t length_;
  ir::Kernel kernel_;
};

Words numbers(Type type, int32_t count) {
  Words words;
  for (int32_t i = 0; i < count; ++i) words.push_back(reference::from_double(type, i * 37 % 101));
  return words;
}

class BlocksOnVulkan : public OnVulkan<> {};
class BlocksOfTypes : public OnVulkan<::testing::TestWithParam<Type>> {
 protected:
  bool lacks(const ir::Kernel& kernel) const {
    return ir::missing_feature(kernel, VulkanRuns::here().device().capabilities().features).has_value();
  }
};
INSTANTIATE_TEST_SUITE_P(All, BlocksOfTypes, ::testing::ValuesIn(codegen::testing::kTypes),
                         [](const auto& info) { return std::string(ir::name(info.param)); });

/// Each thread reads what another one has written. There are more blocks than groups, so groups run several, and use
/// their shared memory again.
TEST_P(BlocksOfTypes, ReverseInSharedMemory) {
  constexpr int32_t kCount = kThreads * 1500;
  const std::string t(ir::name(GetParam()));
  const BlockLoop loop({GetParam(), GetParam()}, kCount,
                       fmt::format("%1 = shared {0} {1}\n%2 = thread i32\n%3 = loop_index i32 %0 0\n"
                                   "%4 = element_ptr {0} 0 [%3]\n%5 = load {0} %4\n"
                                   "%6 = local_ptr {0} %1, %2\nstore %6, %5\nbarrier block\n"
                                   "%9 = const i32 {2}\n%10 = sub i32 %9, %2\n%11 = local_ptr {0} %1, %10\n"
                                   "%12 = load {0} %11\n%13 = element_ptr {0} 1 [%3]\nstore %13, %12",
                                   t, kThreads, kThreads - 1));
  if (lacks(loop.kernel())) GTEST_SKIP() << "the device lacks a feature";
  const Words given = numbers(GetParam(), kCount);
  const Words actual = loop.run({given})[1];
  for (size_t i = 0; i < given.size(); ++i)
    ASSERT_EQ(actual[i], given[i / kThreads * kThreads + kThreads - 1 - i % kThreads]) << i;
}

/// Sums, and the results of compare-exchanges: a block counts its threads.
TEST_P(BlocksOfTypes, AtomicsOfABlock) {
  const std::string t(ir::name(GetParam()));
  if (GetParam() == Type::U1) GTEST_SKIP() << "one bit counts nothing";
  const BlockLoop loop({GetParam(), GetParam()}, kThreads * 3,
                       fmt::format("%1 = shared {0}\n%2 = shared {0}\n%3 = thread i32\n%4 = loop_index i32 %0 0\n"
                                   "%5 = const i32 0\n%6 = eq u1 %3, %5\n%7 = const {0} 0\n%8 = const {0} 1\n"
                                   "if %6 {{\nstore %1, %7\nstore %2, %7\n}}\nbarrier block\n"
                                   "%13 = atomic add {0} %1, %8\n%14 = cast {0} %3\n%15 = atomic max {0} %2, %14\n"
                                   "barrier block\n%17 = load {0} %1\n%18 = element_ptr {0} 0 [%4]\nstore %18, %17\n"
                                   "%20 = load {0} %2\n%21 = element_ptr {0} 1 [%4]\nstore %21, %20",
                                   t));
  if (lacks(loop.kernel())) GTEST_SKIP() << "the device lacks a feature";
  const std::vector<Words> actual = loop.run({});
  EXPECT_EQ(actual[0], Words(kThreads * 3, reference::from_double(GetParam(), kThreads)));
  EXPECT_EQ(actual[1], Words(kThreads * 3, reference::from_double(GetParam(), kThreads - 1)));
}

/// Lane l reads from lane l + offset, or keeps its own number; and only some of the lanes are there.
TEST_P(BlocksOfTypes, ShuffleWithThoseThatAreThere) {
  const std::string t(ir::name(GetParam()));
  const BlockLoop loop({GetParam(), Type::I32, Type::I32, GetParam(), GetParam()}, kThreads * 2,
                       fmt::format("%1 = loop_index i32 %0 0\n%2 = element_ptr {0} 0 [%1]\n%3 = load {0} %2\n"
                                   "%4 = lane i32\n%5 = element_ptr i32 1 [%1]\nstore %5, %4\n"
                                   "%7 = element_ptr i32 2 [%1]\n%8 = load i32 %7\n"
                                   "%9 = add i32 %4, %8\n%10 = shuffle {0} %3, %9\n%11 = element_ptr {0} 3 [%1]\n"
                                   "store %11, %10\n%13 = const i32 3\n%14 = mod i32 %4, %13\n%15 = const i32 0\n"
                                   "%16 = ne u1 %14, %15\nif %16 {{\n%18 = shuffle {0} %3, %9\n"
                                   "%19 = element_ptr {0} 4 [%1]\nstore %19, %18\n}}",
                                   t));
  if (lacks(loop.kernel())) GTEST_SKIP() << "the device lacks a feature";
  Words given = numbers(GetParam(), kThreads * 2), offsets;
  for (size_t i = 0; i < given.size(); ++i)
    offsets.push_back(reference::canonical(Type::I32, static_cast<uint64_t>(static_cast<int64_t>(i * 5 % 13) - 6)));
  offsets[9] = 1000;
  offsets[17] = reference::canonical(Type::I32, static_cast<uint64_t>(INT32_MIN));
  const std::vector<Words> actual = loop.run({given, {}, offsets});
  const auto size = static_cast<int64_t>(*std::ranges::max_element(actual[1])) + 1;
  for (size_t i = 0; i < given.size(); ++i) {
    const auto lane = static_cast<int64_t>(actual[1][i]);
    EXPECT_EQ(lane, static_cast<int64_t>(i) % kThreads % size);
    const int64_t from = lane + static_cast<int64_t>(offsets[i]);
    const bool in_range = from >= 0 && from < size;
    ASSERT_EQ(actual[3][i], in_range ? given[i - static_cast<size_t>(lane - from)] : given[i]) << i;
    if (lane % 3 == 0) continue;
    ASSERT_EQ(actual[4][i], in_range && from % 3 != 0 ? given[i - static_cast<size_t>(lane - from)] : given[i]) << i;
  }
}

/// A ballot of all threads, one of some, and one of those that have not ended.
TEST_F(BlocksOnVulkan, BallotOfThoseThatAreThere) {
  const BlockLoop loop({Type::I32, Type::I64, Type::I64, Type::I64}, kThreads * 2,
                       "%1 = loop_index i32 %0 0\n%2 = lane i32\n%3 = element_ptr i32 0 [%1]\nstore %3, %2\n"
                       "%5 = const i32 1\n%6 = bit_and i32 %2, %5\n%7 = eq u1 %6, %5\n%8 = ballot i64 %7\n"
                       "%9 = element_ptr i64 1 [%1]\nstore %9, %8\n"
                       "%11 = const i32 2\n%12 = bit_and i32 %2, %11\n%13 = eq u1 %12, %11\n"
                       "if %13 {\n%15 = ballot i64 %7\n%16 = element_ptr i64 2 [%1]\nstore %16, %15\n}\n"
                       "if %7 {\ncontinue\n}\n%20 = const u1 true\n%21 = ballot i64 %20\n"
                       "%22 = element_ptr i64 3 [%1]\nstore %22, %21");
  const std::vector<Words> actual = loop.run({});
  const uint64_t size = *std::ranges::max_element(actual[0]) + 1;
  const uint64_t all = size == 64 ? UINT64_MAX : (uint64_t{1} << size) - 1;
  for (size_t i = 0; i < actual[0].size(); ++i) {
    const uint64_t lane = actual[0][i];
    ASSERT_EQ(actual[1][i], 0xaaaaaaaaaaaaaaaa & all) << i;
    ASSERT_EQ(actual[2][i], lane & 2 ? 0x8888888888888888 & all : 0) << i;
    ASSERT_EQ(actual[3][i], lane & 1 ? 0 : 0x5555555555555555 & all) << i;
  }
}

/// Blocks whose size is no power of two, nor a multiple of a subgroup; a loop with a barrier in it; two axes.
TEST_F(BlocksOnVulkan, SumByHalves) {
  constexpr int32_t kOdd = 100, kBlocks = 700;
  const BlockLoop loop({Type::I32, Type::I32}, kOdd * kBlocks,
                       "%1 = shared i32 128\n%2 = thread i32\n%3 = loop_index i32 %0 0\n%4 = element_ptr i32 0 [%3]\n"
                       "%5 = load i32 %4\n%6 = local_ptr i32 %1, %2\nstore %6, %5\n"
                       "%8 = alloca i32\n%9 = const i32 64\nstore %8, %9\n%11 = const i32 0\n%12 = const i32 1\n"
                       "%13 = const i32 100\nbarrier block\nloop {\n%16 = load i32 %8\n%17 = eq u1 %16, %11\n"
                       "if %17 {\nbreak\n}\n%20 = add i32 %2, %16\n%21 = lt u1 %2, %16\n%22 = lt u1 %20, %13\n"
                       "%23 = bit_and u1 %21, %22\nif %23 {\n%25 = local_ptr i32 %1, %20\n%26 = load i32 %25\n"
                       "%27 = load i32 %6\n%28 = add i32 %26, %27\nstore %6, %28\n}\nbarrier block\n"
                       "%31 = shr i32 %16, %12\nstore %8, %31\n}\n"
                       "%33 = local_ptr i32 %1, %11\n%34 = load i32 %33\n%35 = element_ptr i32 1 [%3]\nstore %35, %34",
                       kOdd);
  const Words given = numbers(Type::I32, kOdd * kBlocks);
  const Words actual = loop.run({given})[1];
  for (size_t block = 0; block < kBlocks; ++block) {
    uint64_t sum = 0;
    for (size_t i = 0; i < kOdd; ++i) sum += given[block * kOdd + i];
    for (size_t i = 0; i < kOdd; ++i) ASSERT_EQ(actual[block * kOdd + i], sum) << block << " " << i;
  }
}

}  // namespace
}  // namespace qd::device::testing
