// A third device, added from the tests alone: launches, memory, messages, coverage and errors on it.
#include "tests/unit/launch/made_up_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "instrument/session.h"
#include "report/data/producers.h"
#include "runtime/launch/program.h"
#include "tests/unit/instrument/recorded.h"

namespace qd {
namespace {

using ir::Type;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const std::string kFile = QD_SOURCE_DIR "/tests/unit/launch/kernels.py";

Config config_of(const std::string& arch) {
  testing::add_made_up_device();
  Config config;
  config.arch = arch;
  config.debug = true;
  config.cpu_max_num_threads = 1;
  return config;
}

class MadeUpDevice : public ::testing::Test {
 protected:
  MadeUpDevice() {
    program.set_print([&](std::string_view text) { printed += text; });
    program.set_warn([&](std::string_view text) { warned.emplace_back(text); });
  }
  Kernel& kernel(const std::string& name) { return program.load_kernel(kFile, name); }
  std::unique_ptr<Ndarray> integers(std::vector<int32_t> values) {
    auto array = program.ndarray(Type::I32, {static_cast<int32_t>(values.size())});
    std::ranges::copy(values, array->span<int32_t>().begin());
    return array;
  }
  std::vector<int32_t> values(Ndarray& array) {
    const auto span = array.span<int32_t>();
    return {span.begin(), span.end()};
  }

  std::string printed;
  std::vector<std::string> warned;
  Program program{config_of("made_up")};
};

TEST_F(MadeUpDevice, RunsLater) {
  auto x = integers({1, 2, 3});
  const int32_t* before = static_cast<int32_t*>(x->data());
  kernel("fill")(x.get(), 7);
  EXPECT_NE(before[0], 7) << "nobody has waited";
  EXPECT_THAT(values(*x), ElementsAre(7, 7, 7));
  x->span<int32_t>()[1] = 8;
  kernel("fill")(x.get(), 9);
  x->span<int32_t>()[0] = 1;
  EXPECT_THAT(values(*x), ElementsAre(1, 9, 9));
}

TEST_F(MadeUpDevice, WaitsForResults) {
  auto x = integers({1, 2, 3});
  EXPECT_EQ(std::get<int64_t>(kernel("total")(x.get())[0]), 6);
  kernel("fill")(x.get(), 5);
  EXPECT_EQ(std::get<int64_t>(kernel("total")(x.get())[0]), 15);
}

TEST_F(MadeUpDevice, Fields) {
  Field& f = program.field(Type::I32, {3}, "f");
  kernel("set_template")(&f, int64_t{4});
  EXPECT_THAT(values(f), ElementsAre(4, 4, 4));
}

TEST_F(MadeUpDevice, ArraysOfTheHostAreCopiedThereAndBack) {
  std::vector<float> x(1000), y(1000, 1.0f);
  std::iota(x.begin(), x.end(), 0.0f);
  ArrayView of_x{x.data(), Type::F32, 1, {1000}}, of_y{y.data(), Type::F32, 1, {1000}};
  kernel("saxpy")(2.0, of_x, of_y);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(y[i], 2.0f * static_cast<float>(i) + 1.0f);
  // Two arrays that overlap do so on the device, too.
  ArrayView later{x.data() + 1, Type::F32, 1, {999}};
  std::fill(x.begin(), x.end(), 1.0f);
  ArrayView first{x.data(), Type::F32, 1, {1}};
  kernel("saxpy")(3.0, first, later);
  EXPECT_EQ(x[0], 1.0f);
  EXPECT_EQ(x[1], 4.0f);
  EXPECT_EQ(x[2], 1.0f);
}

TEST_F(MadeUpDevice, MessagesComeWithTheNextWait) {
  kernel("speak")(int64_t{3}, 1.5);
  EXPECT_EQ(printed, "");
  program.sync();
  EXPECT_EQ(printed, "n is|3|1.5\n1.50 and    3\n");
  EXPECT_TRUE(warned.empty());
}

TEST_F(MadeUpDevice, SaysHowManyMessagesWereLost) {
  kernel("count_down")(int64_t{5});
  program.sync();
  EXPECT_EQ(printed, "1\n0\n");
  EXPECT_THAT(warned, ElementsAre(HasSubstr("count_down: 4 more messages were lost")));
}

TEST_F(MadeUpDevice, AssertsSurfaceAtTheNextWait) {
  auto good = integers({1, 2}), bad = integers({1, -2});
  kernel("positive")(bad.get());
  kernel("positive")(good.get());
  EXPECT_THAT([&] { program.sync(); }, ThrowsMessage<KernelAssertionError>(HasSubstr("x[1] is -2")));
  EXPECT_NO_THROW(program.sync()) << "told once";
  kernel("positive")(bad.get());
  EXPECT_NO_THROW(program.take_in_launches());
  EXPECT_THROW(program.sync(), KernelAssertionError);
  EXPECT_THAT(values(*good), ElementsAre(100, 100)) << "launches after it have run";
}

TEST_F(MadeUpDevice, RefusesWhatItHasNot) {
  EXPECT_THAT([&] { kernel("echo")(int64_t{1}, int64_t{2}, 3.0, int64_t{1}); },
              ThrowsMessage<frontend::KernelCompilationError>(
                  ::testing::AllOf(HasSubstr("arch=made_up has no 64-bit floats (f64)"), HasSubstr("kernels.py"))));
}

TEST_F(MadeUpDevice, LaunchesOutliveTheirKernelsCaller) {
  {
    auto x = integers({1, 2, 3});
    kernel("fill")(x.get(), 7);
  }
  program.sync();  // the launch has kept the memory
}

TEST_F(MadeUpDevice, ManyLaunchesWithoutAWait) {
  auto x = integers({0, 0});
  Kernel& add = kernel("add");
  for (int i = 0; i < 10'000; ++i) add(x.get(), 1);
  EXPECT_THAT(values(*x), ElementsAre(10'000, 10'000));
}

TEST(MadeUpDeviceEnd, TellsWhatWentWrong) {
  std::vector<std::string> warned;
  {
    Program program{config_of("made_up")};
    program.set_warn([&](std::string_view text) { warned.emplace_back(text); });
    auto x = program.ndarray(Type::I32, {1});
    program.load_kernel(kFile, "positive")(x.get());
  }
  EXPECT_THAT(warned, ElementsAre(HasSubstr("x[0] is 0")));
}

TEST(MadeUpDeviceCoverage, IsThatOfTheCpu) {
  auto covered = [](const std::string& arch) {
    instrument::Session session({}, "label");
    {
      Program program{config_of(arch), &session};
      auto x = program.ndarray(Type::I32, {4}), y = program.ndarray(Type::I32, {4});
      for (int value : {0, 3, -7, 200}) {
        for (int& element : x->span<int32_t>()) element = value;
        program.load_kernel(kFile, "decide")(x.get(), y.get());
        program.load_kernel(kFile, "fill")(y.get(), 1);
      }
    }
    return instrument::testing::hits(session)[report::kernel_context("label", arch)];
  };
  const auto of_cpu = covered("cpu");
  EXPECT_FALSE(of_cpu.empty());
  EXPECT_EQ(covered("made_up"), of_cpu);
  EXPECT_EQ(covered("reference"), of_cpu);
}

TEST(BackEnds, UnknownOnesAreAnError) {
  EXPECT_THAT([] { Program{config_of("no_such")}; }, ThrowsMessage<std::invalid_argument>(::testing::AllOf(
                                                         HasSubstr("unknown arch 'no_such'"), HasSubstr("cpu"))));
}

TEST(Programs, RefuseSizesThatBlocksCannotHave) {
  Config config;
  config.cpu_subgroup_size = 7;
  EXPECT_THAT([&] { Program{config}; },
              ThrowsMessage<std::invalid_argument>(HasSubstr("cpu_subgroup_size must be 8, 16, 32 or 64, not 7")));
  config.cpu_subgroup_size = 8;
  config.default_gpu_block_dim = 1025;
  EXPECT_THAT([&] { Program{config}; },
              ThrowsMessage<std::invalid_argument>(HasSubstr("default_gpu_block_dim must be from 1 to 1024")));
}

}  // namespace
}  // namespace qd
