// Launch buffer: the memory of a launch besides its arrays, for abi/device_launch.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/abi/device_launch.h"
#include "runtime/device/device.h"

namespace qd::device {

/// Largest number of passes of a DoWhile that a device may enqueue at once.
inline constexpr size_t kMostPasses = 64;

/// Number of groups of a task, in the form that devices read from memory (VkDispatchIndirectCommand).
struct GroupCounts {
  uint32_t x, y, z;
};

/// Offsets of the parts of a buffer, in bytes, for all launches of a kernel. The input of a launch, from the host, is
/// [0, filled); its output, for the host, is [over, filled), and the words of messages behind it.
struct LaunchBufferLayout {
  explicit LaunchBufferLayout(const ir::Kernel& kernel);

  // A DeviceLaunch stands in front.
  size_t arrays = 0;
  size_t params = 0;
  size_t over = 0;     // 16 bytes, the first four a u32: 1 when all commands of the launch have run
  size_t failed = 0;   // a u32 for each task: DeviceMessages::failed after the task
  size_t groups = 0;   // a GroupCounts for each task, for passes of a DoWhile that are enqueued ahead
  size_t passes = 0;   // a u32 for each of these passes: the condition behind it
  size_t results = 0;  // this, temps and counters are zeros at the start
  size_t temps = 0;
  size_t counters = 0;
  size_t messages = 0;  // a DeviceMessages, and its words behind it
  size_t filled = 0;
  size_t size = 0;
  size_t groups_of(uint32_t task) const { return groups + task * sizeof(GroupCounts); }
  // Lengths of the parts.
  size_t array_count, param_count, result_count, temp_count, counter_count;
  uint32_t message_words = 0;  // DeviceMessages::capacity
  bool tells_failures = false;
  /// Whether a launch has no output in its buffer.
  bool is_quiet() const { return result_count + temp_count + counter_count + message_words == 0 && !tells_failures; }
};

/// The host's view of a buffer.
class LaunchBuffer {
 public:
  /// `address`: of the buffer on the device.
  LaunchBuffer(const LaunchBufferLayout& layout, std::byte* host, uint64_t address)
      : layout_(layout), host_(host), address_(address) {}

  /// Prepares the buffer for a launch. `tables` and `left`: as in DeviceLaunch.
  void fill(const Invocation& invocation, uint32_t kept_temps, uint64_t tables = 0, uint64_t left = 0) const;
  bool over() const { return *number(layout_.over) != 0; }
  /// Stops the launch: groups of threads that have not begun yet do nothing from now on, once the device sees it.
  void stop() const {
    volatile uint32_t* failed = number(layout_.messages + offsetof(DeviceMessages, failed));
    *failed = *failed | kStopped;
  }
  /// Whether the launch ends before its end: an assert has failed, the driver has ended loops, or the host has stopped
  /// it.
  bool failed() const { return messages().failed != 0; }
  bool assert_failed() const { return (messages().failed & kAssertFailed) != 0; }
  bool loops_ended() const { return (messages().failed & kLoopsEnded) != 0; }
  /// Whether it had failed when this task was over.
  bool failed_by(uint32_t task) const { return number(layout_.failed)[task] != 0; }
  /// Prepares the groups of a task in passes that may not take place. The copied condition is the last number.
  void set_groups(uint32_t task, uint32_t count) const {
    volatile uint32_t* groups = number(layout_.groups_of(task));
    groups[0] = count;
    groups[1] = 1;
    groups[2] = 0;
  }
  /// Whether the condition held behind a pass that was enqueued ahead.
  bool held_behind(size_t pass) const { return number(layout_.passes)[pass] != 0; }
  bool holds(uint32_t temp) const { return static_cast<int32_t>(words(layout_.temps)[temp]) != 0; }
  const uint64_t* results() const { return words(layout_.results); }
  const uint64_t* temps() const { return words(layout_.temps); }
  const uint64_t* counters() const { return words(layout_.counters); }
  const DeviceMessages& messages() const { return *reinterpret_cast<DeviceMessages*>(host_ + layout_.messages); }
  const LaunchBufferLayout& layout() const { return layout_; }
  uint64_t address() const { return address_; }

 private:
  uint64_t* words(size_t offset) const { return reinterpret_cast<uint64_t*>(host_ + offset); }
  volatile uint32_t* number(size_t offset) const { return reinterpret_cast<volatile uint32_t*>(host_ + offset); }

  const LaunchBufferLayout& layout_;
  std::byte* host_;
  uint64_t address_;
};

}  // namespace qd::device
