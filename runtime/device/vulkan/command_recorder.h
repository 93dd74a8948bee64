// Command recorder: records commands of launches, submits them, and waits until they have run.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/device/vulkan/gpu.h"

namespace qd::device::vulkan {

/// Recorder for one thread. Commands run one after the other: each sees the writes of those before it.
class CommandRecorder {
 public:
  /// Result of a wait.
  enum class End : uint8_t {
    Over,     // all commands have run
    Early,    // the stream is to end early
    Timeout,  // the device got no further for too long
    Lost,     // the device is lost: Gpu::lost
  };
  /// Conditions that a wait checks some times a second.
  struct Watch {
    const std::atomic<bool>* ends_early;  // null: it never ends early
    std::chrono::nanoseconds limit;       // without any progress; 0: there is none
    std::function<size_t()> progress;     // a number that grows when the device gets further
  };

  /// Makes a recorder. `number`: of the stream; by it a queue is chosen.
  CommandRecorder(std::shared_ptr<Gpu> gpu, uint32_t number);
  ~CommandRecorder();
  CommandRecorder(const CommandRecorder&) = delete;
  CommandRecorder& operator=(const CommandRecorder&) = delete;

  /// Program of a dispatch. Binding i of the layout's set is `buffers[i]`.
  struct Program {
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    std::span<const VkDescriptorBufferInfo> buffers = {};
  };
  /// Dependency of a command on earlier ones.
  enum class Order : uint8_t {
    Behind,  // for all commands before
    Beside,  // for the same commands as the one before: the two may run at the same time
  };
  void dispatch(const Program& program, uint32_t groups, const void* push_constants, uint32_t size,
                Order order = Order::Behind);
  /// Dispatches numbers of groups that are a VkDispatchIndirectCommand at an offset of a piece.
  void dispatch_indirect(const Program& program, const Piece& piece, size_t offset, const void* push_constants,
                         uint32_t size, Order order = Order::Behind);
  /// Writes a 1 of 32 bits into a piece when all commands before have run. Commands behind it do not wait for that.
  void set_flag(const Piece& piece, size_t offset);
  /// Copies a number of 32 bits within a piece, to one or more places.
  void copy(const Piece& piece, size_t from, std::span<const size_t> to);
  /// Whether there is room to measure this many more tasks.
  bool can_measure(size_t tasks) const { return ticks_ + 2 * tasks <= kTicks; }
  /// Notes the time on the device. Returns a number for time_of().
  uint32_t note_time();
  /// The time of a note_time(), in nanoseconds; valid when the commands have run, up to the next command.
  int64_t time_of(uint32_t number) const { return times_[number]; }

  bool empty() const { return !recording_; }
  /// Submits the recorded commands and waits for them. When the wait does not end with Over, the device may still be
  /// running the commands: then the recorder may do nothing but wait, and nothing that the commands use may be freed.
  End run(const Watch& watch);
  /// Waits once more for the commands that run() has submitted.
  End wait(const Watch& watch);

 private:
  static constexpr uint32_t kTicks = 1024;

  void begin();
  void prepare(const Program& program, const void* push_constants, uint32_t size, Order order);
  void barrier(VkAccessFlags to, VkPipelineStageFlags stage);
  void submit();
  End wait_for_end(const Watch& watch);
  void read_times();

  const std::shared_ptr<Gpu> gpu_;
  const uint32_t number_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  VkQueryPool queries_ = VK_NULL_HANDLE;
  VkSemaphore over_ = VK_NULL_HANDLE;  // a timeline: the number of submissions that have run
  uint64_t submissions_ = 0;
  bool recording_ = false;
  bool first_ = true;  // no command was recorded since the begin
  struct Flag {
    VkBuffer buffer;
    VkDeviceSize offset;
  };
  std::vector<VkWriteDescriptorSet> writes_;  // of one dispatch
  std::vector<Flag> flags_;                   // to be written behind the next barrier
  uint32_t ticks_ = 0;                        // number of times that were noted
  std::vector<int64_t> times_;
};

}  // namespace qd::device::vulkan
