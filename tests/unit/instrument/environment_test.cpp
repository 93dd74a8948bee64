// Environment variables of kernel coverage.
#include "instrument/environment.h"

#include <gtest/gtest.h>

#include <map>

namespace qd::instrument {
namespace {

CoverageSettings settings(std::map<std::string, std::string> variables) {
  return coverage_settings(
      [variables](const std::string& name) { return variables.contains(name) ? variables.at(name) : ""; });
}

TEST(CoverageSettings, NothingIsSaid) {
  for (const std::map<std::string, std::string>& variables :
       {std::map<std::string, std::string>{}, {{"QD_KERNEL_COVERAGE", ""}, {"QD_KERNEL_COVERAGE_BRANCH", ""}}}) {
    const CoverageSettings nothing = settings(variables);
    EXPECT_FALSE(nothing.on);
    EXPECT_EQ(nothing.folder + nothing.file, "");
    EXPECT_EQ(nothing.branch, std::nullopt);
    EXPECT_EQ(nothing.conditions, std::nullopt);
    EXPECT_EQ(nothing.gradients, std::nullopt);
  }
}

TEST(CoverageSettings, ZeroIsNo) {
  const CoverageSettings no = settings({{"QD_KERNEL_COVERAGE", "0"},
                                        {"QD_KERNEL_COVERAGE_BRANCH", "0"},
                                        {"QD_KERNEL_COVERAGE_CONDITIONS", "0"},
                                        {"QD_KERNEL_COVERAGE_GRADIENTS", "0"}});
  EXPECT_FALSE(no.on);
  EXPECT_EQ(no.branch, false);
  EXPECT_EQ(no.conditions, false);
  EXPECT_EQ(no.gradients, false);
}

TEST(CoverageSettings, EverythingElseIsYes) {
  const CoverageSettings yes = settings({{"QD_KERNEL_COVERAGE", "yes"},
                                         {"QD_KERNEL_COVERAGE_DIR", "a/b"},
                                         {"QD_KERNEL_COVERAGE_FILE", ".coverage"},
                                         {"QD_KERNEL_COVERAGE_BRANCH", "1"},
                                         {"QD_KERNEL_COVERAGE_CONDITIONS", "00"}});
  EXPECT_TRUE(yes.on);
  EXPECT_EQ(yes.folder, "a/b");
  EXPECT_EQ(yes.file, ".coverage");
  EXPECT_EQ(yes.branch, true);
  EXPECT_EQ(yes.conditions, true);
}

}  // namespace
}  // namespace qd::instrument
