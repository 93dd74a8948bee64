// What a session keeps of its variants' launches, and how it becomes data.
#include "instrument/session.h"

#include <gtest/gtest.h>

#include <thread>

#include "two_arcs.h"

namespace qd::instrument {
namespace {

using report::Arc;
using testing::kFile;
using testing::launch;
using testing::two_arcs;

const std::set<Arc> kBoth{{-1, 2}, {2, -1}};

TEST(Session, KnowsWhatFinishedLaunchesTook) {
  Session session;
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, passes::LaunchCounts::Host);
  EXPECT_TRUE(session.hits().empty());
  launch(*variant, kernel, false);
  EXPECT_EQ(session.hits().at("qd:cpu").at(kFile), (std::set<Arc>{{-1, 2}}));
  EXPECT_FALSE(variant->all_taken());
  launch(*variant, kernel);
  EXPECT_EQ(session.hits().at("qd:cpu").at(kFile), kBoth);
  EXPECT_TRUE(variant->all_taken());
}

TEST(Session, KeepsTheHitsOfAVariantThatIsGone) {
  Session session;
  {
    ir::Kernel kernel = two_arcs();
    launch(*session.lower_probes(kernel, passes::LaunchCounts::Host), kernel);
  }
  EXPECT_EQ(session.hits().at("qd:cpu").at(kFile), kBoth);
}

TEST(Session, AKernelWithoutProbesIsNotObserved) {
  Session session;
  ir::Kernel kernel = two_arcs();
  kernel.tasks[0].start_probes.clear();
  kernel.end_probes.clear();
  EXPECT_EQ(session.lower_probes(kernel, passes::LaunchCounts::Host), nullptr);
}

TEST(Session, HitsBelongToTheContextTheLaunchStartedIn) {
  Session session({}, "a|qd:cpu");
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, passes::LaunchCounts::Host);
  uint64_t* counters = variant->counters().data;
  session.switch_context("b|qd:cpu");
  ++counters[kernel.end_counter];
  variant->launch_done(counters);
  EXPECT_FALSE(variant->all_taken());
  launch(*variant, kernel, false);
  auto hits = session.hits();
  EXPECT_EQ(hits.at("a|qd:cpu").at(kFile), (std::set<Arc>{{2, -1}}));
  EXPECT_EQ(hits.at("b|qd:cpu").at(kFile), (std::set<Arc>{{-1, 2}}));
}

TEST(Session, AContextThatComesAgainGoesOn) {
  Session session({}, "a");
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, passes::LaunchCounts::Host);
  launch(*variant, kernel, false);
  session.switch_context("b");
  session.switch_context("a");
  EXPECT_FALSE(variant->all_taken());
  launch(*variant, kernel);
  EXPECT_EQ(session.hits().at("a").at(kFile), kBoth);
  EXPECT_EQ(session.hits().size(), 1u);
}

TEST(Session, ForgetsEverything) {
  Session session;
  ir::Kernel gone = two_arcs();
  launch(*session.lower_probes(gone, passes::LaunchCounts::Host), gone);
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, passes::LaunchCounts::Host);
  launch(*variant, kernel);
  session.forget();
  EXPECT_TRUE(session.hits().empty());
  launch(*variant, kernel, false);
  EXPECT_EQ(session.hits().at("qd:cpu").at(kFile).size(), 1u);
}

// W23
TEST(Session, LaunchesOfManyThreadsHaveCountersOfTheirOwn) {
  Session session;
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, passes::LaunchCounts::Host);
  uint64_t* first = variant->counters().data;
  uint64_t* second = variant->counters().data;
  EXPECT_NE(first, second);
  // The first has begun and not ended: its counts are in no hit of the second.
  ++first[kernel.tasks[0].start_counter];
  variant->launch_done(second);
  EXPECT_TRUE(session.hits().empty());
  variant->launch_done(first);
  EXPECT_EQ(session.hits().at("qd:cpu").at(kFile).size(), 1u);

  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2000; ++i) {
        if (i % 500 == t) session.switch_context("context " + std::to_string(i));
        launch(*variant, kernel);
      }
    });
  threads.clear();
  for (const auto& [context, files] : session.hits())
    EXPECT_TRUE(context == "qd:cpu" || files.at(kFile) == kBoth) << context;
}

TEST(ToCoverageData, WritesArcsOrLines) {
  std::map<std::string, Arcs> hits{{"static|qd:cpu", {{kFile, {{-1, 2}, {-1, 4}, {2, 4}, {4, -1}}}}}};
  report::CoverageData branch = to_coverage_data(hits, {}, {}, {});
  EXPECT_EQ(branch.has_arcs, true);
  const report::FileData& file = branch.files.at(kFile);
  ASSERT_EQ(file.arcs.size(), 1u);
  EXPECT_EQ(branch.contexts[file.arcs.begin()->first], "static|qd:cpu");
  EXPECT_EQ(file.executed_arcs(), (std::vector<Arc>{{-1, 2}, {-1, 4}, {2, 4}, {4, -1}}));

  report::CoverageData line = to_coverage_data(hits, {}, {}, {.branch = false, .relative_to = ""});
  EXPECT_EQ(line.has_arcs, false);
  EXPECT_EQ(line.files.at(kFile).executed_lines().lines(), (std::vector<int32_t>{2, 4}));
  EXPECT_EQ(line.contexts, (std::vector<std::string>{"", "static|qd:cpu"}));
}

TEST(ToCoverageData, PathsBelowTheFolderBecomeRelative) {
  std::map<std::string, Arcs> hits{{"", {{"/project/a/k.py", {{-1, 2}}}, {"/projects/k.py", {{-1, 2}}}}}};
  report::CoverageData data = to_coverage_data(hits, {}, {}, {.branch = true, .relative_to = "/project"});
  EXPECT_TRUE(data.files.contains("a/k.py"));
  EXPECT_TRUE(data.files.contains("/projects/k.py"));
}

}  // namespace
}  // namespace qd::instrument
