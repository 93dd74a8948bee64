// Streams of a program: order of waits, receivers of failures and of counts, and ends of streams.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <future>
#include <set>
#include <thread>
#include <utility>

#include "instrument/session.h"
#include "runtime/launch/program.h"
#include "tests/unit/instrument/recorded.h"

namespace qd {
namespace {

using ir::Type;
using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const std::string kFile = QD_SOURCE_DIR "/tests/unit/launch/kernels.py";

Config config_of(const std::string& arch) {
  Config config;
  config.arch = arch;
  config.debug = true;
  config.cpu_max_num_threads = 2;
  return config;
}

/// The ways of the kernel three_ways that launches went in a context.
std::vector<std::string> ways(instrument::Session& session, const std::string& context) {
  std::vector<std::string> lines;
  std::ifstream file(kFile);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  std::set<std::string> found;
  const auto all = instrument::testing::hits(session);
  if (!all.contains(context)) return {};
  for (const auto& [from, to] : all.at(context).at(kFile)) {
    const std::string text = to > 0 ? lines.at(static_cast<size_t>(to) - 1) : "";
    if (text.starts_with("        x[0] = 100")) found.insert(text.substr(15));
  }
  return {found.begin(), found.end()};
}

class Streams : public ::testing::TestWithParam<const char*> {
 protected:
  Kernel& kernel(const std::string& name) { return program.load_kernel(kFile, name); }
  std::unique_ptr<Ndarray> integers(std::vector<int32_t> values) {
    auto array = program.ndarray(Type::I32, {static_cast<int32_t>(values.size())});
    std::ranges::copy(values, array->span<int32_t>().begin());
    return array;
  }
  static std::vector<int32_t> values(Ndarray& array) {
    return {array.span<int32_t>().begin(), array.span<int32_t>().end()};
  }

  Program program{config_of(GetParam())};
};
INSTANTIATE_TEST_SUITE_P(On, Streams, ::testing::Values("cpu", "reference"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(Streams, LaunchesOfAStreamRunInTheirOrder) {
  auto x = integers({0});
  const auto stream = program.new_stream();
  int32_t expected = 0;
  for (int i = 1; i < 200; ++i) {
    kernel("append_digit").on(*stream, x.get(), i % 7);
    expected = (expected * 3 + i % 7) % 1000003;
  }
  EXPECT_THAT(values(*x), ElementsAre(expected));
}

TEST_P(Streams, EventsOrderThem) {
  auto x = integers({0});
  const auto a = program.new_stream(), b = program.new_stream();
  int32_t expected = 0;
  for (int i = 0; i < 100; ++i) {
    LaunchStream& stream = i % 3 == 0 ? *program.default_stream() : i % 3 == 1 ? *a : *b;
    LaunchStream& next = i % 3 == 0 ? *a : i % 3 == 1 ? *b : *program.default_stream();
    kernel("append_digit").launch(std::vector<Argument>{x.get(), int64_t{i % 7}}, {.stream = &stream});
    program.wait(next, program.record(stream));
    expected = (expected * 3 + i % 7) % 1000003;
  }
  EXPECT_THAT(values(*x), ElementsAre(expected));
}

TEST_P(Streams, ResultsAndArraysOfTheHostAreThereWhenTheCallReturns) {
  auto x = integers({1, 2, 3});
  const auto stream = program.new_stream();
  kernel("fill").on(*stream, x.get(), 5);
  EXPECT_EQ(std::get<int64_t>(kernel("total").on(*stream, x.get())[0]), 15);
  std::vector<int32_t> own{1, 2};
  kernel("fill").on(*stream, ArrayView{own.data(), Type::I32, 1, {2}}, 9);
  EXPECT_THAT(own, ElementsAre(9, 9));
}

TEST_P(Streams, EachWaitTellsItsOwnFailures) {
  auto good = integers({1}), bad = integers({-1}), worse = integers({-2});
  const auto a = program.new_stream(), b = program.new_stream(), c = program.new_stream();
  kernel("positive").on(*a, bad.get());
  kernel("positive").on(*b, worse.get());
  kernel("positive").on(*c, good.get());
  program.sync(*c);
  EXPECT_THAT([&] { program.sync(*a); }, ThrowsMessage<KernelAssertionError>(HasSubstr("x[0] is -1")));
  EXPECT_NO_THROW(program.sync(*a)) << "told once";
  EXPECT_THAT(values(*good), ElementsAre(100));
  EXPECT_THAT([&] { program.sync(); }, ThrowsMessage<KernelAssertionError>(HasSubstr("x[0] is -2")));
  EXPECT_NO_THROW(program.sync());
  EXPECT_TRUE(program.settled());
}

TEST_P(Streams, AFailureIsToldToWhoTouchesItsArrays) {
  auto bad = integers({-1});
  const auto stream = program.new_stream();
  kernel("positive").on(*stream, bad.get());
  program.take_in_launches();
  auto other = integers({3});
  EXPECT_THAT(values(*other), ElementsAre(3));
  EXPECT_THAT([&] { bad->data(); }, ThrowsMessage<KernelAssertionError>(HasSubstr("x[0] is -1")));
  EXPECT_NO_THROW(program.sync());
}

TEST_P(Streams, AnEventTellsOfWhatIsBeforeIt) {
  auto bad = integers({-1}), good = integers({1});
  const auto stream = program.new_stream();
  const LaunchEvent before = program.record(*stream);
  kernel("positive").on(*stream, good.get());
  const LaunchEvent between = program.record(*stream);
  kernel("positive").on(*stream, bad.get());
  const LaunchEvent behind = program.record(*stream);
  EXPECT_NO_THROW(program.sync(before));
  EXPECT_NO_THROW(program.sync(between));
  EXPECT_THROW(program.sync(behind), KernelAssertionError);
  EXPECT_NO_THROW(program.sync(behind));
}

TEST_P(Streams, DestroyWaitsAndTells) {
  auto x = integers({1, 2}), bad = integers({-1});
  auto stream = program.new_stream();
  kernel("fill").on(*stream, x.get(), 7);
  const LaunchEvent event = program.record(*stream);
  kernel("positive").on(*stream, bad.get());
  EXPECT_THROW(program.destroy(stream), KernelAssertionError);
  EXPECT_TRUE(program.settled());
  EXPECT_THAT([&] { kernel("fill").on(*stream, x.get(), 8); },
              ThrowsMessage<KernelRuntimeError>(HasSubstr("the stream was destroyed")));
  EXPECT_THAT(values(*x), ElementsAre(7, 7));
  const uint32_t number = stream->number();
  stream.reset();
  program.sync(event);
  EXPECT_EQ(program.new_stream()->number(), number) << "numbers are used again";
}

TEST_P(Streams, WhatALaunchUsesOutlivesItsOwner) {
  const auto stream = program.new_stream();
  for (int i = 0; i < 50; ++i) {
    auto x = program.ndarray(Type::I32, {1000});
    kernel("fill").on(*stream, x.get(), i);
  }
  program.sync();
}

TEST_P(Streams, AStreamThatNobodyHasGoesWhenItsWorkIsTakenIn) {
  auto x = integers({0});
  for (int i = 0; i < 20; ++i) kernel("append_digit").on(*program.new_stream(), x.get(), 0);
  program.sync();
  EXPECT_EQ(program.new_stream()->number(), 1u);
}

TEST_P(Streams, ManyLaunchesWithoutAWait) {
  auto x = integers({0, 0});
  const auto stream = program.new_stream();
  Kernel& add = kernel("add");
  for (int i = 0; i < 10'000; ++i) add.on(*stream, x.get(), 1);
  EXPECT_THAT(values(*x), ElementsAre(10'000, 10'000));
}

TEST_P(Streams, HostThreadsLaunchAtOnce) {
  kernel("add");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      auto x = program.ndarray(Type::I32, {100});
      auto stream = program.new_stream();
      for (int i = 0; i < 300; ++i) {
        kernel("add").on(*stream, x.get(), 1);
        if (i % 50 == t) {
          EXPECT_EQ(x->span<int32_t>()[3], i + 1);
        }
        if (i % 70 == t) program.sync(*stream);
        if (i == 200) program.destroy(std::exchange(stream, program.new_stream()));
      }
      EXPECT_EQ(x->span<int32_t>()[99], 300);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_P(Streams, PrintsComeInTheOrderOfTheStream) {
  std::string printed;
  program.set_print([&](std::string_view text) { printed += text; });
  const auto stream = program.new_stream();
  for (int i = 0; i < 3; ++i) kernel("speak").on(*stream, int64_t{i}, 1.0);
  program.sync(*stream);
  EXPECT_EQ(printed, "n is|0|1.0\n1.00 and    0\nn is|1|1.0\n1.00 and    1\nn is|2|1.0\n1.00 and    2\n");
}

TEST_P(Streams, APrintMayWaitItself) {
  auto x = integers({0});
  const auto a = program.new_stream(), b = program.new_stream();
  int prints = 0;
  program.set_print([&](std::string_view) {
    if (++prints > 1) return;
    program.sync(*b);
    program.sync(*a);
    EXPECT_EQ(prints, 3);
  });
  kernel("speak").on(*a, int64_t{1}, 1.0);
  kernel("speak").on(*a, int64_t{2}, 1.0);
  kernel("speak").on(*b, int64_t{3}, 1.0);
  program.sync(*a);
  EXPECT_EQ(prints, 3);
}

TEST_P(Streams, HitsBelongToTheContextOfTheLaunch) {
  instrument::Session session;
  {
    Program observed(config_of(GetParam()), &session);
    const auto stream = observed.new_stream();
    Kernel& branch = observed.load_kernel(kFile, "three_ways");
    auto x = observed.ndarray(Type::I32, {1});
    session.switch_context("first");
    branch.on(*stream, x.get(), 1);
    session.switch_context("second");
    branch.on(*stream, x.get(), 2);
    branch(x.get(), 3);
    session.switch_context("");
    // Without a wait: the end of the program takes in the counts of launches.
  }
  EXPECT_THAT(ways(session, "first|qd:"s + GetParam()), ElementsAre("1001"));
  EXPECT_THAT(ways(session, "second|qd:"s + GetParam()), ElementsAre("1002", "1003"));
}

// Tests of launches that the host can talk to while they run.

class CpuStreams : public ::testing::Test {
 protected:
  Kernel& kernel(const std::string& name) { return program.load_kernel(kFile, name); }
  /// An array of zeros, and its number for the host, without a wait.
  std::unique_ptr<Ndarray> zeros(int32_t n = 1) { return program.ndarray(Type::I32, {n}); }
  static std::atomic_ref<int32_t> number(Ndarray& array) {
    return std::atomic_ref(*static_cast<int32_t*>(array.memory()->address()));
  }
  static bool becomes(const std::function<bool()>& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    return condition();
  }

  Program program{config_of("cpu")};
};

TEST_F(CpuStreams, TheHostWaitsForWhatUsesAnArrayAndForNothingElse) {
  auto flag = zeros(), x = zeros(), y = zeros(), z = zeros();
  const auto a = program.new_stream(), b = program.new_stream();
  kernel("add").on(*a, z.get(), 5);
  kernel("wait_for_flag").on(*a, flag.get(), x.get());
  kernel("add").on(*b, y.get(), 2);
  EXPECT_EQ(y->span<int32_t>()[0], 2);
  EXPECT_EQ(z->span<int32_t>()[0], 5);
  program.sync(*b);
  program.destroy(b);
  const auto c = program.new_stream();
  kernel("add")(y.get(), 1);
  EXPECT_EQ(std::get<int64_t>(kernel("total").on(*c, y.get())[0]), 3);
  auto read = std::async(std::launch::async, [&] { return x->span<int32_t>()[0]; });
  EXPECT_EQ(read.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  EXPECT_FALSE(program.settled());
  number(*flag) = 1;
  EXPECT_EQ(read.get(), 1);
  program.sync();
}

TEST_F(CpuStreams, SerialTasksOfTwoStreamsRunAtOnce) {
  auto a = zeros(), b = zeros();
  const auto first = program.new_stream(), second = program.new_stream();
  kernel("meet").on(*first, a.get(), b.get());
  kernel("meet").on(*second, b.get(), a.get());
  program.sync();
}

TEST_F(CpuStreams, ParallelTasksOfTwoStreamsRunAtOnce) {
  auto a = zeros(100'000), b = zeros(100'000);
  const auto first = program.new_stream(), second = program.new_stream();
  for (int round = 0; round < 20; ++round) {
    std::ranges::fill(a->span<int32_t>(), 0);
    std::ranges::fill(b->span<int32_t>(), 0);
    kernel("meet").on(*first, a.get(), b.get());
    kernel("meet").on(*second, b.get(), a.get());
    EXPECT_EQ(std::ranges::count(a->span<int32_t>(), 1), 100'000);
    EXPECT_EQ(std::ranges::count(b->span<int32_t>(), 1), 100'000);
  }
}

TEST_F(CpuStreams, TheDefaultStreamDoesNotWaitForOthers) {
  auto a = zeros(100'000), b = zeros(100'000);
  const auto stream = program.new_stream();
  kernel("meet").on(*stream, a.get(), b.get());
  kernel("meet")(b.get(), a.get());
  program.sync();
}

TEST_F(CpuStreams, TwoThreadsWaitForTheirOwnStreams) {
  auto flag = zeros(), x = zeros(), y = zeros();
  const auto a = program.new_stream(), b = program.new_stream();
  kernel("wait_for_flag").on(*a, flag.get(), x.get());
  auto long_wait = std::async(std::launch::async, [&] { program.sync(*a); });
  kernel("add").on(*b, y.get(), 2);
  program.sync(*b);
  EXPECT_EQ(long_wait.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  number(*flag) = 1;
  long_wait.get();
}

TEST_F(CpuStreams, AnEventHoldsAStreamBack) {
  auto flag = zeros(), x = zeros(), y = zeros();
  const auto a = program.new_stream(), b = program.new_stream();
  kernel("wait_for_flag").on(*a, flag.get(), x.get());
  program.wait(*b, program.record(*a));
  kernel("add").on(*b, y.get(), 2);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_EQ(number(*y), 0);
  number(*flag) = 1;
  program.sync(*b);
  EXPECT_EQ(number(*y), 2);
}

class Never : public LaunchPoll {
 public:
  bool wants_end() override { return ++asked == 2; }
  int asked = 0;
};

TEST_F(CpuStreams, AWaitCanBeEndedAndTheLaunchGoesOn) {
  auto flag = zeros(), x = zeros();
  auto stream = program.new_stream();
  kernel("wait_for_flag").on(*stream, flag.get(), x.get());
  const LaunchEvent event = program.record(*stream);
  auto ended = [&](const std::function<void(LaunchPoll*)>& wait) {
    Never poll;
    EXPECT_THAT([&] { wait(&poll); }, ThrowsMessage<KernelInterrupted>(HasSubstr("the wait for")));
    EXPECT_EQ(poll.asked, 2);
  };
  ended([&](LaunchPoll* poll) { program.sync(poll); });
  ended([&](LaunchPoll* poll) { program.sync(*stream, poll); });
  ended([&](LaunchPoll* poll) { program.sync(event, poll); });
  ended([&](LaunchPoll* poll) { program.wait(*program.default_stream(), event, poll); });
  ended([&](LaunchPoll* poll) { program.destroy(stream, poll); });
  ended([&](LaunchPoll* poll) { program.map(*x->memory(), device::Memory::Access::Read, poll); });
  kernel("add").on(*stream, x.get(), 1);
  number(*flag) = 1;
  program.sync();
  EXPECT_EQ(number(*x), 2);
}

#ifndef __SANITIZE_THREAD__  // ThreadSanitizer keeps signals from compiled code
TEST_F(CpuStreams, AProgramThatEndsEarlyDoesNotWait) {
  std::vector<std::string> warned;
  auto flag = zeros(), x = zeros();
  {
    Program ending{config_of("cpu")};
    ending.set_warn([&](std::string_view text) { warned.emplace_back(text); });
    const auto a = ending.new_stream(), b = ending.new_stream();
    ending.load_kernel(kFile, "wait_for_flag").on(*a, flag.get(), x.get());
    ending.load_kernel(kFile, "add").on(*a, x.get(), 1);
    ending.wait(*b, ending.record(*a));
    ending.load_kernel(kFile, "add").on(*b, x.get(), 1);
    ending.end_early();
  }
  EXPECT_EQ(number(*x), 0);
  EXPECT_TRUE(warned.empty());
}
#endif

TEST_F(CpuStreams, EachStreamDrawsItsOwnRandomNumbers) {
  auto drawn = [](int launches_of_other) {
    Program program{config_of("cpu")};
    const auto a = program.new_stream(), b = program.new_stream();
    auto x = program.ndarray(Type::F32, {1000}), y = program.ndarray(Type::F32, {1000});
    Kernel& draw = program.load_kernel(kFile, "draw");
    for (int i = 0; i < launches_of_other; ++i) draw.on(*b, y.get());
    draw.on(*a, x.get());
    draw.on(*b, y.get());
    return std::pair(std::vector<float>(x->span<float>().begin(), x->span<float>().end()), y->span<float>()[0]);
  };
  const auto alone = drawn(0), with_others = drawn(30);
  EXPECT_EQ(alone.first, with_others.first);
  EXPECT_NE(alone.first[0], alone.second);
}

}  // namespace
}  // namespace qd
