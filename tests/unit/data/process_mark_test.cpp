// Writers of a file that may be of this machine, of a container on it, or of another machine.
#include "report/data/process_mark.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <set>
#include <tuple>

#include "scratch_folder.h"

namespace qd::report {
namespace {

class ProcessMarkTest : public testing::ScratchFolder {
 protected:
  void SetUp() override {
    ScratchFolder::SetUp();
    write("file", "x");
    here_ = open(path("file").c_str(), O_RDWR | O_CLOEXEC);
    // Not among the file systems that are known to be of one machine, as a folder over FUSE.
    shared_ = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  }
  void TearDown() override {
    close(here_);
    close(shared_);
    ScratchFolder::TearDown();
  }

  static ProcessMark with(LockReach lock, void (*change)(ProcessMark&) = nullptr) {
    ProcessMark mark = ProcessMark::present(lock);
    if (change) change(mark);
    return mark;
  }

  int here_ = -1, shared_ = -1;
};

void of_another_machine(ProcessMark& mark) { mark.boot = "11111111-2222-3333-4444-555555555555"; }
void of_another_container(ProcessMark& mark) { ++mark.pid_namespace; }
void of_an_earlier_process(ProcessMark& mark) { --mark.started; }
void of_no_process(ProcessMark& mark) { mark.pid = 0x7fffffff; }
void of_an_older_version(ProcessMark& mark) { mark = {}; }

TEST_F(ProcessMarkTest, ALockTellsThatItRuns) {
  const int lock = open(path("file").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(lock_for_life(lock), LockReach::Machine);
  for (auto change : {of_another_machine, of_another_container, of_an_older_version})
    EXPECT_EQ(state_of_writer(here_, with(LockReach::Machine, change)), ProcessState::Runs);
  close(lock);
  EXPECT_EQ(state_of_writer(here_, with(LockReach::Machine)), ProcessState::Ended);
}

TEST_F(ProcessMarkTest, WithoutLocksItsNumberTells) {
  EXPECT_EQ(state_of_writer(here_, with(LockReach::None)), ProcessState::Runs);
  EXPECT_EQ(state_of_writer(here_, with(LockReach::None, of_an_earlier_process)), ProcessState::Ended);
  EXPECT_EQ(state_of_writer(here_, with(LockReach::None, of_no_process)), ProcessState::Ended);
  EXPECT_EQ(state_of_writer(here_, with(LockReach::None, of_another_container)), ProcessState::Unknown);
}

TEST_F(ProcessMarkTest, AnotherMachineIsUnknownInASharedFolder) {
  EXPECT_EQ(state_of_writer(shared_, with(LockReach::Machine, of_another_machine)), ProcessState::Unknown);
  EXPECT_EQ(state_of_writer(shared_, with(LockReach::AllMachines, of_another_machine)), ProcessState::Unknown)
      << "this machine sees no locks of others there";
  EXPECT_EQ(state_of_writer(here_, with(LockReach::Machine, of_another_machine)), ProcessState::Ended)
      << "this machine, before it was started anew";
}

TEST_F(ProcessMarkTest, AnotherContainerHasAMountOfItsOwn) {
  EXPECT_EQ(state_of_writer(shared_, with(LockReach::Machine)), ProcessState::Runs);
  EXPECT_EQ(state_of_writer(shared_, with(LockReach::Machine, of_an_earlier_process)), ProcessState::Ended);
  EXPECT_EQ(state_of_writer(shared_, with(LockReach::Machine, of_another_container)), ProcessState::Unknown);
}

TEST_F(ProcessMarkTest, MarksAreReadAsTheyWereWritten) {
  const ProcessMark mark = with(LockReach::Machine);
  std::string bytes;
  mark.put_to(bytes);
  ByteReader reader{bytes};
  const ProcessMark read = ProcessMark::read(reader);
  EXPECT_TRUE(reader.rest.empty());
  EXPECT_EQ(std::tie(read.host, read.boot, read.pid_namespace, read.pid, read.started, read.lock),
            std::tie(mark.host, mark.boot, mark.pid_namespace, mark.pid, mark.started, mark.lock));
  EXPECT_EQ(read.boot.size(), 36u);
  EXPECT_GT(read.started, 0u);
  ByteReader short_reader{std::string_view(bytes).substr(0, bytes.size() - 1)};
  EXPECT_TRUE(ProcessMark::read(short_reader).boot.empty());
}

TEST(ProcessSuffix, IsAnotherOneEachTime) {
  std::set<std::string> suffixes;
  for (int i = 0; i < 1000; ++i) suffixes.insert(process_suffix());
  EXPECT_EQ(suffixes.size(), 1000u);
  EXPECT_NE(suffixes.begin()->find(".pid" + std::to_string(getpid()) + ".X"), std::string::npos);
}

}  // namespace
}  // namespace qd::report
