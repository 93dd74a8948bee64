// Launches of a session's variants: the counts that it keeps, and the data that it makes of them.
#include "instrument/session.h"

#include <gtest/gtest.h>

#include <thread>

#include "recorded.h"
#include "two_arcs.h"

namespace qd::instrument {
namespace {

using report::Arc;
using testing::hits;
using testing::kFile;
using testing::launch;
using testing::two_arcs;

const std::set<Arc> kBoth{{-1, 2}, {2, -1}};

TEST(Session, KnowsWhatFinishedLaunchesTook) {
  Session session;
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  EXPECT_TRUE(hits(session).empty());
  launch(*variant, kernel, false);
  EXPECT_EQ(hits(session).at("qd:cpu").at(kFile), (std::set<Arc>{{-1, 2}}));
  EXPECT_FALSE(variant->all_taken());
  launch(*variant, kernel);
  EXPECT_EQ(hits(session).at("qd:cpu").at(kFile), kBoth);
  EXPECT_TRUE(variant->all_taken());
}

TEST(Session, KeepsTheHitsOfAVariantThatIsGone) {
  Session session;
  {
    ir::Kernel kernel = two_arcs();
    launch(*session.lower_probes(kernel, "cpu"), kernel);
  }
  EXPECT_EQ(hits(session).at("qd:cpu").at(kFile), kBoth);
}

TEST(Session, AKernelWithoutProbesIsNotObserved) {
  Session session;
  ir::Kernel kernel = two_arcs();
  kernel.tasks[0].start_probes.clear();
  kernel.end_probes.clear();
  EXPECT_EQ(session.lower_probes(kernel, "cpu"), nullptr);
}

TEST(Session, HitsBelongToTheContextTheLaunchStartedIn) {
  Session session({}, "a");
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  const VariantObserver::Counters counters = variant->begin(kDefaultStream);
  session.switch_context("b");
  ++counters.words[kernel.end_counter];
  variant->launch_done(counters.id, counters.words);
  EXPECT_FALSE(variant->all_taken());
  launch(*variant, kernel, false);
  auto found = hits(session);
  EXPECT_EQ(found.at("a|qd:cpu").at(kFile), (std::set<Arc>{{2, -1}}));
  EXPECT_EQ(found.at("b|qd:cpu").at(kFile), (std::set<Arc>{{-1, 2}}));
}

TEST(Session, AContextThatComesAgainGoesOn) {
  Session session({}, "a");
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  launch(*variant, kernel, false);
  session.switch_context("b");
  session.switch_context("a");
  EXPECT_FALSE(variant->all_taken());
  launch(*variant, kernel);
  EXPECT_EQ(hits(session).at("a|qd:cpu").at(kFile), kBoth);
  EXPECT_EQ(hits(session).size(), 1u);
}

TEST(Session, ForgetsEverything) {
  Session session;
  ir::Kernel gone = two_arcs();
  launch(*session.lower_probes(gone, "cpu"), gone);
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  launch(*variant, kernel);
  session.forget();
  EXPECT_TRUE(hits(session).empty());
  launch(*variant, kernel, false);
  EXPECT_EQ(hits(session).at("qd:cpu").at(kFile).size(), 1u);
}

TEST(Session, LaunchesOfManyThreadsHaveCountersOfTheirOwn) {
  Session session;
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  const VariantObserver::Counters first = variant->begin(kDefaultStream), second = variant->begin(kDefaultStream);
  EXPECT_NE(first.id, second.id);
  EXPECT_NE(first.words.data(), second.words.data());
  // The first has begun and not ended: its counts are in no hit of the second.
  ++first.words[kernel.tasks[0].start_counter];
  variant->launch_done(second.id, second.words);
  EXPECT_TRUE(hits(session).empty());
  variant->launch_done(first.id, first.words);
  EXPECT_EQ(hits(session).at("qd:cpu").at(kFile).size(), 1u);

  session.switch_context("start");
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2000; ++i) {
        launch(*variant, kernel);
        if (i % 500 == t) session.switch_context("context " + std::to_string(i));
      }
    });
  threads.clear();
  session.switch_context("end");
  launch(*variant, kernel);
  const auto all = hits(session);
  for (const auto& [context, files] : all)
    EXPECT_EQ(files.at(kFile).size(), context == "qd:cpu" ? 1u : kBoth.size()) << context;
  EXPECT_TRUE(all.contains("start|qd:cpu"));  // of each thread's first launch
  EXPECT_TRUE(all.contains("end|qd:cpu"));
}

TEST(SessionStreams, WordsThatWereReadBackAreOfOneLaunch) {
  Session session({}, "a");
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cuda");
  const VariantObserver::Counters first = variant->begin(1), second = variant->begin(1);
  EXPECT_NE(first.id, second.id);
  session.switch_context("b");
  const VariantObserver::Counters third = variant->begin(1);
  std::vector<uint64_t> start(kernel.counters), end(kernel.counters);
  start[kernel.tasks[0].start_counter] = 1;
  end[kernel.end_counter] = 1;
  // The launcher hears of them on another thread, much later, and in another order.
  std::jthread([&] {
    variant->launch_done(third.id, end);
    variant->launch_done(second.id, end);
    variant->launch_done(first.id, start);
  }).join();
  EXPECT_EQ(hits(session).at("a|qd:cuda").at(kFile), kBoth);
  EXPECT_EQ(hits(session).at("b|qd:cuda").at(kFile), (std::set<Arc>{{2, -1}}));
  // Counts that were read back are not counted on in the host's words.
  for (const VariantObserver::Counters& counters : {first, second, third})
    EXPECT_EQ(counters.words[kernel.end_counter], 0u);
}

TEST(SessionStreams, ALaunchThatWasLeftSaysNothing) {
  Session session;
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  const VariantObserver::Counters left = variant->begin(kDefaultStream);
  ++left.words[kernel.tasks[0].start_counter];
  variant->launch_left(left.id);
  const VariantObserver::Counters next = variant->begin(kDefaultStream);
  EXPECT_EQ(next.id, left.id);
  ++next.words[kernel.end_counter];
  variant->launch_done(next.id, next.words);
  EXPECT_EQ(hits(session).at("qd:cpu").at(kFile), (std::set<Arc>{{2, -1}}));
}

TEST(SessionStreams, EachHasSetsOfItsOwn) {
  Session session;
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  std::map<uint32_t, std::set<uint32_t>> ids;  // by stream
  std::set<uint32_t> all;
  std::set<uint64_t*> places;
  for (int round = 0; round < 3; ++round) {
    std::vector<VariantObserver::Counters> in_flight;
    for (int i = 0; i < 40; ++i) {
      for (uint32_t stream : {kDefaultStream, 1u, 7u}) {
        in_flight.push_back(variant->begin(stream));
        ids[stream].insert(in_flight.back().id);
        all.insert(in_flight.back().id);
        places.insert(in_flight.back().words.data());
      }
    }
    for (const VariantObserver::Counters& counters : in_flight) variant->launch_done(counters.id, counters.words);
  }
  for (const auto& [stream, known] : ids) EXPECT_EQ(known.size(), 40u) << stream;
  EXPECT_EQ(all.size(), 120u) << "no stream has those of another";
  EXPECT_EQ(places.size(), 120u);
}

TEST(SessionData, HasArcsOrLines) {
  Session session({}, "static");
  ir::Kernel kernel = two_arcs();
  kernel.probes.push_back({0, -1, 4});
  kernel.end_probes.push_back(2);
  launch(*session.lower_probes(kernel, "cpu"), kernel);
  const report::CoverageData branch = session.data();
  EXPECT_EQ(branch.has_arcs, true);
  const report::FileData& file = branch.files.at(kFile);
  ASSERT_EQ(file.arcs.size(), 1u);
  EXPECT_EQ(branch.contexts[file.arcs.begin()->first], "static|qd:cpu");
  EXPECT_EQ(file.executed_arcs(), (std::vector<Arc>{{-1, 2}, {-1, 4}, {2, -1}}));

  const report::CoverageData line = session.data({.branch = false, .relative_to = ""});
  EXPECT_EQ(line.has_arcs, false);
  EXPECT_EQ(line.files.at(kFile).executed_lines().lines(), (std::vector<int32_t>{2, 4}));
  EXPECT_TRUE(line.files.at(kFile).arcs.empty());
  EXPECT_EQ(line.contexts, (std::vector<std::string>{"", "static|qd:cpu"}));
}

TEST(SessionData, AJournalInMemoryIsWhole) {
  Session session;
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  for (int i = 0; i < 2000; ++i) {  // takes more than one piece
    session.switch_context("context " + std::to_string(i));
    launch(*variant, kernel);
  }
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(session.data().contexts.size(), 2001u);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << "nothing is damaged";
}

TEST(SessionData, PathsBelowTheFolderBecomeRelative) {
  Session session;
  for (const char* file : {"/project/a/k.py", "/projects/k.py"}) {
    ir::Kernel kernel = two_arcs();
    kernel.functions[0].file = file;
    launch(*session.lower_probes(kernel, "cpu"), kernel);
  }
  const report::CoverageData data = session.data({.branch = true, .relative_to = "/project"});
  EXPECT_EQ(data.files.size(), 2u);
  EXPECT_TRUE(data.files.at("a/k.py").any_executed());
  EXPECT_TRUE(data.files.at("/projects/k.py").any_executed());
}

TEST(SessionData, HasNothingOfFilesThatAreNotWanted) {
  Session session({}, "of both", {.conditions = true});
  for (const char* file : {"/project/k.py", "/library/k.py"}) {
    session.switch_context(file);
    ir::Kernel kernel = two_arcs();
    kernel.functions[0].file = file;
    launch(*session.lower_probes(kernel, "cpu"), kernel);
    session.compile_failed({file, "broken", 40}, "k.py:42: no such name", "cpu");
  }
  std::vector<std::string> asked;
  const report::CoverageData data =
      session.data({.branch = true, .relative_to = "/project", .wanted = [&](const std::string& file) {
                      asked.push_back(file);
                      return file.starts_with("/project/");
                    }});
  EXPECT_EQ(asked, (std::vector<std::string>{"/project/k.py", "/library/k.py"})) << "once each, by its whole path";
  ASSERT_EQ(data.files.size(), 1u);
  EXPECT_EQ(data.files.at("k.py").kernel_functions.size(), 2u);
  EXPECT_EQ(data.contexts, (std::vector<std::string>{"", "/project/k.py|qd:cpu"}));
}

TEST(SessionData, HasTheDeviceOfEachVariantAfterTheLabel) {
  Session session({}, "test");
  ir::Kernel host = two_arcs(), device = two_arcs();
  auto on_host = session.lower_probes(host, "cpu"), on_device = session.lower_probes(device, "cuda");
  launch(*on_host, host);
  launch(*on_device, device, false);
  session.switch_context("");
  launch(*on_device, device);
  session.compile_failed({kFile, "broken", 40}, "k.py:42: no such name", "vulkan");
  const report::CoverageData data = session.data();
  EXPECT_EQ(data.contexts, (std::vector<std::string>{"", "qd:cuda", "test|qd:cpu", "test|qd:cuda"}));
  EXPECT_EQ(hits(data).at("test|qd:cpu").at(kFile), kBoth);
  EXPECT_EQ(hits(data).at("test|qd:cuda").at(kFile).size(), 1u);
  EXPECT_EQ(hits(data).at("qd:cuda").at(kFile), kBoth);
  std::set<std::string> archs;
  for (const auto& [function, probes] : data.files.at(kFile).kernel_functions)
    archs.insert(function.name + " " + function.arch);
  EXPECT_EQ(archs, (std::set<std::string>{"broken vulkan", "k cpu", "k cuda"}));
}

TEST(SessionData, ContextsAreSorted) {
  Session session({}, "b");
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  launch(*variant, kernel);
  session.switch_context("a");
  launch(*variant, kernel, false);
  const report::CoverageData data = session.data();
  EXPECT_EQ(data.contexts, (std::vector<std::string>{"", "a|qd:cpu", "b|qd:cpu"}));
  EXPECT_EQ(hits(data).at("a|qd:cpu").at(kFile).size(), 1u);
  EXPECT_EQ(hits(data).at("b|qd:cpu").at(kFile), kBoth);
}

TEST(SessionSave, GivesEverythingAgainUntilItIsForgotten) {
  Session session({}, "a");
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  std::vector<std::string> contexts;
  auto save = [&] {
    contexts.clear();
    return session.save({}, [&](const report::CoverageData& data) { contexts = data.contexts; });
  };
  launch(*variant, kernel);
  EXPECT_TRUE(save());
  session.switch_context("b");
  launch(*variant, kernel);
  EXPECT_TRUE(save());
  EXPECT_EQ(contexts, (std::vector<std::string>{"", "a|qd:cpu", "b|qd:cpu"}));
  session.switch_context("c");
  launch(*variant, kernel);
  session.forget_saved();
  EXPECT_TRUE(save());
  EXPECT_EQ(contexts, (std::vector<std::string>{"", "c|qd:cpu"}));
  session.forget_saved();
  EXPECT_FALSE(save());
  EXPECT_TRUE(contexts.empty());
}

TEST(SessionSave, WhatCouldNotBeWrittenIsNotForgotten) {
  Session session;
  ir::Kernel kernel = two_arcs();
  launch(*session.lower_probes(kernel, "cpu"), kernel);
  EXPECT_THROW(session.save({}, [](const report::CoverageData&) { throw std::runtime_error("full"); }),
               std::runtime_error);
  session.forget_saved();
  EXPECT_EQ(hits(session).at("qd:cpu").at(kFile), kBoth);
}

}  // namespace
}  // namespace qd::instrument
