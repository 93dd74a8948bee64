// Catalogue of compiled kernels, launched or not: in the data and in the journal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "instrument/session.h"
#include "recorded.h"
#include "report/data/journal.h"
#include "runtime/ir/builder.h"
#include "tests/unit/data/scratch_folder.h"
#include "two_arcs.h"

namespace qd::instrument {
namespace {

using report::Arc;
using report::KernelFunction;
using report::Probes;
using ::testing::ElementsAre;
using testing::hits;
using ::testing::IsEmpty;
using testing::kFile;
using testing::launch;
using testing::save_nowhere;
using testing::two_arcs;

const KernelFunction kKernel{1, "k", true, "cpu"};
const KernelFunction kFunc{20, "half", false, "cpu"};
const ir::Function kBroken{kFile, "broken", 40};

Probes probes(const report::CoverageData& data, const KernelFunction& function) {
  return data.files.at(kFile).kernel_functions.at(function);
}

/// two_arcs, which also inlines a func whose line 21 starts with the task.
ir::Kernel with_func() {
  ir::Kernel kernel = two_arcs();
  kernel.functions.push_back({kFile, "half", 20});
  kernel.probes.push_back({1, -20, 21});
  kernel.tasks[0].start_probes.push_back(2);
  return kernel;
}

TEST(Catalogue, KnowsKernelsAndFuncsThatNobodyLaunched) {
  Session session;
  ir::Kernel kernel = with_func();
  auto variant = session.lower_probes(kernel, "cpu");
  EXPECT_THAT(probes(session.data(), kKernel).measured, ElementsAre(Arc{-1, 2}, Arc{2, -1}));
  EXPECT_THAT(probes(session.data(), kFunc).measured, ElementsAre(Arc{-20, 21}));
  EXPECT_TRUE(hits(session).empty());
}

TEST(Catalogue, JoinsVariants) {
  Session session;
  ir::Kernel first = two_arcs(), second = two_arcs();
  second.probes[1].to = 3;
  session.lower_probes(first, "cpu");
  session.lower_probes(second, "cpu");
  EXPECT_THAT(probes(session.data(), kKernel).measured, ElementsAre(Arc{-1, 2}, Arc{2, -1}, Arc{2, 3}));
}

TEST(Catalogue, LeavesOutWhatTheCodeNeverTakes) {
  Session session;
  ir::Kernel kernel = two_arcs();
  // Code behind a Break is there, and never runs.
  ir::BlockId loop = kernel.add_block();
  ir::Builder build(kernel, loop);
  build.inst(ir::Op::Break, ir::Type::Void);
  build.inst(ir::Op::Probe, ir::Type::Void, {}, 2);
  kernel.probes.push_back({0, -1, 9});
  ir::InstId id = ir::Builder(kernel, kernel.tasks[0].body).inst(ir::Op::Loop, ir::Type::Void);
  kernel[id].blocks[0] = loop;
  auto variant = session.lower_probes(kernel, "cpu");
  EXPECT_THAT(probes(session.data(), kKernel).measured, ElementsAre(Arc{-1, 2}, Arc{2, -1}));
}

TEST(Catalogue, KnowsWhyAKernelDoesNotCompile) {
  Session session;
  session.compile_failed(kBroken, "k.py:42: no such name", "cpu");
  session.compile_failed(kBroken, "k.py:42: no such name", "cpu");
  session.compile_failed(kBroken, "k.py:43: another", "cpu");
  const KernelFunction broken{40, "broken", true, "cpu"};
  EXPECT_THAT(probes(session.data(), broken).errors, ElementsAre("k.py:42: no such name", "k.py:43: another"));
  EXPECT_THAT(probes(session.data(), broken).measured, IsEmpty());
}

TEST(Catalogue, IsForgottenWithTheHitsUntilTheCodeRunsAgain) {
  Session session;
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  session.compile_failed(kBroken, "text", "cpu");
  session.forget();
  EXPECT_TRUE(session.data().files.empty());
  launch(*variant, kernel);
  EXPECT_THAT(probes(session.data(), kKernel).measured, ElementsAre(Arc{-1, 2}, Arc{2, -1}));
}

TEST(Catalogue, KnowsNothingOfWhatIsCompiledWhilePaused) {
  Session session;
  session.pause(true);
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  session.compile_failed(kBroken, "text", "cpu");
  launch(*variant, kernel);
  EXPECT_TRUE(session.data().files.empty());
  session.pause(false);
  launch(*variant, kernel, false);
  EXPECT_THAT(probes(session.data(), kKernel).measured, ElementsAre(Arc{-1, 2}, Arc{2, -1}));
}

TEST(Catalogue, BecomesData) {
  Session session;
  ir::Kernel kernel = with_func();
  auto variant = session.lower_probes(kernel, "cpu");
  report::CoverageData branch = session.data({.branch = true, .relative_to = "/project"});
  EXPECT_THAT(branch.files.at("kernels.py").kernel_functions.at(kKernel).measured, ElementsAre(Arc{-1, 2}, Arc{2, -1}));
  EXPECT_THAT(branch.files.at("kernels.py").kernel_functions.at(kFunc).measured, ElementsAre(Arc{-20, 21}));
  report::CoverageData line = session.data({.branch = false, .relative_to = ""});
  EXPECT_THAT(line.files.at(kFile).kernel_functions.at(kKernel).measured, ElementsAre(Arc{-1, 2}))
      << "line data has no edges";
}

class CatalogueFile : public qd::testing::ScratchFolder {};

TEST_F(CatalogueFile, IsInTheJournalAsItIsInTheData) {
  for (bool branch : {true, false}) {
    Session session({path(""), branch, "/project"}, "", {.max_probes = 2});
    ir::Kernel kernel = with_func();  // its third arc is one too many
    auto variant = session.lower_probes(kernel, "cpu");
    session.compile_failed(kBroken, "k.py:42: no such name", "cpu");
    launch(*variant, kernel, false);
    auto journal = std::filesystem::directory_iterator(path(""))->path().string();
    report::CoverageData read = report::read_journal(journal);
    report::CoverageData written = session.data({.branch = branch, .relative_to = "/project"});
    ASSERT_EQ(read.files.size(), 1u);
    const auto& ours = read.files.at("kernels.py").kernel_functions;
    const auto& theirs = written.files.at("kernels.py").kernel_functions;
    ASSERT_EQ(ours.size(), 3u);
    for (const auto& [function, probes] : theirs) {
      EXPECT_EQ(ours.at(function).measured, probes.measured);
      EXPECT_EQ(ours.at(function).left_out, probes.left_out);
      EXPECT_EQ(ours.at(function).errors, probes.errors);
    }
    EXPECT_THAT(ours.at(kFunc).left_out, ElementsAre(Arc{-20, 21}));
    EXPECT_EQ(ours.at(kKernel).measured.size(), branch ? 2u : 1u);
    save_nowhere(session);
  }
}

}  // namespace
}  // namespace qd::instrument
