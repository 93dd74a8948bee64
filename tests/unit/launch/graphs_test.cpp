// Graph kernels, checkpoints and blocks of streams, launched from C++.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/launch/program.h"

namespace qd {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class Graphs : public ::testing::TestWithParam<const char*> {
 protected:
  Kernel& kernel(const std::string& name) {
    return program.load_kernel(QD_SOURCE_DIR "/tests/unit/launch/graphs.py", name);
  }
  std::unique_ptr<Ndarray> array(std::vector<int32_t> shape, std::vector<int32_t> values) {
    auto array = program.ndarray(ir::Type::I32, std::move(shape));
    program.map(*array->memory(), device::Memory::Access::Write);
    std::copy(values.begin(), values.end(), array->span<int32_t>().begin());
    return array;
  }
  std::vector<int32_t> values(Ndarray& array) {
    program.map(*array.memory(), device::Memory::Access::Read);
    return {array.span<int32_t>().begin(), array.span<int32_t>().end()};
  }

  Program program{[] {
    Config config;
    config.arch = GetParam();
    config.cpu_max_num_threads = 2;
    return config;
  }()};
};

INSTANTIATE_TEST_SUITE_P(Archs, Graphs, ::testing::Values("cpu", "reference"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(Graphs, ADoWhileEndsBehindThePassThatSetsItsFlagTo0) {
  auto x = array({3}, {0, 0, 0}), passes = array({}, {4});
  kernel("countdown")(x.get(), passes.get());
  EXPECT_THAT(values(*x), ElementsAre(10, 10, 10));
  EXPECT_THAT(values(*passes), ElementsAre(0));
  EXPECT_EQ(kernel("countdown").num_tasks_on_last_call(), 2) << "one loop, and what counts down: four times each";
}

TEST_P(Graphs, ALaunchYieldsAndIsResumed) {
  auto x = array({2}, {1, 2}), full = array({}, {5});
  const std::vector<Argument> arguments{x.get(), full.get()};
  CheckpointedLaunch first;
  kernel("steps").launch(arguments, {.checkpointed = &first});
  EXPECT_EQ(first.yielded, 7);
  EXPECT_EQ(first.value, 5);
  EXPECT_THAT(values(*x), ElementsAre(4, 5));

  array({}, {0}).swap(full);
  CheckpointedLaunch second{.from = 7, .kept = first.kept, .yielded = {}};
  kernel("steps").launch(std::vector<Argument>{x.get(), full.get()}, {.checkpointed = &second});
  EXPECT_EQ(second.yielded, std::nullopt);
  // `total` is 3, as the first launch has left it: the loop before the checkpoint did not run again.
  EXPECT_THAT(values(*x), ElementsAre(70, 80));
}

TEST_P(Graphs, AStateOfAnotherKernelIsRefused) {
  auto x = array({2}, {1, 2}), full = array({}, {0});
  const std::vector<Argument> arguments{x.get(), full.get()};
  CheckpointedLaunch other{.from = 7, .kept = {1, 2, 3, 4, 5, 6, 7, 8, 9}, .yielded = {}};
  EXPECT_THAT([&] { kernel("steps").launch(arguments, {.checkpointed = &other}); },
              ThrowsMessage<KernelRuntimeError>(HasSubstr("the status is of another version")));
  CheckpointedLaunch unknown{.from = 8, .kept = {}, .yielded = {}};
  EXPECT_THAT([&] { kernel("steps").launch(arguments, {.checkpointed = &unknown}); },
              ThrowsMessage<KernelRuntimeError>(HasSubstr("no checkpoint 8 is compiled")));
  EXPECT_THAT(values(*x), ElementsAre(1, 2));
}

TEST_P(Graphs, BlocksOfStreamsAllRun) {
  auto x = array({3}, {0, 0, 0}), y = array({2}, {0, 0});
  kernel("blocks")(x.get(), y.get());
  EXPECT_THAT(values(*x), ElementsAre(1, 2, 3));
  EXPECT_THAT(values(*y), ElementsAre(2, 2));
  EXPECT_EQ(kernel("blocks").num_tasks_on_last_call(), 3);
}

}  // namespace
}  // namespace qd
