// Arrays that code reaches through storage buffers on drivers that run on the processor, and by their addresses where
// that cannot be: numbers of all types come out the same.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "runtime/device/vulkan/vulkan_device.h"
#include "tests/unit/device/vulkan/driver_functions.h"
#include "tests/unit/device/vulkan/loaded.h"

namespace qd::device {
namespace {

using ir::Type;
using testing::Loaded;

[[maybe_unused]] const int validation = setenv("QD_VULKAN_VALIDATION", "1", 0);

constexpr const char* kPush = "vkCmdPushDescriptorSetKHR";
constexpr const char* kMostArrays = "QD_VULKAN_BOUND_ARRAYS";
constexpr const char* kMostBytes = "QD_VULKAN_BOUND_BYTES";

std::atomic<int> pushes = 0;
std::atomic<uint32_t> buffers = 0;  // of the last push

VKAPI_ATTR void VKAPI_CALL counted_push(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipelineLayout layout,
                                        uint32_t set, uint32_t count, const VkWriteDescriptorSet* writes) {
  ++pushes;
  buffers = count;
  const auto original =
      reinterpret_cast<PFN_vkCmdPushDescriptorSetKHR>(vkGetInstanceProcAddr(vulkan::instance(), kPush));
  original(commands, point, layout, set, count, writes);
}

class BoundArrays : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = why_no_vulkan();
    if (!reason.empty()) GTEST_SKIP() << reason;
    functions_.emplace(std::map<std::string, PFN_vkVoidFunction>{{kPush, testing::pointer(&counted_push)}});
    device_ = vulkan_device({});
    if (device_->target().processor().find(", bound ") == std::string::npos) GTEST_SKIP() << "the device binds nothing";
    pushes = 0;
  }
  void TearDown() override {
    device_.reset();
    functions_.reset();
    unsetenv(kMostArrays);
    unsetenv(kMostBytes);
  }
  void open_with(const char* variable, const char* value) {
    setenv(variable, value, 1);
    device_ = vulkan_device({});
  }

  std::unique_ptr<Device> device_;

 private:
  std::optional<testing::DriverFunctions> functions_;
};

/// y[i] = x[i], and at once z[n - 1 - i] += x[i], which is not the iteration's own element.
std::string copies(Type type) {
  const std::string t(ir::name(type));
  const std::string sum = type == Type::U1 ? "store %7, %6" : "%9 = atomic add " + t + " %7, %6";
  std::string text = "kernel copies\n";
  for (int i = 0; i < 3; ++i) text += fmt::format("array {} {} {} rank 1 parameter\n", i, "xyz"[i], t);
  return text + fmt::format(R"(loop 0 parallel

body {{
  %0 = const i32 0
  %1 = shape i32 0 0
  %2 = for 0 [%0, %1) {{
    %3 = loop_index i32 %2 0
    %4 = element_ptr {0} 0 [%3]
    %5 = element_ptr {0} 1 [%3]
    %6 = load {0} %4
    store %5, %6
    %10 = const i32 1
    %11 = add i32 %3, %10
    %12 = sub i32 %1, %11
    %7 = element_ptr {0} 2 [%12]
    {1}
  }}
}}
)",
                            t, sum);
}

/// The bits of a number other than 0 or, of a u1, of 0 or 1.
uint64_t number(Type type, uint64_t i) {
  switch (type) {
    case Type::U1: return i % 3 == 0;
    case Type::F16: return 0x3c00 + i;
    case Type::F32: return std::bit_cast<uint32_t>(static_cast<float>(i) + 0.5f);
    case Type::F64: return std::bit_cast<uint64_t>(static_cast<double>(i) + 0.1);
    default: return (i * 0x9e3779b97f4a7c15 + 1) & (~uint64_t{0} >> (64 - ir::bit_width(type)));
  }
}

constexpr Type kTypes[] = {Type::U1,  Type::I8,  Type::U8,  Type::I16, Type::U16, Type::I32,
                           Type::U32, Type::I64, Type::U64, Type::F16, Type::F32, Type::F64};

/// Copies `count` numbers; each array begins `shift` numbers behind the begin of its memory.
void expect_copies(Device& device, Type type, size_t count, size_t shift) {
  const ir::Kernel parsed = ir::parse(copies(type));
  if (ir::missing_feature(parsed, device.capabilities().features)) return;
  const Loaded code(device, copies(type).c_str());
  const auto size = static_cast<size_t>(ir::size_in_bytes(type));
  std::vector<std::shared_ptr<Memory>> memories;
  std::vector<ArraySlot> slots;
  for (int i = 0; i < 3; ++i) {
    memories.push_back(device.allocate((count + 2 * shift) * size));
    auto* bytes = static_cast<char*>(memories[i]->map(Memory::Access::Write));
    for (size_t k = 0; i == 0 && k < count; ++k) {
      const uint64_t bits = number(type, k);
      std::memcpy(bytes + (shift + k) * size, &bits, size);
    }
    memories[i]->unmap();
    slots.push_back({static_cast<char*>(memories[i]->address()) + shift * size, {static_cast<int32_t>(count)}});
  }
  LaunchOutcome outcome;
  device.stream().run(*code.executable, {.arrays = slots.data(), .outcome = &outcome});
  testing::wait(device.stream());
  EXPECT_EQ(outcome.error, "");
  const std::string all[] = {
      std::string(static_cast<char*>(memories[0]->map(Memory::Access::Read)), memories[0]->size()),
      std::string(static_cast<char*>(memories[1]->map(Memory::Access::Read)), memories[1]->size()),
      std::string(static_cast<char*>(memories[2]->map(Memory::Access::Read)), memories[2]->size())};
  EXPECT_TRUE(all[1] == all[0]) << ir::name(type) << ", " << count << " from " << shift;
  std::string backwards = all[0];
  for (size_t k = 0; k < backwards.size() / size; ++k)
    backwards.replace(k * size, size, all[0].substr(all[0].size() - (k + 1) * size, size));
  EXPECT_TRUE(all[2] == backwards) << ir::name(type) << ", " << count << " from " << shift << ": atomic";
}

TEST_F(BoundArrays, HoldNumbersOfAllTypes) {
  for (Type type : kTypes) {
    pushes = 0;
    for (size_t count : {1, 7, 1001}) expect_copies(*device_, type, count, 0);
    EXPECT_EQ(pushes, 3) << ir::name(type);
    EXPECT_EQ(buffers, 3u);
  }
}

TEST_F(BoundArrays, SomeAreAndSomeAreReachedByTheirAddresses) {
  open_with(kMostArrays, "1");
  for (Type type : kTypes) expect_copies(*device_, type, 1001, 0);
  EXPECT_EQ(buffers, 1u);
}

TEST_F(BoundArrays, NoneAreWhereTheEnvironmentSaysSo) {
  open_with(kMostArrays, "0");
  for (Type type : kTypes) expect_copies(*device_, type, 1001, 0);
  EXPECT_EQ(pushes, 0);
}

TEST_F(BoundArrays, AreReachedByTheirAddressesWhereTheyAreTooLarge) {
  open_with(kMostBytes, "100");
  expect_copies(*device_, Type::F32, 25, 0);
  EXPECT_EQ(pushes, 1);
  for (Type type : kTypes) expect_copies(*device_, type, 1001, 0);
  EXPECT_EQ(pushes, 1);
}

TEST_F(BoundArrays, MayBeginAnywhere) {
  for (Type type : kTypes) {
    for (size_t shift : {1, 3, 4, 16}) expect_copies(*device_, type, 1001, shift);
  }
  pushes = 0;
  expect_copies(*device_, Type::I8, 1001, 1);
  EXPECT_EQ(pushes, 0);
}

/// x and y are the same array, z is a part of it.
TEST_F(BoundArrays, MayOverlap) {
  const Loaded code(*device_, R"(kernel overlaps
array 0 x i32 rank 1 parameter
array 1 y i32 rank 1 parameter
array 2 z i32 rank 1 parameter

body {
  %0 = const i32 0
  %1 = element_ptr i32 0 [%0]
  %2 = element_ptr i32 1 [%0]
  %3 = element_ptr i32 2 [%0]
  %4 = const i32 5
  %5 = load i32 %2
  store %1, %4
  %6 = load i32 %2
  %7 = add i32 %5, %6
  store %2, %7
  %8 = load i32 %1
  %9 = const i32 64
  %10 = element_ptr i32 1 [%9]
  store %10, %8
  %11 = load i32 %3
  %12 = add i32 %11, %4
  store %3, %12
  %13 = load i32 %10
  store %1, %13
}
)");
  const std::shared_ptr<Memory> memory = device_->allocate(100 * sizeof(int32_t));
  auto* numbers = static_cast<int32_t*>(memory->map(Memory::Access::Write));
  numbers[0] = 100;
  memory->unmap();
  auto* address = static_cast<int32_t*>(memory->address());
  const ArraySlot slots[] = {{address, {100}}, {address, {100}}, {address + 64, {36}}};
  LaunchOutcome outcome;
  device_->stream().run(*code.executable, {.arrays = slots, .outcome = &outcome});
  testing::wait(device_->stream());
  EXPECT_EQ(outcome.error, "");
  memory->map(Memory::Access::Read);
  EXPECT_EQ(numbers[64], 110);
  EXPECT_EQ(numbers[0], 110);
  EXPECT_EQ(pushes, 1);
}

/// More arrays than there are descriptors.
TEST_F(BoundArrays, MayBeMany) {
  constexpr int kArrays = 70;
  std::string text = "kernel many\n", body;
  for (int i = 0; i < kArrays; ++i) {
    text += fmt::format("array {} a{} i32 rank 1 parameter\n", i, i);
    body +=
        fmt::format("  %{0} = element_ptr i32 {1} [%0]\n  %{2} = const i32 {1}\n  %{3} = atomic add i32 %{0}, %{2}\n",
                    3 * i + 1, i, 3 * i + 2, 3 * i + 3);
  }
  text += "\nbody {\n  %0 = const i32 1\n" + body + "}\n";
  const Loaded code(*device_, text.c_str());
  std::vector<std::shared_ptr<Memory>> memories;
  std::vector<ArraySlot> slots;
  for (int i = 0; i < kArrays; ++i) {
    memories.push_back(device_->allocate(2 * sizeof(int32_t)));
    slots.push_back({memories.back()->address(), {2}});
  }
  LaunchOutcome outcome;
  device_->stream().run(*code.executable, {.arrays = slots.data(), .outcome = &outcome});
  testing::wait(device_->stream());
  EXPECT_EQ(outcome.error, "");
  for (int i = 0; i < kArrays; ++i) {
    EXPECT_EQ(static_cast<int32_t*>(memories[static_cast<size_t>(i)]->map(Memory::Access::Read))[1], i);
  }
  EXPECT_EQ(pushes, 1);
  EXPECT_GT(buffers, 1u);
  EXPECT_LT(buffers, static_cast<uint32_t>(kArrays));
}

}  // namespace
}  // namespace qd::device
