#include "report/data/data_lock.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <thread>

#include "tests/unit/data/scratch_folder.h"

namespace qd::report {
namespace {

class DataLockTest : public ::qd::testing::ScratchFolder {
 protected:
  /// A process that takes the lock and gives it back, again and again, after `delay`.
  pid_t start_user(std::chrono::milliseconds delay = {}) {
    const pid_t child = fork();
    if (child != 0) return child;
    std::this_thread::sleep_for(delay);
    remove_temporaries_on_signals();
    for (;;) const DataLock lock(path(".coverage"), {});
  }
  bool has_file() const { return std::filesystem::exists(path(".qd-cov.coverage.lock")); }
};

TEST_F(DataLockTest, HasItsFileOnlyWhileItIsHeld) {
  {
    const DataLock lock(path(".coverage"), {});
    EXPECT_TRUE(has_file());
  }
  EXPECT_FALSE(has_file());
}

TEST_F(DataLockTest, LeavesNoFileWhereverASignalEndsTheProgram) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer runs handlers later, even where the signal is blocked then";
#endif
  std::minstd_rand random(7);
  for (int n = 0; n < 300; ++n) {
    const pid_t user = start_user();
    std::this_thread::sleep_for(std::chrono::microseconds(1000 + random() % 1000));
    kill(user, SIGINT);
    int status = 0;
    waitpid(user, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    ASSERT_FALSE(has_file()) << "process " << n;
  }
}

TEST_F(DataLockTest, AProcessThatIsEndedWhileItWaitsLeavesTheFileOfTheOther) {
  const pid_t user = start_user(std::chrono::milliseconds(100));  // forked before the lock, so that it does not own it
  const DataLock lock(path(".coverage"), {});
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  kill(user, SIGTERM);
  int status = 0;
  waitpid(user, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  EXPECT_TRUE(has_file());
}

}  // namespace
}  // namespace qd::report
