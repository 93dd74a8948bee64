// Forks while other threads compile. Each test is a process of its own, because the order in which locks are first used
// matters.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "runtime/launch/background.h"
#include "runtime/launch/program.h"

namespace qd {
namespace {

const std::string kFile = QD_SOURCE_DIR "/tests/unit/launch/kernels.py";

void compile() {
  Program program;
  auto x = program.ndarray(ir::Type::I32, {8});
  program.load_kernel(kFile, "fill")(x.get(), 1);
}

class Job : public BackgroundJob {
 public:
  explicit Job(std::atomic<bool>* began = nullptr) : began_(began) {}
  void run() override {
    if (!began_) return;
    *began_ = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    compile();
  }
  void dropped() override {}

 private:
  std::atomic<bool>* began_;
};

/// Exits with the child's code; dies of a signal when it hangs.
void fork_while_a_job_compiles() {
  alarm(30);
  Job nothing;
  run_now(nothing);
  compile();
  std::atomic<bool> began = false;
  Job job(&began);
  std::thread other([&] { run_now(job); });
  while (!began) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    compile();
    _exit(7);
  }
  int status = 0;
  waitpid(child, &status, 0);
  other.join();
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

TEST(ForkDeathTest, WaitsForAJobThatIsAboutToCompile) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(fork_while_a_job_compiles(), ::testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace qd
