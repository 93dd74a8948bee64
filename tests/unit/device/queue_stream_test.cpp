// A stream of the CPU with a thread of its own: order, events, an end in the middle of its work.
#include "runtime/device/cpu/queue_stream.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <thread>
#include <vector>

#include "runtime/codegen/cpu/host_target.h"
#include "runtime/device/cpu/cpu_device.h"
#include "tests/unit/device/append_kernel.h"

namespace qd::device {
namespace {

using std::chrono::milliseconds;

class QueueStreamTest : public ::testing::Test {
 protected:
  void run(Stream& stream, size_t digit) {
    stream.run(*append, {.arrays = &array, .params = &digits[digit], .outcome = &outcomes[digit]});
  }
  int32_t number() { return *static_cast<int32_t*>(memory->map(Memory::Access::Read)); }
  static void finish(Stream& stream) { EXPECT_TRUE(stream.record()->wait_for(std::chrono::seconds(20))); }

  const std::unique_ptr<Device> device = cpu_device({.threads = 2});
  const std::unique_ptr<Executable> append = testing::append_kernel(*device);
  const std::shared_ptr<Memory> memory = device->allocate(sizeof(int32_t));
  const ArraySlot array{memory->address(), {1}};
  const uint64_t digits[5] = {0, 1, 2, 3, 4};
  LaunchOutcome outcomes[5];
};

TEST_F(QueueStreamTest, OnlyTheDefaultStreamRunsInPlace) {
  EXPECT_TRUE(device->stream().in_place());
  EXPECT_FALSE(device->new_stream()->in_place());
  EXPECT_TRUE(device->stream().record()->wait_for(milliseconds(0)));
}

TEST_F(QueueStreamTest, EventsOrderStreams) {
  for (int round = 0; round < 200; ++round) {
    *static_cast<int32_t*>(memory->address()) = 0;
    const std::unique_ptr<Stream> first = device->new_stream(), second = device->new_stream();
    run(*first, 1);
    second->wait(first->record());
    run(*second, 2);
    first->wait(second->record());
    run(*first, 3);
    device->stream().wait(first->record());
    run(device->stream(), 4);
    ASSERT_EQ(number(), 1234);
  }
}

TEST_F(QueueStreamTest, ItsEndWaitsForItsWork) {
  std::unique_ptr<Stream> stream = device->new_stream();
  for (size_t digit = 1; digit < 5; ++digit) run(*stream, digit);
  stream.reset();
  EXPECT_EQ(number(), 1234);
  for (size_t digit = 1; digit < 5; ++digit) EXPECT_EQ(outcomes[digit].tasks, 1);
}

TEST_F(QueueStreamTest, EndsEarly) {
  auto never = std::make_shared<QueueEvent>();
  const std::unique_ptr<Stream> stream = device->new_stream();
  run(*stream, 1);
  stream->wait(never);
  run(*stream, 2);
  const std::shared_ptr<Event> end = stream->record();
  EXPECT_FALSE(end->wait_for(milliseconds(20)));
  stream->end_early();
  EXPECT_TRUE(end->wait_for(std::chrono::seconds(20)));
  EXPECT_EQ(number(), 1);
  EXPECT_EQ(outcomes[1].status, LaunchOutcome::Status::Done);
  EXPECT_EQ(outcomes[2].status, LaunchOutcome::Status::Interrupted);
}

#ifndef __SANITIZE_THREAD__  // ThreadSanitizer ends a child that starts threads
TEST_F(QueueStreamTest, AForkedChildMakesStreamsOfItsOwn) {
  std::unique_ptr<Stream> stream = device->new_stream();
  run(*stream, 1);
  finish(*stream);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);  // a child that waits for its parent's threads must not hang the test
    stream.reset();
    const std::unique_ptr<Stream> own = device->new_stream();
    run(*own, 2);
    finish(*own);
    _exit(number() == 12 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  run(*stream, 3);
  finish(*stream);
  EXPECT_EQ(number(), 13);
}
#endif

}  // namespace
}  // namespace qd::device
