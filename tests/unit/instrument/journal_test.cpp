// Journal: it has the arcs that a finished launch reached, however the process ends.
#include "report/data/journal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "instrument/session.h"
#include "recorded.h"
#include "two_arcs.h"

namespace qd::instrument {
namespace {

namespace fs = std::filesystem;
using report::Arc;
using testing::hits;
using testing::kFile;
using testing::launch;
using testing::save_nowhere;
using testing::two_arcs;

const std::vector<Arc> kBoth{{-1, 2}, {2, -1}};

class JournalTest : public ::testing::Test {
 protected:
  JournalTest() {
    std::string pattern = (fs::temp_directory_path() / "qd-journal-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~JournalTest() override { fs::remove_all(folder_); }

  std::vector<std::string> journals() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.path().filename().string().starts_with(report::kJournalPrefix)) found.push_back(entry.path().string());
    return found;
  }

  /// Runs `body` in a child process; gives how it ended, as waitpid does.
  template <class Body>
  int in_child(Body body) {
    pid_t child = fork();
    if (child == 0) {
      body();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }

  /// Records of a kind in the only journal.
  int records(uint32_t kind) const {
    std::ifstream in(journals().at(0), std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    int count = 0;
    for (size_t at = sizeof(report::journal::Head); at + sizeof(report::journal::Record) <= text.size();) {
      report::journal::Record record;
      std::memcpy(&record, text.data() + at, sizeof record);
      if (record.kind == report::journal::kEnd) break;
      if (record.kind == kind) ++count;
      at += sizeof record + record.size;
    }
    return count;
  }

  JournalOptions options(bool branch = true) const { return {folder_, branch, ""}; }

  std::string folder_;
};

TEST_F(JournalTest, SurvivesEveryDeath) {
  for (int how : {SIGKILL, SIGSEGV, SIGABRT, 0}) {
    int status = in_child([&] {
      Session session(options());
      ir::Kernel kernel = two_arcs();
      auto variant = session.lower_probes(kernel, "cpu");
      launch(*variant, kernel);
      session.switch_context("test_b");
      launch(*variant, kernel, false);
      session.compile_failed({"/project/broken.py", "broken", 1}, "broken.py:2: no such name", "cpu");
      const VariantObserver::Counters counters = variant->begin(kDefaultStream);  // this launch does not finish
      ++counters.words[kernel.end_counter];
      if (how == 0) _exit(3);
      signal(how, SIG_DFL);
      rlimit none{0, 0};
      setrlimit(RLIMIT_CORE, &none);
      raise(how);
    });
    ASSERT_EQ(how == 0 ? WEXITSTATUS(status) : WTERMSIG(status), how == 0 ? 3 : how);
    ASSERT_EQ(journals().size(), 1u);
    std::string path = journals()[0];
    EXPECT_EQ(report::find_journal(path).state, report::ProcessState::Ended);
    report::CoverageData data = report::read_journal(path);
    EXPECT_EQ(data.has_arcs, true);
    EXPECT_EQ(data.files.at(kFile).executed_arcs(), kBoth);
    ASSERT_EQ(data.contexts, (std::vector<std::string>{"", "qd:cpu", "test_b|qd:cpu"}));
    const report::Probes& probes = data.files.at(kFile).kernel_functions.at({1, "k", true, "cpu"});
    EXPECT_EQ(std::vector(probes.measured.begin(), probes.measured.end()), kBoth);
    EXPECT_TRUE(data.files.contains("/project/broken.py"));
    EXPECT_EQ(data.files.at(kFile).arcs.at(2), (std::vector<Arc>{{-1, 2}}));
    fs::remove(path);
  }
}

TEST_F(JournalTest, IsLiveWhileItsProcessLives) {
  Session session(options());
  EXPECT_TRUE(journals().empty()) << "no kernel, no file";
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  launch(*variant, kernel);
  ASSERT_EQ(journals().size(), 1u);
  // This process may ask too, as its own plugin does when it looks for those of its children, and gives nothing up by
  // it.
  EXPECT_EQ(report::find_journal(journals()[0]).state, report::ProcessState::Runs);
  EXPECT_TRUE(report::orphaned_journals(folder_).empty());
  int status =
      in_child([&] { _exit(report::find_journal(journals()[0]).state == report::ProcessState::Runs ? 7 : 0); });
  EXPECT_EQ(WEXITSTATUS(status), 7);
  save_nowhere(session);
  EXPECT_TRUE(journals().empty());
}

TEST_F(JournalTest, WhatWasCutOffIsWrittenAgain) {
  for (off_t left : {off_t{0}, off_t{8}, off_t{100}, off_t{4096}}) {
    const int status = in_child([&] {
      signal(SIGBUS, [](int) { _exit(2); });
      Session session(options());
      ir::Kernel kernel = two_arcs();
      auto variant = session.lower_probes(kernel, "cpu");
      launch(*variant, kernel, false);
      if (truncate(journals().at(0).c_str(), left) != 0) _exit(3);
      session.switch_context("test_b");
      launch(*variant, kernel);
      if (session.data({}).files.at(kFile).executed_arcs() != kBoth) _exit(4);
      raise(SIGKILL);
    });
    EXPECT_EQ(WTERMSIG(status), SIGKILL) << WEXITSTATUS(status);
    const report::CoverageData data = report::read_journal(journals().at(0));
    EXPECT_EQ(data.files.at(kFile).executed_arcs(), kBoth) << left;
    EXPECT_EQ(data.damage, "");
    fs::remove(journals().at(0));
  }
}

TEST_F(JournalTest, AFileThatIsNotOursAnyMoreStays) {
  Session session(options());
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  launch(*variant, kernel);
  const std::string path = journals().at(0);
  fs::remove(path);
  std::ofstream(path) << "another process's";
  save_nowhere(session);
  EXPECT_TRUE(fs::exists(path));
}

TEST_F(JournalTest, ALimitOfFilesRaisesNoSignal) {
  const int status = in_child([&] {
    signal(SIGXFSZ, [](int) { _exit(2); });
    // What is told of it goes to a file that is as large as files may be.
    const int file = open((folder_ + "/stderr.txt").c_str(), O_RDWR | O_CREAT | O_APPEND, 0600);
    if (write(file, "as large as files may be", 24) != 24 || dup2(file, STDERR_FILENO) < 0) _exit(3);
    Session session(options());
    ir::Kernel kernel = two_arcs();
    auto variant = session.lower_probes(kernel, "cpu");
    launch(*variant, kernel, false);
    rlimit limit{16, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    launch(*variant, kernel);
    if (session.data({}).files.at(kFile).executed_arcs() != kBoth) _exit(4);
  });
  EXPECT_EQ(status, 0);
}

TEST_F(JournalTest, AForksChildHasAJournalOfItsOwn) {
  Session session(options());
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  launch(*variant, kernel, false);
  std::string parent = journals()[0];
  in_child([&] {
    if (!hits(session).empty()) _exit(1);
    const VariantObserver::Counters counters = variant->begin(kDefaultStream);
    ++counters.words[kernel.end_counter];
    variant->launch_done(counters.id, counters.words);
    raise(SIGKILL);
  });
  ASSERT_EQ(journals().size(), 2u);
  for (const std::string& path : journals()) {
    std::vector<Arc> expected = path == parent ? std::vector<Arc>{{-1, 2}} : std::vector<Arc>{{2, -1}};
    EXPECT_EQ(report::read_journal(path).files.at(kFile).executed_arcs(), expected) << path;
  }
}

TEST_F(JournalTest, IsNeverSeenWithoutItsLock) {
  // It gets its name when it is locked already: a combine meanwhile does not take it for an orphan.
  const int watch = inotify_init1(IN_NONBLOCK);
  ASSERT_GE(inotify_add_watch(watch, folder_.c_str(), IN_CREATE | IN_MOVED_TO), 0);
  Session session(options());
  ir::Kernel kernel = two_arcs();
  launch(*session.lower_probes(kernel, "cpu"), kernel);
  alignas(inotify_event) char events[4096];
  const ssize_t size = read(watch, events, sizeof events);
  close(watch);
  std::map<std::string, uint32_t> seen;
  for (ssize_t at = 0; at < size;) {
    auto* event = reinterpret_cast<const inotify_event*>(events + at);
    seen[event->name] |= event->mask;
    at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
  }
  const std::string name = fs::path(journals().at(0)).filename().string();
  EXPECT_EQ(seen[name], static_cast<uint32_t>(IN_MOVED_TO));
}

TEST_F(JournalTest, AForksChildDoesNotKeepItsParentsJournalAlive) {
  // A process that launches, forks and is killed; its child lives on.
  int pipes[2];
  ASSERT_EQ(pipe(pipes), 0);
  in_child([&] {
    Session session(options());
    ir::Kernel kernel = two_arcs();
    auto variant = session.lower_probes(kernel, "cpu");
    launch(*variant, kernel);
    if (fork() == 0) {
      close(pipes[1]);
      char byte;
      (void)!read(pipes[0], &byte, 1);  // until the test is done
      _exit(0);
    }
    raise(SIGKILL);
  });
  ASSERT_EQ(journals().size(), 1u);
  bool live = true;
  for (int i = 0; i < 500 && live; ++i) {  // the child may not have run its first line yet
    live = report::find_journal(journals()[0]).state == report::ProcessState::Runs;
    usleep(10'000);
  }
  EXPECT_FALSE(live);
  close(pipes[0]);
  close(pipes[1]);
}

TEST_F(JournalTest, WhatComesAfterADataFileWasWrittenIsInANewJournal) {
  Session session(options());
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  launch(*variant, kernel, false);
  session.save({}, [&](const report::CoverageData& data) {
    EXPECT_EQ(hits(data).at("qd:cpu").at(kFile).size(), 1u);
    EXPECT_EQ(journals().size(), 1u) << "the old one is there until the data is safe";
    launch(*variant, kernel);
    EXPECT_EQ(journals().size(), 2u);
  });
  ASSERT_EQ(journals().size(), 1u);
  EXPECT_EQ(report::read_journal(journals()[0]).files.at(kFile).executed_arcs(), kBoth);
  EXPECT_EQ(hits(session).at("qd:cpu").at(kFile).size(), 2u);
}

TEST_F(JournalTest, WhatCannotBeWrittenStaysInItsJournal) {
  Session session(options());
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  launch(*variant, kernel, false);
  EXPECT_THROW(session.save({}, [](const report::CoverageData&) { throw std::runtime_error("full"); }),
               std::runtime_error);
  EXPECT_EQ(journals().size(), 1u);
  launch(*variant, kernel);
  EXPECT_EQ(journals().size(), 2u);
  save_nowhere(session);
  EXPECT_TRUE(journals().empty()) << "both are in what was written";
}

TEST_F(JournalTest, NothingNewLeavesNoJournal) {
  Session session(options());
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  launch(*variant, kernel);
  const ir::Function broken{kFile, "broken", 40};
  session.compile_failed(broken, "k.py:42: no such name", "cpu");
  save_nowhere(session);
  session.switch_context("b");
  session.compile_failed(broken, "k.py:42: no such name", "cpu");
  EXPECT_TRUE(journals().empty());
}

TEST_F(JournalTest, TheNextJournalHasTheNameOfOneThatIsGone) {
  Session session(options());
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  launch(*variant, kernel);
  save_nowhere(session);
  session.save({}, [&](const report::CoverageData&) { launch(*variant, kernel); });
  EXPECT_EQ(journals().size(), 1u) << "a journal is removed once";
}

TEST_F(JournalTest, ALaunchInFlightMayEndAfterEverythingWasForgotten) {
  for (const std::string& folder : {folder_, std::string()}) {
    Session session({folder, true, ""});
    ir::Kernel kernel = two_arcs();
    auto variant = session.lower_probes(kernel, "cpu");
    const VariantObserver::Counters counters = variant->begin(kDefaultStream);
    session.forget();
    ++counters.words[kernel.end_counter];
    variant->launch_done(counters.id, counters.words);
    EXPECT_EQ(hits(session).at("qd:cpu").at(kFile), (std::set<Arc>{{2, -1}})) << "nobody has seen it before";
    launch(*variant, kernel);
    EXPECT_EQ(hits(session).at("qd:cpu").at(kFile).size(), 2u);
  }
}

TEST_F(JournalTest, ALaunchInFlightWhenTheHitsWereWrittenIsInTheNewJournal) {
  Session session(options(), "a");
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  const VariantObserver::Counters counters = variant->begin(kDefaultStream);
  session.save({}, [&](const report::CoverageData& data) {
    EXPECT_TRUE(hits(data).empty());
    session.switch_context("b");
    ++counters.words[kernel.end_counter];
    variant->launch_done(counters.id, counters.words);
  });
  ASSERT_EQ(journals().size(), 1u);
  report::CoverageData data = report::read_journal(journals()[0]);  // all that is left if the process is killed now
  EXPECT_EQ(data.files.at(kFile).arcs.at(data.context_id("a|qd:cpu")), (std::vector<Arc>{{2, -1}}));
}

TEST_F(JournalTest, TakesManyRecords) {
  Session session(options(false));
  std::vector<ir::Kernel> kernels;
  std::vector<std::unique_ptr<VariantObserver>> variants;
  for (int i = 0; i < 300; ++i) {
    ir::Kernel kernel = two_arcs();
    kernel.functions[0].file = "/project/" + std::string(static_cast<size_t>(i), 'x') + ".py";
    kernel.probes[0].to = i + 2;
    variants.push_back(session.lower_probes(kernel, "cpu"));
    kernels.push_back(kernel);
  }
  for (int context = 0; context < 20; ++context) {
    session.switch_context("test_" + std::to_string(context));
    for (size_t i = 0; i < kernels.size(); ++i) launch(*variants[i], kernels[i]);
  }
  report::CoverageData data = report::read_journal(journals()[0]);
  EXPECT_EQ(data.has_arcs, false);
  EXPECT_EQ(data.contexts.size(), 21u);
  ASSERT_EQ(data.files.size(), 300u);
  for (int i = 0; i < 300; ++i) {
    const report::FileData& file = data.files.at("/project/" + std::string(static_cast<size_t>(i), 'x') + ".py");
    EXPECT_EQ(file.lines.size(), 20u);
    EXPECT_TRUE(file.executed_lines().contains(i + 2));
  }
  report::CoverageData written = session.data({.branch = false, .relative_to = ""});
  EXPECT_EQ(written.files.size(), data.files.size());
}

// Records for a known context or kernel are not written again.
TEST_F(JournalTest, AContextThatComesAgainAndAKernelThatIsCompiledAgainTakeNoMoreRoom) {
  Session session(options());
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel, "cpu");
  for (int i = 0; i < 1000; ++i) {
    session.switch_context("test_" + std::to_string(i % 3));
    session.pause(i % 10 == 9);
    launch(*variant, kernel, i % 2 == 0);
    ir::Kernel again = two_arcs();
    launch(*session.lower_probes(again, "cpu"), again, i % 2 == 0);
  }
  EXPECT_EQ(records(report::journal::kVariant), 1);
  EXPECT_EQ(records(report::journal::kValues), 3);
  // A new context costs one record, after any number of others.
  session.pause(false);
  for (int i = 3; i < 100; ++i) {
    session.switch_context("test_" + std::to_string(i));
    launch(*variant, kernel);
    EXPECT_EQ(records(report::journal::kValues), i + 1);
  }
  EXPECT_EQ(records(report::journal::kVariant), 1);
  // Records that were forgotten are made anew, in a journal of their own.
  save_nowhere(session);
  session.forget_saved();
  launch(*variant, kernel);
  EXPECT_EQ(records(report::journal::kVariant), 1);
  EXPECT_EQ(records(report::journal::kValues), 1);
  EXPECT_EQ(hits(session).size(), 1u);
}

TEST_F(JournalTest, WithoutAPlaceToWriteHitsLiveInMemory) {
  ::testing::internal::CaptureStderr();
  std::ofstream(folder_ + "/file") << "not a folder";
  Session session({folder_ + "/file", true, ""});
  for (int i = 0; i < 3; ++i) {
    ir::Kernel kernel = two_arcs();
    launch(*session.lower_probes(kernel, "cpu"), kernel);
  }
  std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("cannot be made"), std::string::npos) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << "said once";
  EXPECT_EQ(hits(session).at("qd:cpu").at(kFile).size(), 2u);
}

TEST_F(JournalTest, AFullDiskLosesNothingThatIsInMemory) {
  int status = in_child([&] {
    signal(SIGXFSZ, SIG_IGN);
    rlimit limit{100 * 1024, 100 * 1024};  // the first piece fits, the second does not
    setrlimit(RLIMIT_FSIZE, &limit);
    Session session(options());
    for (int i = 0; i < 200; ++i) {
      ir::Kernel kernel = two_arcs();
      kernel.functions[0].file = "/project/" + std::string(1000, 'x') + std::to_string(i) + ".py";
      launch(*session.lower_probes(kernel, "cpu"), kernel);
    }
    ::testing::internal::CaptureStderr();
    auto found = hits(session);
    _exit(found["qd:cpu"].size() == 200 && ::testing::internal::GetCapturedStderr().empty() ? 42 : 1);
  });
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 42);
  EXPECT_GT(report::read_journal(journals()[0]).files.size(), 30u);
}

}  // namespace
}  // namespace qd::instrument
