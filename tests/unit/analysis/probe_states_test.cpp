// Not hit, not measured (and why) and not compiled are told apart. Lines of the source are those of its literals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/analysis/kernels/probe_hits.h"
#include "report/data/producers.h"

namespace qd::report {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

const std::string kSource =
    "import qd\n"
    "\n"
    "@qd.kernel\n"
    "def step(fast: qd.template(), x):\n"
    "    a = 5\n"
    "    if qd.static(fast):\n"
    "        a = (\n"
    "            7)\n"
    "    else:\n"
    "        a = 10\n"
    "    if x < 0:\n"
    "        a = 12\n"
    "    return a\n"
    "\n"
    "@qd.kernel\n"
    "def never(): pass\n"
    "\n"
    "@qd.func\n"
    "def broken():\n"
    "    return nothing\n"
    "\n"
    "def host(): return 22\n";

const KernelFunction kStep{3, "step", true, "cpu"};
const KernelFunction kBroken{18, "broken", false, "cpu"};

/// `step` was compiled with fast=True, and ran with x >= 0 in a test.
CoverageData measured(bool branch = true) {
  CoverageData data;
  data.has_arcs = branch;
  FileData& file = data.files["k.py"];
  Probes& step = file.kernel_functions[kStep];
  step.measured = {{-3, 5}, {-3, 6}, {-3, 7}, {-3, 11}, {-3, 13}, {6, 7}, {11, 12}, {11, 13}};
  step.left_out = {{-3, 12}};
  file.kernel_functions[kBroken].errors = {"k.py:20: no such name: nothing"};
  ContextId test = data.context_id("t.py::test_a|run|qd:cpu");
  for (const Arc& arc : {Arc{-3, 5}, Arc{-3, 6}, Arc{-3, 7}, Arc{-3, 11}, Arc{-3, 13}, Arc{6, 7}, Arc{11, 13}}) {
    if (branch)
      data.add_arc("k.py", arc, test);
    else if (is_line(arc))
      data.add_line("k.py", arc.to, test);
  }
  for (int32_t line : {1, 4, 16, 19, 22}) {  // lines that importing it runs
    if (branch)
      data.add_arc("k.py", {-1, line});
    else
      data.add_line("k.py", line);
  }
  return data;
}

Analysis analysis_of(const CoverageData& data, const std::string& text = kSource) {
  AnalysisOptions options;
  options.arcs = *data.has_arcs;
  options.kernels = true;
  return analyze("k.py", "k.py", analyze_source(text, "k.py", Exclusions{{}, {}, {}}, options), data.files.at("k.py"),
                 *data.has_arcs);
}

std::vector<std::string> states(const std::vector<ProbeHits>& list) {
  std::vector<std::string> result;
  for (const ProbeHits& probe : list) {
    std::string text = is_line(probe.arc) ? "" : std::to_string(probe.arc.from) + "->";
    text += std::to_string(probe.arc.to) + " " + name(probe.state);
    if (*reason(probe.state)) text += std::string(" ") + reason(probe.state);
    result.push_back(text);
  }
  return result;
}

TEST(ProbeStates, OfEachLineAndBranch) {
  CoverageData data = measured();
  Analysis analysis = analysis_of(data);
  std::vector<FunctionHits> hits = function_hits(analysis, data.files["k.py"], data.contexts);
  ASSERT_EQ(hits.size(), 3u);
  EXPECT_THAT(states(hits[0].lines), ElementsAre("5 hit", "6 hit", "7 hit", "10 not measured static", "11 hit",
                                                 "12 not measured cap", "13 hit"));
  EXPECT_THAT(states(hits[0].branches),
              ElementsAre("6->7 hit", "6->10 not measured static", "11->12 not hit", "11->13 hit"));
  EXPECT_THAT(states(hits[1].lines), ElementsAre("16 not compiled")) << "its def ran, on the same line";
  EXPECT_THAT(states(hits[2].lines), ElementsAre("20 not measured error"));
  EXPECT_EQ(hits[2].function->explain(hits[2].lines[0].state), "does not compile: k.py:20: no such name: nothing");
}

TEST(ProbeStates, ByDeviceAndContext) {
  CoverageData data = measured();
  FileData& file = data.files["k.py"];
  file.kernel_functions[{3, "step", true, "cuda"}].measured = {{-3, 5}, {-3, 10}};
  data.add_arc("k.py", {-3, 10}, data.context_id("qd:cuda"));
  Analysis analysis = analysis_of(data);
  FunctionHits step = function_hits(analysis, file, data.contexts)[0];
  EXPECT_THAT(step.archs, ElementsAre("cpu", "cuda"));
  EXPECT_EQ(step.lines[0].archs.at("cpu"), ProbeState::Hit);
  EXPECT_EQ(step.lines[0].archs.at("cuda"), ProbeState::NotHit);
  EXPECT_EQ(step.lines[0].state, ProbeState::Hit);
  EXPECT_THAT(step.lines[0].contexts, ElementsAre(data.context_id("t.py::test_a|run|qd:cpu")));
  EXPECT_EQ(step.lines[3].archs.at("cpu"), ProbeState::NotHeld);
  EXPECT_EQ(step.lines[3].state, ProbeState::Hit);
  EXPECT_EQ(step.lines[1].archs.at("cuda"), ProbeState::NotHeld);
  FunctionHits::Count cpu = step.count("cpu"), cuda = step.count("cuda");
  EXPECT_THAT((std::vector{cpu.probes, cpu.fired, cpu.left_out}), ElementsAre(8, 7, 1));
  EXPECT_THAT((std::vector{cuda.probes, cuda.fired, cuda.left_out}), ElementsAre(2, 1, 0));
}

TEST(ProbeStates, LineDataHasNoBranches) {
  CoverageData data = measured(false);
  Analysis analysis = analysis_of(data);
  FunctionHits step = function_hits(analysis, data.files["k.py"], data.contexts)[0];
  EXPECT_THAT(states(step.lines), ElementsAre("5 hit", "6 hit", "7 hit", "10 not measured static", "11 hit",
                                              "12 not measured cap", "13 hit"));
  EXPECT_THAT(step.branches, IsEmpty());
}

TEST(ProbeStates, AKernelThatRanAsPython) {
  CoverageData data = measured();
  data.files["k.py"].kernel_functions.clear();
  for (const Arc& arc : {Arc{-18, 20}, Arc{20, -18}}) data.add_arc("k.py", arc);
  Analysis analysis = analysis_of(data);
  std::vector<FunctionHits> hits = function_hits(analysis, data.files["k.py"], data.contexts);
  EXPECT_THAT(hits[2].archs, ElementsAre("host"));
  EXPECT_THAT(states(hits[2].lines), ElementsAre("20 hit"));
  EXPECT_THAT(hits[0].archs, ElementsAre("cpu")) << "nothing says what was compiled, and its context says where it ran";
  EXPECT_THAT(states(hits[0].lines)[3], "10 not hit");
  EXPECT_EQ(analysis.kernels.functions[0].unreached({-3, 10}), ProbeState::NotHit);
}

TEST(ProbeStates, AVariantThatFailsDoesNotHideTheOthers) {
  CoverageData data = measured();
  data.files["k.py"].kernel_functions[kStep].errors = {"k.py:10: too bad"};
  Analysis analysis = analysis_of(data);
  const KernelProbes& step = analysis.kernels.functions[0];
  EXPECT_TRUE(step.compiled());
  EXPECT_EQ(step.unreached({-3, 10}), ProbeState::NotHeld);
  EXPECT_EQ(step.unreached({11, 12}), ProbeState::NotHit);
}

TEST(ProbeStates, WhatWasCompiledIsAKernelWhateverItsDecoratorsAre) {
  CoverageData data = measured();
  std::string text = kSource;
  for (size_t at; (at = text.find("@qd")) != std::string::npos;) text.replace(at, 3, "@xx");
  Analysis analysis = analysis_of(data, text);
  ASSERT_EQ(analysis.kernels.functions.size(), 2u);
  EXPECT_EQ(analysis.kernels.functions[0].source.name, "step");
  EXPECT_TRUE(analysis.kernels.functions[0].source.is_kernel);
  EXPECT_FALSE(analysis.kernels.functions[1].source.is_kernel);
}

TEST(ProbeStates, OfASourceThatHasChangedSince) {
  CoverageData data = measured();
  Analysis analysis = analysis_of(data, "# a new line\n" + kSource);
  EXPECT_THAT(analysis.kernels.stale, ElementsAre("step", "broken"));
  EXPECT_EQ(analysis.kernels.functions.size(), 3u);
}

TEST(ProbeStates, InnermostFunctionOfALine) {
  CoverageData data = measured();
  FileKernels kernels = analysis_of(data).kernels;
  auto name_at = [&](int32_t line) { return kernels.at(line) ? kernels.at(line)->source.name : ""; };
  EXPECT_EQ(name_at(4), "") << "the header is host code";
  EXPECT_EQ(name_at(5), "step");
  EXPECT_EQ(name_at(13), "step");
  EXPECT_EQ(name_at(14), "");
  EXPECT_EQ(name_at(22), "");
}

TEST(ProbeStates, DevicesOfContexts) {
  auto device = [](const char* context) { return context_parts(context).device; };
  EXPECT_EQ(device("qd:cpu"), "cpu");
  EXPECT_EQ(device("a|run|qd:cuda"), "cuda");
  EXPECT_EQ(context_parts("a|run|qd:cuda").label, "a|run");
  EXPECT_EQ(device("a|run|numba:cpu"), "numba:cpu");
  for (const char* of_the_host : {"a|run", "", "job:linux", "qd:", "qd:cpu|run", "a|numba:", "t.py::test[qd:cpu]"})
    EXPECT_EQ(device(of_the_host), "") << of_the_host;
}

}  // namespace
}  // namespace qd::report
