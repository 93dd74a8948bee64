// What a finished launch reached is in the journal, however the process ends.
#include "report/data/journal.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "instrument/session.h"
#include "two_arcs.h"

namespace qd::instrument {
namespace {

namespace fs = std::filesystem;
using report::Arc;
using testing::kFile;
using testing::launch;
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

  JournalOptions options(bool branch = true) const { return {folder_, branch, ""}; }

  std::string folder_;
};

TEST_F(JournalTest, SurvivesEveryDeath) {
  for (int how : {SIGKILL, SIGSEGV, SIGABRT, 0}) {
    int status = in_child([&] {
      Session session(options());
      ir::Kernel kernel = two_arcs();
      auto variant = session.lower_probes(kernel);
      launch(*variant, kernel);
      session.switch_context("test_b|qd:cpu");
      launch(*variant, kernel, false);
      uint64_t* counters = variant->counters();  // this launch does not finish
      ++counters[kernel.end_counter];
      if (how == 0) _exit(3);
      signal(how, SIG_DFL);
      rlimit none{0, 0};
      setrlimit(RLIMIT_CORE, &none);
      raise(how);
    });
    ASSERT_EQ(how == 0 ? WEXITSTATUS(status) : WTERMSIG(status), how == 0 ? 3 : how);
    ASSERT_EQ(journals().size(), 1u);
    std::string path = journals()[0];
    EXPECT_FALSE(report::journal_is_live(path));
    report::CoverageData data = report::read_journal(path);
    EXPECT_EQ(data.has_arcs, true);
    EXPECT_EQ(data.files.at(kFile).executed_arcs(), kBoth);
    ASSERT_EQ(data.contexts, (std::vector<std::string>{"", "qd:cpu", "test_b|qd:cpu"}));
    EXPECT_EQ(data.files.at(kFile).arcs.at(2), (std::vector<Arc>{{-1, 2}}));
    fs::remove(path);
  }
}

TEST_F(JournalTest, IsLiveWhileItsProcessLives) {
  Session session(options());
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel);
  EXPECT_TRUE(journals().empty()) << "no launch, no file";
  launch(*variant, kernel);
  ASSERT_EQ(journals().size(), 1u);
  // Another process asks: closing the file in this one would give up the lock.
  int status = in_child([&] { _exit(report::journal_is_live(journals()[0]) ? 7 : 0); });
  EXPECT_EQ(WEXITSTATUS(status), 7);
  session.remove_journal();
  EXPECT_TRUE(journals().empty());
}

TEST_F(JournalTest, AForksChildHasAJournalOfItsOwn) {
  Session session(options());
  ir::Kernel kernel = two_arcs();
  auto variant = session.lower_probes(kernel);
  launch(*variant, kernel, false);
  std::string parent = journals()[0];
  in_child([&] {
    if (!session.hits().empty()) _exit(1);
    uint64_t* counters = variant->counters();
    ++counters[kernel.end_counter];
    variant->launch_done(counters);
    raise(SIGKILL);
  });
  ASSERT_EQ(journals().size(), 2u);
  for (const std::string& path : journals()) {
    std::vector<Arc> expected = path == parent ? std::vector<Arc>{{-1, 2}} : std::vector<Arc>{{2, -1}};
    EXPECT_EQ(report::read_journal(path).files.at(kFile).executed_arcs(), expected) << path;
  }
}

TEST_F(JournalTest, ALaunchInFlightMayEndAfterEverythingWasForgotten) {
  for (const std::string& folder : {folder_, std::string()}) {
    Session session({folder, true, ""});
    ir::Kernel kernel = two_arcs();
    auto variant = session.lower_probes(kernel);
    uint64_t* counters = variant->counters();
    session.forget();
    ++counters[kernel.end_counter];
    variant->launch_done(counters);
    EXPECT_TRUE(session.hits().empty());
    launch(*variant, kernel);
    EXPECT_EQ(session.hits().at("qd:cpu").at(kFile).size(), 2u);
  }
}

TEST_F(JournalTest, TakesManyRecords) {
  Session session(options(false));
  std::vector<ir::Kernel> kernels;
  std::vector<std::unique_ptr<VariantObserver>> variants;
  for (int i = 0; i < 300; ++i) {
    ir::Kernel kernel = two_arcs();
    kernel.functions[0].file = "/project/" + std::string(static_cast<size_t>(i), 'x') + ".py";
    kernel.probes[0].to = i + 2;
    variants.push_back(session.lower_probes(kernel));
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
  report::CoverageData written = to_coverage_data(session.hits(), {.branch = false, .relative_to = ""});
  EXPECT_EQ(written.files.size(), data.files.size());
}

TEST_F(JournalTest, ATornTailIsCut) {
  {
    Session session(options());
    for (int i = 0; i < 10; ++i) {
      ir::Kernel kernel = two_arcs();
      kernel.functions[0].file = "/project/" + std::to_string(i) + ".py";
      launch(*session.lower_probes(kernel), kernel);
    }
  }
  std::string path = journals()[0];
  std::ifstream in(path, std::ios::binary);
  std::string whole{std::istreambuf_iterator<char>(in), {}};
  auto files = [&](const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
    return report::read_journal(path).files.size();
  };
  EXPECT_EQ(files(whole), 10u);
  size_t last = 0;
  for (size_t cut = sizeof(report::journal::Header); cut < 2000; cut += 3) {
    size_t known = files(whole.substr(0, cut));
    EXPECT_GE(known, last);
    last = known;
  }
  EXPECT_EQ(last, 10u);
  // A record whose fixed part was damaged ends what is believed.
  std::string damaged = whole;
  size_t at = damaged.find("/project/5.py");
  ASSERT_NE(at, std::string::npos);
  damaged[at] = '#';
  EXPECT_EQ(files(damaged), 5u);
  EXPECT_THROW(files("not a journal"), report::DataError);
  EXPECT_THROW(files(""), report::DataError);
}

TEST_F(JournalTest, WithoutAPlaceToWriteHitsLiveInMemory) {
  ::testing::internal::CaptureStderr();
  std::ofstream(folder_ + "/file") << "not a folder";
  Session session({folder_ + "/file", true, ""});
  for (int i = 0; i < 3; ++i) {
    ir::Kernel kernel = two_arcs();
    launch(*session.lower_probes(kernel), kernel);
  }
  std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("cannot be made"), std::string::npos) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << "said once";
  EXPECT_EQ(session.hits().at("qd:cpu").at(kFile).size(), 2u);
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
      launch(*session.lower_probes(kernel), kernel);
    }
    auto hits = session.hits();
    _exit(hits["qd:cpu"].size() == 200 ? 42 : 1);
  });
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 42);
  EXPECT_GT(report::read_journal(journals()[0]).files.size(), 30u);
}

}  // namespace
}  // namespace qd::instrument
