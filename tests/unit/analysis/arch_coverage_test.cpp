// Coverage by device, of the code that each can run. Lines of the source are those of its literals.
#include "report/analysis/kernels/arch_coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qd::report {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string kSource =
    "import qd\n"
    "\n"
    "@qd.kernel\n"
    "def step(x):\n"
    "    a = 5\n"
    "    if x < 0:\n"
    "        a = 7\n"
    "    return a\n"
    "\n"
    "def host(): return 10\n";

/// Lines by context; `compiled`: for these devices, of which the data says so.
CoverageData measured(const std::vector<std::pair<std::string, std::vector<int32_t>>>& ran,
                      const std::vector<std::string>& compiled = {}) {
  CoverageData data;
  data.has_arcs = false;
  for (const auto& [context, lines] : ran)
    for (int32_t line : lines) data.add_line("k.py", line, data.context_id(context));
  for (const std::string& arch : compiled) data.files["k.py"].kernel_functions[{3, "step", true, arch}];
  return data;
}

std::vector<ArchCoverage> coverage_of(const CoverageData& data, const Analysis& analysis) {
  return arch_coverage(analysis, data.files.at("k.py"), data.contexts, measured_archs(data));
}

Analysis analysis_of(const CoverageData& data) {
  AnalysisOptions options;
  options.arcs = false;
  options.kernels = has_kernel_tables(data);
  options.regions = true;
  return analyze("k.py", "k.py", analyze_source(kSource, "k.py", Exclusions{{}, {}, {}}, options),
                 data.files.at("k.py"), false);
}

TEST(ArchCoverage, DevicesOfTheData) {
  EXPECT_THAT(measured_archs(measured({{"", {1}}, {"a|qd:", {2}}})), IsEmpty()) << "there is nothing to tell apart";
  CoverageData data = measured({{"t|qd:vulkan", {5}}, {"", {1}}, {"qd:cpu", {5}}, {"qd", {1}}}, {"cuda"});
  EXPECT_THAT(measured_archs(data), ElementsAre("host", "cpu", "cuda", "vulkan"));
  EXPECT_THAT(measured_archs(data, std::set<ContextId>{data.context_id("qd:cpu")}), ElementsAre("cpu"));
}

TEST(ArchCoverage, EachRunsWhatItCan) {
  CoverageData data = measured({{"", {1, 3, 4}}, {"qd:cpu", {5, 6, 8}}, {"qd:vulkan", {5, 7}}}, {"cpu", "vulkan"});
  Analysis analysis = analysis_of(data);
  std::vector<ArchCoverage> archs = coverage_of(data, analysis);
  ASSERT_EQ(archs.size(), 3u);
  EXPECT_THAT(archs[0].part().executed, ElementsAre(1, 3, 4));
  EXPECT_THAT(archs[0].part().missing, ElementsAre(10));
  EXPECT_THAT(archs[1].part().missing, ElementsAre(7));
  EXPECT_THAT(archs[2].part().missing, ElementsAre(6, 8));
}

TEST(ArchCoverage, AKernelThatRanAsPythonIsTheHostsToo) {
  CoverageData data = measured({{"", {1, 3, 4, 5, 6, 8}}, {"qd:cpu", {5}}}, {"cpu"});
  Analysis analysis = analysis_of(data);
  std::vector<ArchCoverage> archs = coverage_of(data, analysis);
  EXPECT_THAT(archs[0].part().missing, ElementsAre(7, 10));
  EXPECT_THAT(archs[1].part().missing, ElementsAre(6, 7, 8));
  EXPECT_THAT(arch_gaps(archs), IsEmpty()) << "the host is no device";
}

TEST(ArchCoverage, WhatDidRunSomewhereCountsThere) {
  CoverageData data = measured({{"", {1, 3}}, {"qd:cpu", {4, 5}}}, {"cpu"});
  Analysis analysis = analysis_of(data);
  std::vector<ArchCoverage> archs = coverage_of(data, analysis);
  EXPECT_THAT(archs[0].part().missing, ElementsAre(4, 10));
  EXPECT_THAT(archs[1].part().executed, ElementsAre(4, 5));
}

TEST(ArchCoverage, WithoutTablesWhatRanOnADeviceIsAKernel) {
  CoverageData data = measured({{"", {1, 3, 4}}, {"qd:cpu", {5}}});
  Analysis analysis = analysis_of(data);
  EXPECT_THAT(coverage_of(data, analysis)[1].part().missing, ElementsAre(6, 7, 8));
}

TEST(ArchCoverage, AFileWithoutKernelsIsTheHosts) {
  CoverageData data = measured({{"", {1, 3, 4, 5}}});
  data.add_line("other.py", 1, data.context_id("qd:cpu"));
  Analysis analysis = analysis_of(data);
  std::vector<ArchCoverage> archs = coverage_of(data, analysis);
  EXPECT_THAT(archs[0].part().missing, ElementsAre(6, 7, 8, 10));
  EXPECT_THAT(archs[1].lines, IsEmpty());
}

TEST(ArchCoverage, Gaps) {
  CoverageData data =
      measured({{"qd:cpu", {5, 6, 8}}, {"qd:cuda", {5, 6}}, {"qd:vulkan", {5, 7}}}, {"cpu", "cuda", "vulkan"});
  Analysis analysis = analysis_of(data);
  std::vector<ArchCoverage> archs = coverage_of(data, analysis);
  auto texts = [&](const std::vector<std::string>& required) {
    std::vector<std::string> result;
    for (const ArchGap& gap : arch_gaps(archs, required)) {
      result.push_back(gap.words() + ":");
      for (int32_t line : gap.lines) result.back() += " " + std::to_string(line);
    }
    return result;
  };
  EXPECT_THAT(texts({}),
              ElementsAre("covered on cpu, never on cuda, vulkan: 8", "covered on cpu, cuda, never on vulkan: 6",
                          "covered on vulkan, never on cpu, cuda: 7"));
  EXPECT_THAT(texts({"cuda"}), ElementsAre("covered on cpu, never on cuda: 8", "covered on vulkan, never on cuda: 7"));
}

}  // namespace
}  // namespace qd::report
