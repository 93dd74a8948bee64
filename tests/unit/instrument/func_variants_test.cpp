// Variants of a func in one kernel are told apart, up to a number of them.
#include "instrument/lower_probes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrument/journal.h"
#include "instrument/session.h"
#include "report/data/journal_data.h"
#include "two_arcs.h"

namespace qd::instrument {
namespace {

using report::Arc;
using report::KernelFunction;
using report::VariantName;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Key;
using testing::kFile;
using testing::launch;
using testing::two_arcs;

const KernelFunction kFunc{20, "half", false, "cpu"};

/// two_arcs, which calls a func for so many kinds of arguments: line 21 starts with the task, line 22 is reached at the
/// end.
ir::Kernel calling(uint32_t variants, const std::string& file = kFile) {
  ir::Kernel kernel = two_arcs();
  kernel.functions.push_back({file, "half", 20});
  for (uint32_t i = 0; i < variants; ++i) {
    kernel.variants.push_back("n=" + std::to_string(i));
    for (int32_t line : {21, 22}) {
      auto& list = line == 21 ? kernel.tasks[0].start_probes : kernel.end_probes;
      list.push_back(static_cast<uint32_t>(kernel.probes.size()));
      kernel.probes.push_back({1, -20, line, i});
    }
  }
  return kernel;
}

std::map<VariantName, report::KernelVariant> variants(const report::CoverageData& data,
                                                      const std::string& file = kFile) {
  return data.files.at(file).kernel_functions.at(kFunc).variants;
}

TEST(FuncVariants, HaveTheirArcsAndWhatWasTaken) {
  Session session;
  ir::Kernel kernel = calling(2);
  kernel.probes.back().to = 23;  // of n=1 alone
  auto variant = session.lower_probes(kernel, "cpu");
  launch(*variant, kernel, false);
  const auto found = variants(session.data());
  EXPECT_THAT(found, ElementsAre(Key(VariantName{"n=0", "k"}), Key(VariantName{"n=1", "k"})));
  EXPECT_THAT(found.at({"n=0", "k"}).measured, ElementsAre(Arc{-20, 21}, Arc{-20, 22}));
  EXPECT_THAT(found.at({"n=1", "k"}).measured, ElementsAre(Arc{-20, 21}, Arc{-20, 23}));
  for (const auto& [name, one] : found) EXPECT_THAT(one.taken, ElementsAre(Arc{-20, 21}));
  launch(*variant, kernel);
  EXPECT_THAT(variants(session.data()).at({"n=0", "k"}).taken, ElementsAre(Arc{-20, 21}, Arc{-20, 22}));
}

TEST(FuncVariants, AreOfAKernel) {
  Session session;
  ir::Kernel here = calling(1), there = calling(1), alike = calling(0);
  there.functions[0] = {"/project/more.py", "k", 1};
  alike.functions[0].name = "other";
  alike.probes.push_back({1, -20, 21});
  alike.tasks[0].start_probes.push_back(2);
  for (ir::Kernel* kernel : {&here, &there, &alike}) session.lower_probes(*kernel, "cpu");
  EXPECT_THAT(variants(session.data()), ElementsAre(Key(VariantName{"", "other"}), Key(VariantName{"n=0", "k"}),
                                                    Key(VariantName{"n=0", "k (more.py)"})));
}

TEST(FuncVariants, AreOneWhereTheyAreMany) {
  for (const uint32_t many : {kMostFuncVariants, kMostFuncVariants + 1}) {
    Session session;
    ir::Kernel kernel = calling(many);
    session.lower_probes(kernel, "cpu");
    const auto found = variants(session.data());
    if (many == kMostFuncVariants)
      EXPECT_EQ(found.size(), many);
    else
      EXPECT_THAT(found, ElementsAre(Key(VariantName{"9 different sets of arguments", "k"})));
  }
}

TEST(FuncVariants, AreUnknownInOlderJournals) {
  Journal journal({"", true, ""});
  const std::vector<report::JournalFunction> functions{{kFile, {1, "k", true, "cpu"}}, {kFile, kFunc}};
  const std::vector<report::JournalArc> arcs{{0, {-1, 2}}, {1, {-20, 21}}};
  const uint32_t variant = journal.add_variant(functions, arcs, {});
  journal.add_hits(variant, arcs.size(), "").set(1);
  const std::string image = journal.image();
  report::JournalRecords records(image);
  report::JournalData data({});
  data.add(records);
  EXPECT_EQ(records.damage(), "");
  const report::CoverageData read = data.take();
  EXPECT_THAT(variants(read), IsEmpty());
  EXPECT_THAT(read.files.at(kFile).kernel_functions.at(kFunc).measured, ElementsAre(Arc{-20, 21}));
}

}  // namespace
}  // namespace qd::instrument
