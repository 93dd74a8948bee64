// Forks while other threads compile. Each test is a process of its own, because the order in which locks are first used
// matters.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "instrument/session.h"
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

/// Waits for a child and a thread, and exits with the child's code.
[[noreturn]] void exit_as(pid_t child, std::thread& thread) {
  int status = 0;
  waitpid(child, &status, 0);
  thread.join();
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

/// Dies of a signal when it hangs, as the others do.
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
  exit_as(child, other);
}

TEST(ForkDeathTest, WaitsForAJobThatIsAboutToCompile) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(fork_while_a_job_compiles(), ::testing::ExitedWithCode(7), "");
}

/// Session that is started after the first program: a fork that locked it first would wait for a job that waits for it.
void fork_while_a_job_needs_a_later_session() {
  alarm(30);
  Job nothing;
  run_now(nothing);
  instrument::Session session;
  struct NeedsSession : BackgroundJob {
    void run() override {
      began = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      session->switch_context("later");
    }
    void dropped() override {}
    instrument::Session* session = nullptr;
    std::atomic<bool> began = false;
  } job;
  job.session = &session;
  std::thread other([&] { run_now(job); });
  while (!job.began) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) _exit(7);
  exit_as(child, other);
}

TEST(ForkDeathTest, LocksSessionsLast) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(fork_while_a_job_needs_a_later_session(), ::testing::ExitedWithCode(7), "");
}

/// A thread of the parent holds the lock of a program while it waits to read a pipe.
void release_a_field_of_a_locked_program() {
  alarm(30);
  auto* program = new Program();
  Field& field = program->field(ir::Type::I32, {8});
  std::string pipe = ::testing::TempDir() + "fork_test_" + std::to_string(getpid());
  mkfifo(pipe.c_str(), 0600);
  std::thread other([&] { EXPECT_ANY_THROW(program->load_kernel(pipe, "none")); });
  int writer = -1;  // opened as soon as the thread is about to read
  while ((writer = open(pipe.c_str(), O_WRONLY | O_NONBLOCK)) < 0) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    program->release(field);
    delete program;
    _exit(7);
  }
  close(writer);
  unlink(pipe.c_str());
  exit_as(child, other);
}

TEST(ForkDeathTest, LeavesEachProgramToTheParent) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(release_a_field_of_a_locked_program(), ::testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace qd
