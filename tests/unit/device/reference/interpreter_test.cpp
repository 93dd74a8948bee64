// Memory, messages, routines and random numbers of an interpreted launch.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <stdexcept>

#include "runtime/ir/half.h"
#include "tests/unit/device/reference/interpreted.h"

namespace qd::device::reference::testing {
namespace {

using State = Interpreter::State;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

TEST(Interpreter, FollowsTheLayoutOfAnArray) {
  // Two axes, the first one innermost, 24 bytes from neighbour to neighbour, components 10 bytes apart.
  Interpreted launch(R"(kernel k
array 0 x i16 rank 2 components 2 stride 24 component_stride 10 order [1, 0] parameter
result i16
body {
  %0 = const i32 1
  %1 = const i32 2
  %5 = const i32 0
  %2 = element_ptr i16 0 [%5, %1, %0]
  %3 = load i16 %2
  %4 = const i16 -7
  %6 = element_ptr i16 0 [%5, %5, %5]
  store %6, %4
  return %3
}
)");
  ASSERT_THAT(ir::verify(launch.kernel), IsEmpty());
  std::vector<char> memory(24 * 6);
  const int16_t there = -300;
  std::memcpy(memory.data() + 24 * (2 * 2) + 10, &there, 2);
  launch.arrays[0] = {memory.data(), {2, 3}};
  EXPECT_EQ(launch.run(), State::Finished);
  EXPECT_EQ(static_cast<int64_t>(launch.results[0]), -300);
  int16_t stored = 0;
  std::memcpy(&stored, memory.data(), 2);
  EXPECT_EQ(stored, -7);
  EXPECT_EQ(memory[2], 0);
}

TEST(Interpreter, KnowsAllTypesInMemory) {
  for (const char* type : {"u1", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64"}) {
    SCOPED_TRACE(type);
    Interpreted launch(fmt::format(R"(kernel k
param 0 n {0}
array 0 x {0} rank 1 parameter
result {0}
body {{
  %0 = arg {0} 0
  %1 = const i64 1
  %2 = element_ptr {0} 0 [%1]
  store %2, %0
  %3 = load {0} %2
  return %3
}}
)",
                                   type));
    ASSERT_THAT(ir::verify(launch.kernel), IsEmpty());
    const auto size = static_cast<size_t>(ir::size_in_bytes(launch.kernel.arrays[0].type));
    std::vector<unsigned char> memory(3 * size, 0xee);
    launch.arrays[0] = {memory.data(), {3}};
    // Bits above those of a parameter's type are not looked at.
    const bool truth = launch.kernel.arrays[0].type == ir::Type::U1;
    launch.params[0] = truth ? 0xffffff01 : 0xffffffffffffff85;
    EXPECT_EQ(launch.run(), State::Finished);
    EXPECT_EQ(memory[size], truth ? 1 : 0x85);
    EXPECT_EQ(memory[size - 1], 0xee);
    EXPECT_EQ(memory[2 * size], 0xee);
    uint64_t bits = 0;
    std::memcpy(&bits, memory.data() + size, size);
    const int unused = 64 - 8 * static_cast<int>(size);
    const uint64_t extended = ir::is_signed(launch.kernel.arrays[0].type)
                                  ? static_cast<uint64_t>(static_cast<int64_t>(bits << unused) >> unused)
                                  : bits;
    EXPECT_EQ(launch.results[0], extended);
  }
}

constexpr std::string_view kElement = R"(kernel k
param 0 n i32
array 0 x i32 rank 1 parameter
result i32
body {
  %0 = arg i32 0
  %1 = element_ptr i32 0 [%0]
  %2 = load i32 %1
  return %2
}
)";

TEST(Interpreter, DoesNotReachWhatIsNoElement) {
  int32_t memory[] = {5, 6};
  for (int32_t index : {-1, 2, 0, 1}) {
    Interpreted launch(kElement);
    launch.arrays[0] = {memory, {2}};
    launch.params[0] = static_cast<uint64_t>(static_cast<int64_t>(index));
    if (index == 0 || index == 1) {
      launch.run();
      EXPECT_EQ(launch.results[0], static_cast<uint64_t>(5 + index));
    } else {
      EXPECT_THAT([&] { launch.run(); }, ThrowsMessage<std::runtime_error>(
                                             HasSubstr(fmt::format("index {} of array x, whose shape is 2", index))));
    }
  }
}

TEST(Interpreter, TellsWhatKernelsSay) {
  Interpreted launch(R"(kernel k
format 0 "" {i32 ""} " " {f16 ""} ""
format 1 "careful " {i32 ""} ""
format 2 "no " {u1 ""} ""
task parallel t loop %0 [2, 6) {
  prologue { }
  body {
    %1 = loop_index i32 %0 0
    %2 = const f16 0.5
    print 0 %1, %2
    %3 = const i32 3
    %4 = ne u1 %1, %3
    warn 1 %4, %3
    assert 2 %4, %4
  }
}
)");
  ASSERT_THAT(ir::verify(launch.kernel), IsEmpty());
  EXPECT_EQ(launch.run(), State::Failed);
  using Kind = Message::Kind;
  EXPECT_THAT(launch.told,
              ElementsAre(Told{Kind::Print, 0, 0, {2, 0x3800}, {}}, Told{Kind::Print, 0, 1, {3, 0x3800}, {}},
                          Told{Kind::Warn, 1, 1, {3}, {}}, Told{Kind::Assert, 2, 1, {0}, {}}));
}

/// f(n) is 1 + f(n - 1) for n > 0, else 0; an assert fails where n is the limit.
constexpr std::string_view kRecursive = R"(kernel k
param 0 n i32
param 1 limit i32
result i32
result i32
format 0 "deep " {i64 ""} ""
probe 0 function 0 -1 -> 2
function 0 "/k.py" k 1
counters 2
routine 0 f (i32) -> (i32, i32) {
  %0 = call_arg i32 0
  %1 = alloca i32
  %2 = const i32 0
  store %1, %2
  %3 = arg i32 1
  %4 = ne u1 %0, %3
  %5 = iteration i64
  assert 0 %4, %5
  %6 = gt u1 %0, %2
  if %6 {
    %7 = const i32 1
    %8 = sub i32 %0, %7
    %9 = call 0 1 (%8)
    %10 = call_result i32 %9 0
    %11 = add i32 %10, %7
    store %1, %11
    probe 0
    %12 = const i64 2
    count 0 %12
    hit 1
  }
  %13 = load i32 %1
  return %13, %0
}
body {
  %14 = arg i32 0
  %15 = call 0 0 (%14)
  %16 = call_result i32 %15 0
  %17 = call_result i32 %15 1
  return %16, %17
}
)";

TEST(Interpreter, CallsRoutinesThatCallThemselves) {
  Interpreted launch(kRecursive);
  ASSERT_THAT(ir::verify(launch.kernel), IsEmpty());
  launch.params = {50, 1000};
  EXPECT_EQ(launch.run(), State::Finished);
  EXPECT_THAT(launch.results, ElementsAre(50, 50));
  EXPECT_THAT(launch.probes, ElementsAre(50));
  EXPECT_THAT(launch.counters, ElementsAre(100, 1));
}

TEST(Interpreter, SaysWhichCallsLedToAFailure) {
  Interpreted launch(kRecursive);
  launch.params = {3, 1};
  EXPECT_EQ(launch.run(), State::Failed);
  EXPECT_THAT(launch.told, ElementsAre(Told{Message::Kind::Assert, 0, 0, {0}, {1, 1, 0}}));
  EXPECT_THAT(launch.probes, ElementsAre(0));
}

TEST(Interpreter, DrawsNumbersOfASeed) {
  auto drawn = [](uint64_t seed, int64_t chunk) {
    Interpreted launch(R"(kernel k
array 0 x f64 rank 1 parameter
task parallel t loop %0 [0, 4) {
  prologue { }
  body {
    %1 = loop_index i32 %0 0
    %2 = random f64
    %3 = element_ptr f64 0 [%1]
    store %3, %2
  }
}
)");
    std::vector<double> memory(4);
    launch.arrays[0] = {memory.data(), {4}};
    launch.options.seed = seed;
    launch.options.chunk = chunk;
    launch.run();
    return memory;
  };
  const std::vector<double> once = drawn(1, 0);
  EXPECT_THAT(once, ::testing::Each(::testing::AllOf(::testing::Ge(0), ::testing::Lt(1))));
  EXPECT_NE(once[0], once[1]);
  EXPECT_EQ(once, drawn(1, 0));
  EXPECT_NE(once, drawn(2, 0));
  // An iteration draws the same in any part of the range.
  EXPECT_EQ(once, drawn(1, 2));
}

TEST(Interpreter, SaysHowMuchStackIsLeft) {
  Interpreted launch("kernel k result i64 body { %0 = stack_left i64 return %0 }");
  launch.options.stack_end = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) - (64 << 10);
  launch.run();
  EXPECT_GT(static_cast<int64_t>(launch.results[0]), 32 << 10);
  EXPECT_LT(static_cast<int64_t>(launch.results[0]), 64 << 10);
}

TEST(Interpreter, EndsWhatHasNoEndOnRequestAlone) {
  Interpreted launch("kernel k body { loop { } }");
  launch.options.step_limit = 1000;
  EXPECT_THAT([&] { launch.run(); }, ThrowsMessage<std::runtime_error>("endless"));
}

TEST(Interpreter, FindsRaces) {
  auto races = [](std::string_view change) {
    Interpreted launch(fmt::format(
        "kernel k array 0 x i32 rank 1 parameter task parallel t loop %0 [0, 4) {{ prologue {{ }} body {{\n"
        "%1 = const i32 0 %2 = loop_index i32 %0 0 %3 = element_ptr i32 0 [%1] %4 = element_ptr i32 0 [%2]\n{} }} }}",
        change));
    EXPECT_THAT(ir::verify(launch.kernel), IsEmpty());
    std::vector<int32_t> memory(4);
    launch.arrays[0] = {memory.data(), {4}};
    launch.options.check = true;
    Interpreter interpreter = launch.start();
    interpreter.run();
    return interpreter.races().size();
  };
  EXPECT_EQ(races("store %3, %2"), 1u);
  EXPECT_EQ(races("%5 = load i32 %3 store %4, %2"), 1u);
  EXPECT_EQ(races("store %4, %2"), 0u);
  EXPECT_EQ(races("%5 = load i32 %3"), 0u);
  EXPECT_EQ(races("%5 = atomic add i32 %3, %2"), 0u);
  EXPECT_EQ(races("%5 = atomic add i32 %3, %2 %6 = load i32 %3"), 1u);
}

}  // namespace
}  // namespace qd::device::reference::testing
