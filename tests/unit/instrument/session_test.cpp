// What a session keeps of its variants, and how it becomes data.
#include "instrument/session.h"

#include <gtest/gtest.h>

#include "random_kernel.h"

namespace qd::instrument {
namespace {

using report::Arc;

/// One serial task whose start takes (-1, 2), and an end that takes (2, -1).
ir::Kernel two_probes() {
  ir::Kernel kernel;
  kernel.functions.push_back({"/project/kernels.py", "k", 1});
  kernel.probes = {{0, -1, 2}, {0, 2, -1}};
  ir::Task task;
  task.body = kernel.add_block();
  task.start_probes = {0};
  kernel.tasks.push_back(task);
  kernel.end_probes = {1};
  return kernel;
}

void launch(VariantObserver& variant, const ir::Kernel& kernel, bool to_the_end) {
  uint64_t* counters = variant.counters();
  ++counters[kernel.tasks[0].start_counter];
  if (to_the_end) ++counters[kernel.end_counter];
  variant.launch_done();
}

TEST(Session, KnowsWhatFinishedLaunchesTook) {
  Session session;
  ir::Kernel kernel = two_probes();
  auto variant = session.lower_probes(kernel);
  EXPECT_TRUE(session.arcs().empty());
  launch(*variant, kernel, false);
  EXPECT_EQ(session.arcs().at("/project/kernels.py"), (std::set<Arc>{{-1, 2}}));
  launch(*variant, kernel, true);
  EXPECT_EQ(session.arcs().at("/project/kernels.py"), (std::set<Arc>{{-1, 2}, {2, -1}}));
}

TEST(Session, KeepsTheHitsOfAVariantThatIsGone) {
  Session session;
  {
    ir::Kernel kernel = two_probes();
    auto variant = session.lower_probes(kernel);
    launch(*variant, kernel, true);
  }
  EXPECT_EQ(session.arcs().at("/project/kernels.py").size(), 2u);
}

TEST(Session, ForgetsEverythingForTheChildOfAFork) {
  Session session;
  ir::Kernel gone = two_probes();
  launch(*session.lower_probes(gone), gone, true);
  ir::Kernel kernel = two_probes();
  auto variant = session.lower_probes(kernel);
  launch(*variant, kernel, true);
  session.forget();
  EXPECT_TRUE(session.arcs().empty());
  launch(*variant, kernel, false);
  EXPECT_EQ(session.arcs().at("/project/kernels.py").size(), 1u);
}

TEST(ToCoverageData, WritesArcsOrLines) {
  std::map<std::string, std::set<Arc>> arcs{{"/project/kernels.py", {{-1, 2}, {-1, 4}, {2, 4}, {4, -1}}}};
  report::CoverageData branch = to_coverage_data(arcs, {});
  EXPECT_EQ(branch.has_arcs, true);
  const report::FileData& file = branch.files.at("/project/kernels.py");
  ASSERT_EQ(file.arcs.size(), 1u);
  EXPECT_EQ(branch.contexts[file.arcs.begin()->first], "qd:cpu");
  EXPECT_EQ(file.executed_arcs(), (std::vector<Arc>{{-1, 2}, {-1, 4}, {2, 4}, {4, -1}}));

  DataOptions lines;
  lines.branch = false;
  lines.context = "static|qd:cpu";
  report::CoverageData line = to_coverage_data(arcs, lines);
  EXPECT_EQ(line.has_arcs, false);
  EXPECT_EQ(line.files.at("/project/kernels.py").executed_lines().lines(), (std::vector<int32_t>{2, 4}));
  EXPECT_EQ(line.contexts, (std::vector<std::string>{"", "static|qd:cpu"}));
}

TEST(ToCoverageData, PathsBelowTheFolderBecomeRelative) {
  std::map<std::string, std::set<Arc>> arcs{{"/project/a/k.py", {{-1, 2}}}, {"/projects/k.py", {{-1, 2}}}};
  DataOptions options;
  options.relative_to = "/project";
  report::CoverageData data = to_coverage_data(arcs, options);
  EXPECT_TRUE(data.files.contains("a/k.py"));
  EXPECT_TRUE(data.files.contains("/projects/k.py"));
}

}  // namespace
}  // namespace qd::instrument
