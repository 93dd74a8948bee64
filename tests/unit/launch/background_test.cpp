// Background jobs that never come back: the end of the process and forks do not wait for them for ever. Each test is a
// process of its own, because it ends.
#include "runtime/launch/background.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "runtime/codegen/compile_guard.h"

namespace qd {
namespace {

thread_local void* volatile allocated;
void allocate(size_t size) {
  allocated = std::malloc(size);
  std::free(allocated);
}

/// A compilation, as LLVM's passes are one: code that no other thread can end from outside.
enum class Compilation { Endless, EndlessAllocating, UntilGivenUp, Short };

class Job : public BackgroundJob {
 public:
  explicit Job(Compilation kind) : kind_(kind) {}
  void run() override {
    try {
      const codegen::CompileGuard compiling;
      began = true;
      while (kind_ != Compilation::Short) {
        if (kind_ == Compilation::UntilGivenUp && codegen::given_up()) throw codegen::GivenUp();
        if (kind_ == Compilation::EndlessAllocating) allocate(steps % 4096);
        steps = steps + 1;
      }
    } catch (const codegen::GivenUp&) {
      given_up = true;
    }
  }
  void dropped() override {}

  volatile unsigned steps = 0;
  std::atomic<bool> began = false, given_up = false;

 private:
  const Compilation kind_;
};

std::shared_ptr<Job> begin(Compilation kind) {
  static std::vector<std::shared_ptr<Job>> jobs;  // the queue owns none
  jobs.push_back(std::make_shared<Job>(kind));
  run_in_background(jobs.back());
  while (!jobs.back()->began) std::this_thread::yield();
  return jobs.back();
}

/// Ends while the job runs; dies of a signal when it hangs.
void end_with(Compilation kind) {
  alarm(30);
  prepare_background();
  std::atexit([] {
    for (size_t size = 1; size < 100'000; ++size) allocate(size);
  });
  begin(kind);
  std::exit(5);
}

/// Forks while the job runs, and runs another job. Ends with the child's code.
void fork_with(Compilation kind) {
  alarm(30);
  prepare_background();
  const auto job = begin(kind);
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    begin(Compilation::Short);
    std::exit(7);
  }
  int status = 0;
  waitpid(child, &status, 0);
  while (kind == Compilation::UntilGivenUp && !job->given_up) std::this_thread::yield();
  begin(Compilation::Short);
  std::exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

class BackgroundDeathTest : public ::testing::TestWithParam<Compilation> {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_P(BackgroundDeathTest, EndsTheProcess) { EXPECT_EXIT(end_with(GetParam()), ::testing::ExitedWithCode(5), ""); }

TEST_P(BackgroundDeathTest, Forks) { EXPECT_EXIT(fork_with(GetParam()), ::testing::ExitedWithCode(7), ""); }

INSTANTIATE_TEST_SUITE_P(All, BackgroundDeathTest,
                         ::testing::Values(Compilation::Endless, Compilation::EndlessAllocating,
                                           Compilation::UntilGivenUp, Compilation::Short));

std::atomic<bool> table_is_gone = false;

/// A job that makes a variable as LLVM does, and ends the process with 9 when the variable goes before the job.
class JobWithTable : public BackgroundJob {
 public:
  void run() override {
    const codegen::CompileGuard compiling;
    struct Table {
      ~Table() { table_is_gone = true; }
    };
    static Table table;
    codegen::end_before_variables_of_llvm();
    began = true;
    while (!codegen::given_up()) {
      if (table_is_gone) _exit(9);
    }
  }
  void dropped() override {}
  std::atomic<bool> began = false;
};

void end_with_a_table() {
  alarm(30);
  prepare_background();
  const auto job = std::make_shared<JobWithTable>();
  run_in_background(job);
  while (!job->began) std::this_thread::yield();
  std::exit(5);
}

TEST(CompileGuardDeathTest, EndsACompilationBeforeVariablesOfLlvm) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(end_with_a_table(), ::testing::ExitedWithCode(5), "");
}

/// A compilation that somebody waits for, on a thread that the program does not end.
void end_with_a_thread() {
  alarm(30);
  std::atomic<bool> began = false;
  std::thread([&] {
    const codegen::CompileGuard compiling;
    began = true;
    for (volatile unsigned steps = 0;;) steps = steps + 1;
  }).detach();
  while (!began) std::this_thread::yield();
  std::exit(6);
}

TEST(CompileGuardDeathTest, EndsTheProcessOfAnEndlessCompilation) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(end_with_a_thread(), ::testing::ExitedWithCode(6), "");
}

}  // namespace
}  // namespace qd
