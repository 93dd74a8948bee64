// Sessions that measure decisions: their evaluations by context, and the records of their journal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "instrument/session.h"
#include "recorded.h"
#include "report/data/journal.h"
#include "tests/unit/data/scratch_folder.h"
#include "two_arcs.h"

namespace qd::instrument {
namespace {

using report::Evaluation;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kFile;
using ::testing::SizeIs;

const SourceRange kRange{2, 7, 2, 14};
const Evaluation kFirstFalse{"F-", 'F'}, kSecondFalse{"TF", 'F'}, kTrue{"TT", 'T'};

/// `if a and b` in line 2, beside the two arcs.
ir::Kernel with_decision() {
  ir::Kernel kernel = testing::two_arcs();
  kernel.decisions.push_back(
      {0,
       "if",
       {2, 7, 2, 14},
       {{{2, 7, 2, 8}, 1, ir::Decision::kFalse}, {{2, 13, 2, 14}, ir::Decision::kTrue, ir::Decision::kFalse}}});
  return kernel;
}

/// A launch that evaluates the decision in each of some ways, by their bits.
void launch(VariantObserver& variant, const ir::Kernel& kernel, uint64_t ways) {
  const VariantObserver::Counters counters = variant.begin(kDefaultStream);
  ++counters.words[kernel.tasks[0].start_counter];
  ++counters.words[kernel.end_counter];
  counters.words[kernel.counters - 1] |= ways;
  variant.launch_done(counters.id, counters.words);
}

report::MeasuredDecision decision_of(Session& session) { return session.data().files.at(kFile).decisions.at(kRange); }
auto evaluations(Session& session) { return testing::evaluations(session.data(), kFile, kRange); }

TEST(SessionDecisions, AreKnownBeforeTheyAreEvaluated) {
  Session session({}, "", {.conditions = true});
  EXPECT_TRUE(ir::has(session.instruments(), ir::Instrument::Conditions));
  EXPECT_FALSE(ir::has(Session().instruments(), ir::Instrument::Conditions));
  ir::Kernel kernel = with_decision();
  auto variant = session.lower_probes(kernel, "cpu");
  const report::MeasuredDecision decision = decision_of(session);
  EXPECT_EQ(decision.kind, "if");
  EXPECT_EQ(decision.first_line, 1);
  EXPECT_THAT(decision.conditions, ElementsAre(SourceRange{2, 7, 2, 8}, SourceRange{2, 13, 2, 14}));
  EXPECT_THAT(decision.evaluations, IsEmpty());
}

TEST(SessionDecisions, BelongToTheContextOfTheirLaunch) {
  Session session({}, "a", {.conditions = true});
  ir::Kernel kernel = with_decision();
  auto variant = session.lower_probes(kernel, "cpu");
  launch(*variant, kernel, 1);
  session.switch_context("b");
  launch(*variant, kernel, 4);
  launch(*variant, kernel, 4);
  session.switch_context("c");
  EXPECT_THAT(evaluations(session), SizeIs(2));
  EXPECT_THAT(evaluations(session).at("a|qd:cpu"), ElementsAre(kFirstFalse));
  EXPECT_THAT(evaluations(session).at("b|qd:cpu"), ElementsAre(kTrue));
}

TEST(SessionDecisions, ALaunchIsOfInterestUntilAllWaysWereSeen) {
  Session session({}, "", {.conditions = true});
  ir::Kernel kernel = with_decision();
  auto variant = session.lower_probes(kernel, "cpu");
  launch(*variant, kernel, 1 | 4);
  EXPECT_FALSE(variant->all_taken()) << "all arcs, but not all ways";
  launch(*variant, kernel, 2);
  EXPECT_TRUE(variant->all_taken());
  EXPECT_THAT(evaluations(session).at("qd:cpu"), ElementsAre(kFirstFalse, kSecondFalse, kTrue));
}

TEST(SessionDecisions, AreForgottenWithTheHits) {
  Session session({}, "", {.conditions = true});
  ir::Kernel kernel = with_decision();
  auto variant = session.lower_probes(kernel, "cpu");
  launch(*variant, kernel, 1);
  session.forget();
  EXPECT_THAT(session.data().files, IsEmpty());
  launch(*variant, kernel, 2);
  EXPECT_THAT(evaluations(session).at("qd:cpu"), ElementsAre(kSecondFalse));
}

class DecisionsFile : public qd::testing::ScratchFolder {};

TEST_F(DecisionsFile, AreInTheJournalAsTheyAreInTheData) {
  for (bool branch : {true, false}) {
    Session session({path(""), branch, "/project"}, "a", {.conditions = true});
    ir::Kernel kernel = with_decision();
    auto variant = session.lower_probes(kernel, "cpu");
    launch(*variant, kernel, 1 | 2);
    session.switch_context("b");
    launch(*variant, kernel, 4);
    report::CoverageData read = report::read_journal(std::filesystem::directory_iterator(path(""))->path().string());
    report::CoverageData written = session.data({.branch = branch, .relative_to = "/project"});
    for (const report::CoverageData& data : {read, written}) {
      const auto& decisions = data.files.at("kernels.py").decisions;
      ASSERT_THAT(decisions, SizeIs(1));
      const report::MeasuredDecision& decision = decisions.at(kRange);
      EXPECT_EQ(decision.kind, "if");
      EXPECT_EQ(decision.first_line, 1);
      EXPECT_THAT(decision.conditions, SizeIs(2));
      ASSERT_THAT(decision.evaluations, SizeIs(2));
      for (const auto& [context, evaluations] : decision.evaluations) {
        if (data.contexts.at(context) == "a|qd:cpu") {
          EXPECT_THAT(evaluations, ElementsAre(kFirstFalse, kSecondFalse));
        } else {
          EXPECT_EQ(data.contexts.at(context), "b|qd:cpu");
          EXPECT_THAT(evaluations, ElementsAre(kTrue));
        }
      }
    }
    testing::save_nowhere(session);
  }
}

}  // namespace
}  // namespace qd::instrument
