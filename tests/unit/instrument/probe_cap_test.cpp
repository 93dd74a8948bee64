// QD_COVERAGE_MAX_PROBES counts places of the source, however often they are compiled.
#include "instrument/probe_cap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "instrument/environment.h"
#include "instrument/session.h"
#include "recorded.h"
#include "runtime/ir/builder.h"
#include "two_arcs.h"

namespace qd::instrument {
namespace {

using report::Arc;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kFile;
using testing::launch;
using testing::two_arcs;

std::vector<Arc> left_out(ProbeCap& cap, ir::Kernel& kernel) {
  std::vector<Arc> arcs;
  for (const ir::Probe& probe : cap.apply(kernel)) arcs.push_back({probe.from, probe.to});
  return arcs;
}

TEST(ProbeCap, LeavesOutWhatComesLater) {
  ::testing::internal::CaptureStderr();
  ProbeCap cap(1);
  ir::Kernel kernel = two_arcs();
  EXPECT_THAT(left_out(cap, kernel), ElementsAre(Arc{2, -1}));
  EXPECT_THAT(kernel.tasks[0].start_probes, ElementsAre(0));
  EXPECT_THAT(kernel.end_probes, IsEmpty());
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "qd: QD_COVERAGE_MAX_PROBES=1 is reached: no more places of kernels are measured, from "
            "/project/kernels.py:2 on\n");
}

TEST(ProbeCap, W19CompilingAgainTakesNothingOfIt) {
  ::testing::internal::CaptureStderr();
  ProbeCap cap(3);
  for (int i = 0; i < 1000; ++i) {
    ir::Kernel kernel = two_arcs();
    EXPECT_THAT(left_out(cap, kernel), IsEmpty());
  }
  ir::Kernel other = two_arcs();
  other.functions[0].file = "/project/other.py";
  EXPECT_THAT(left_out(cap, other), ElementsAre(Arc{2, -1})) << "one place is left";
  for (int i = 0; i < 10; ++i) {
    ir::Kernel again = other;
    again.end_probes = {1};
    EXPECT_THAT(left_out(cap, again), ElementsAre(Arc{2, -1}));
  }
  std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << "said once: " << said;
  EXPECT_THAT(said, HasSubstr("/project/other.py:2"));
}

TEST(ProbeCap, TakesProbesOutOfBlocks) {
  ProbeCap cap(2);
  ir::Kernel kernel = two_arcs();
  kernel.probes.push_back({0, 2, 3});
  kernel.probes.push_back({0, -1, 3});  // of no code
  ir::Builder build(kernel, kernel.tasks[0].body);
  build.inst(ir::Op::Probe, ir::Type::Void, {}, 2);
  build.inst(ir::Op::Probe, ir::Type::Void, {}, 1);
  EXPECT_THAT(left_out(cap, kernel), ElementsAre(Arc{2, 3}));
  ASSERT_EQ(kernel[kernel.tasks[0].body].size(), 1u);
  EXPECT_EQ(kernel[kernel[kernel.tasks[0].body][0]].aux, 1u);
}

TEST(ProbeCap, WithoutOneNothingIsLeftOut) {
  ProbeCap cap(std::nullopt);
  ir::Kernel kernel = two_arcs();
  EXPECT_THAT(left_out(cap, kernel), IsEmpty());
}

TEST(ProbeCap, WhatStaysIsExact) {
  ::testing::internal::CaptureStderr();
  Session session({}, "", {.max_probes = 1});
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  launch(*variant, kernel, false);
  EXPECT_TRUE(variant->all_taken());
  EXPECT_THAT(testing::hits(session).at("qd:cpu").at(kFile), ElementsAre(Arc{-1, 2}));
  Session none({}, "", {.max_probes = 0});
  ir::Kernel unobserved = two_arcs();
  EXPECT_EQ(none.lower_probes(unobserved, "cpu"), nullptr);
  EXPECT_EQ(none.data().files.at(kFile).kernel_functions.begin()->second.left_out.size(), 2u);
  ::testing::internal::GetCapturedStderr();
}

TEST(MaxProbes, OfTheEnvironment) {
  auto given = [](const char* text) {
    setenv("QD_COVERAGE_MAX_PROBES", text, 1);
    ::testing::internal::CaptureStderr();
    auto cap = max_probes_of_environment();
    unsetenv("QD_COVERAGE_MAX_PROBES");
    return std::pair(cap, ::testing::internal::GetCapturedStderr());
  };
  EXPECT_EQ(max_probes_of_environment(), std::nullopt);
  EXPECT_EQ(given(""), std::pair(std::optional<size_t>(), std::string()));
  EXPECT_EQ(given("100000"), std::pair(std::optional<size_t>(100000), std::string()));
  EXPECT_EQ(given("0"), std::pair(std::optional<size_t>(0), std::string()));
  for (const char* wrong : {"many", "-1", "10k", " 3", "99999999999999999999999"}) {
    EXPECT_EQ(given(wrong).first, std::nullopt);
    EXPECT_THAT(given(wrong).second,
                HasSubstr(std::string("QD_COVERAGE_MAX_PROBES=") + wrong + " is no number of probes"));
  }
}

}  // namespace
}  // namespace qd::instrument
