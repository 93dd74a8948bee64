// Blocks of threads in code for GPUs, when the threads run as fibres: the same as the interpreter with blocks that are
// cut.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "runtime/codegen/gpu/task_shape.h"
#include "runtime/passes/pipeline.h"
#include "tests/simulated_driver/threads/fibres.h"
#include "tests/unit/codegen/gpu/every_kernel.h"
#include "tests/unit/codegen/gpu/host_threads.h"

namespace qd::codegen::gpu::testing {
namespace {

constexpr passes::Plan kOfGpus{.blocks = true, .costs = false, .counts = passes::LaunchCounts::Device};
constexpr passes::Plan kCut{.costs = false, .counts = passes::LaunchCounts::Device};

constexpr std::string_view kHead =
    "kernel blocks\narray 0 x i32 rank 1 parameter\narray 1 y i32 rank 1 parameter\nparam 0 n i32\n"
    "function 0 \"/k.py\" blocks 1\nlocation 0 function 0 line 3 col 4\nlocation 1 function 0 line 4 col 4\n"
    "probe 0 function 0 5 -> 6\nprobe 1 function 0 5 -> 7\n";

/// Shared memory, shuffles under a condition, a loop that is the same for all threads, ballots.
constexpr std::string_view kMeeting = R"(body {
  %0 = const i32 0
  %1 = shape i32 0 0
  %2 = arg i32 0
  %3 = for 0 [%0, %1) {
    %4 = shared i32 256
    %5 = thread i32
    %6 = loop_index i32 %3 0
    %7 = element_ptr i32 0 [%6]
    %8 = load i32 %7
    %9 = local_ptr i32 %4, %5
    store %9, %8
    barrier block
    %11 = const i32 3
    %12 = gt u1 %8, %11
    if %12 {
      probe 0
      %14 = shuffle i32 %8, %2
      %15 = element_ptr i32 1 [%6]
      store %15, %14
    } else {
      probe 1
    }
    %17 = for 1 [%0, %2) {
      %18 = loop_index i32 %17 0
      barrier subgroup
      %20 = local_ptr i32 %4, %18
      %21 = load i32 %20
      %22 = element_ptr i32 1 [%6]
      %23 = atomic add i32 %22, %21
    }
    %24 = ballot i64 %12
    %25 = lane i32
    %26 = cast i64 %25
    %27 = shr i64 %24, %26
    %28 = cast i32 %27
    %29 = element_ptr i32 1 [%6]
    %30 = atomic xor i32 %29, %28
    %31 = const i32 7
    %32 = add i32 %25, %31
    %33 = shuffle i32 %8, %32
    %34 = atomic add i32 %29, %33
  }
}
)";

/// Each third thread ends before the barrier, the others read what the neighbour has stored.
constexpr std::string_view kEnding = R"(body {
  %0 = const i32 0
  %1 = shape i32 0 0
  %2 = const i32 1
  %3 = for 0 [%0, %1) {
    %4 = shared i32 256
    %5 = thread i32
    %6 = loop_index i32 %3 0
    %7 = element_ptr i32 0 [%6]
    %8 = load i32 %7
    %9 = const i32 3
    %10 = mod i32 %5, %9
    %11 = eq u1 %10, %0
    if %11 {
      probe 0
      continue
    }
    %14 = local_ptr i32 %4, %5
    store %14, %8
    barrier block
    %17 = eq u1 %10, %2
    %18 = add i32 %5, %2
    %19 = sub i32 %5, %2
    %20 = select i32 %17, %18, %19
    %21 = local_ptr i32 %4, %20
    %22 = load i32 %21
    %23 = element_ptr i32 1 [%6]
    store %23, %22
    probe 1
  }
}
)";

/// Count of each arc.
std::map<std::pair<int32_t, int32_t>, int64_t> arcs(const instrument::CoverageMap& map,
                                                    const std::vector<uint64_t>& counters) {
  std::map<std::pair<int32_t, int32_t>, int64_t> taken;
  for (const instrument::MappedArc& arc : map.arcs) {
    int64_t& count = taken[{arc.from, arc.to}];
    for (const auto& term : arc.count.terms()) count += term.factor * static_cast<int64_t>(counters[term.counter]);
  }
  return taken;
}

struct Blocks {
  std::string_view code;
  int block_dim;
  int32_t blocks;
  friend void PrintTo(const Blocks& wanted, std::ostream* out) {
    *out << wanted.blocks << " of " << wanted.block_dim << " threads";
  }
};

class BlocksOfGpuCode : public ::testing::TestWithParam<Blocks> {};

TEST_P(BlocksOfGpuCode, AreTheInterpreters) {
  const Blocks& wanted = GetParam();
  ir::Kernel kernel =
      ir::parse(fmt::format("{}loop 0 parallel block_dim {}\nloop 1 serial\n{}", kHead, wanted.block_dim, wanted.code));
  ir::Kernel cut = kernel;
  const instrument::CoverageMap map = make_ready(kernel, kOfGpus), map_of_cut = make_ready(cut, kCut);
  qd::testing::Launch launch{{5}, {}, {}};
  for (int array = 0; array < 2; ++array) {
    launch.shapes.push_back({wanted.block_dim * wanted.blocks});
    auto& words = launch.arrays.emplace_back();
    for (int i = 0; i < launch.shapes[0][0]; ++i) words.push_back(static_cast<uint64_t>(array == 0 ? i * 37 % 11 : 0));
  }
  const qd::testing::Run expected = qd::testing::interpret(cut, launch, {.step_limit = 2'000'000});
  for (Groups groups : {Groups::Many, Groups::Two}) {
    const HostRun actual = run_on_host(kernel, launch, Threads::Together, groups);
    EXPECT_EQ(actual.outcome.arrays, expected.outcome.arrays);
    EXPECT_EQ(arcs(map, actual.counters), arcs(map_of_cut, expected.counters));
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, BlocksOfGpuCode,
                         ::testing::Values(Blocks{kMeeting, 64, 1}, Blocks{kMeeting, 128, 5}, Blocks{kMeeting, 48, 4},
                                           Blocks{kEnding, 96, 1}, Blocks{kEnding, 66, 4}));

TEST(BlocksOfGpuCode, WithThreadsThatEndRunOneByOne) {
  for (std::string_view code : {kMeeting, kEnding}) {
    ir::Kernel kernel = ir::parse(fmt::format("{}loop 0 parallel block_dim 64\nloop 1 serial\n{}", kHead, code));
    make_ready(kernel, kOfGpus);
    EXPECT_EQ(shape_of(kernel, kernel.tasks.back()).one_round, code == kEnding);
  }
}

TEST(Fibres, FindThreadsThatWaitInVain) {
  const auto half_waits = [](uint32_t thread) {
    if (thread < 16) simulated::ballot_of_fibres(true, 1);
    if (thread >= 16) simulated::barrier_of_fibres(true, true);
  };
  EXPECT_THROW(simulated::run_group({0, 32, 32, nullptr}, half_waits), std::runtime_error);
}

}  // namespace
}  // namespace qd::codegen::gpu::testing
