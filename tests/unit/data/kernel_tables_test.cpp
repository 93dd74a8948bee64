// Tables of kernels survive writing, reading and combining.
#include "report/data/data_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/data/scratch_folder.h"

namespace qd::report {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

const KernelFunction kSaxpy{3, "saxpy", true, "cpu"};
const SourceRange kTest{5, 7, 5, 22};

/// One kernel with a decision of two conditions, measured under `context`.
CoverageData kernel_data(const std::string& context, const Evaluation& evaluation) {
  CoverageData data;
  ContextId id = data.context_id(context);
  data.add_arc("k.py", {-3, 5}, id);
  FileData& file = data.files["k.py"];
  Probes& probes = file.kernel_functions[kSaxpy];
  probes.measured = {{-3, 5}, {5, 6}};
  probes.left_out = {{5, 7}};
  probes.errors = {"k.py:9: no such name: y"};
  MeasuredDecision& decision = file.decisions[kTest];
  decision = {3, "if", {{5, 7, 5, 12}, {5, 17, 5, 22}}, {{id, {evaluation}}}};
  return data;
}

class KernelTables : public qd::testing::ScratchFolder {};

TEST_F(KernelTables, ComeBackFromAFile) {
  CoverageData data = kernel_data("a|qd:cpu", {"T-", 'T'});
  data.files.try_emplace("a.py");  // so that the file's id is not 1
  write_data(path("data"), data);
  CoverageData read = read_data(path("data"));
  const FileData& file = read.files["k.py"];
  ASSERT_EQ(file.kernel_functions.size(), 1u);
  const auto& [function, probes] = *file.kernel_functions.begin();
  EXPECT_EQ(function, kSaxpy);
  EXPECT_THAT(probes.measured, ElementsAre(Arc{-3, 5}, Arc{5, 6}));
  EXPECT_THAT(probes.left_out, ElementsAre(Arc{5, 7}));
  EXPECT_THAT(probes.errors, ElementsAre("k.py:9: no such name: y"));
  ASSERT_EQ(file.decisions.size(), 1u);
  const auto& [range, decision] = *file.decisions.begin();
  EXPECT_EQ(range, kTest);
  EXPECT_EQ(decision.kind, "if");
  EXPECT_EQ(decision.first_line, 3);
  EXPECT_THAT(decision.conditions, ElementsAre(SourceRange{5, 7, 5, 12}, SourceRange{5, 17, 5, 22}));
  EXPECT_THAT(decision.evaluations, ElementsAre(Pair(read.context_id("a|qd:cpu"), ElementsAre(Evaluation{"T-", 'T'}))));
}

TEST_F(KernelTables, AreNotMadeForHostData) {
  CoverageData data;
  data.add_line("a.py", 1);
  write_data(path("data"), data);
  Database database = Database::open_to_read(path("data"));
  Statement tables(database, "SELECT count(*) FROM sqlite_master WHERE name LIKE 'qd_%'");
  ASSERT_TRUE(tables.step());
  EXPECT_EQ(tables.integer(0), 0);
}

TEST(KernelData, IsJoinedByPlaceAndContext) {
  CoverageData data = kernel_data("a", {"T-", 'T'});
  data.update(kernel_data("b", {"FF", 'F'}));
  data.update(kernel_data("a", {"FT", 'T'}));
  const FileData& file = data.files["k.py"];
  EXPECT_EQ(file.kernel_functions.size(), 1u);
  EXPECT_THAT(
      file.decisions.at(kTest).evaluations,
      UnorderedElementsAre(Pair(data.context_id("a"), ElementsAre(Evaluation{"FT", 'T'}, Evaluation{"T-", 'T'})),
                           Pair(data.context_id("b"), ElementsAre(Evaluation{"FF", 'F'}))));
}

TEST(KernelData, OfASourceThatChangedInBetweenIsNotMixed) {
  CoverageData data = kernel_data("a", {"T-", 'T'});
  CoverageData other = kernel_data("a", {"FF", 'F'});
  other.files["k.py"].decisions[kTest].conditions[1].col = 18;
  data.update(other);
  EXPECT_THAT(data.files["k.py"].decisions.at(kTest).evaluations.at(1), ElementsAre(Evaluation{"T-", 'T'}));
}

}  // namespace
}  // namespace qd::report
