// Conditions in graphs of the driver: steps that the device repeats, or leaves out, without asking the host.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "runtime/abi/condition_arguments.h"
#include "runtime/codegen/target.h"
#include "runtime/device/gpu/gpu.h"

namespace qd::device::gpu {

/// Error: the driver cannot make a part of a graph; the device is as it was.
struct NoGraph : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Graphs with conditions on a device. Thread-safe. In the child of a fork, and on a lost device, it is left behind.
class GraphConditions {
 public:
  GraphConditions(std::shared_ptr<Gpu> gpu, const codegen::Target& target) : gpu_(std::move(gpu)), target_(target) {}
  ~GraphConditions();
  GraphConditions(const GraphConditions&) = delete;
  GraphConditions& operator=(const GraphConditions&) = delete;

  /// Compiles and loads the kernel for conditions, with the first call. Returns whether graphs can have conditions, as
  /// far as that is known. Throws CallFailed when the device is lost.
  bool load();
  bool available() const { return available_.load(); }
  /// Gives up conditions: the driver has made no graph with them, so none is asked for any more.
  void give_up() { available_.store(false); }

  /// Condition of steps, for the device: a temp in the memory of the launch.
  struct Condition {
    Address launch;
    uint32_t temp, failed;  // as in ConditionArguments
  };
  /// Adds an If to the capture on a stream. `yes` and `no` enqueue its steps on another stream, `body`: the device runs
  /// those of `yes` if the temp is not 0, else those of `no`. Either may be empty. Throws NoGraph, CallFailed, and all
  /// that the functions throw.
  void add_if(Handle stream, const Condition& condition, Handle body, const std::function<void()>& yes,
              const std::function<void()>& no);
  /// Adds a DoWhile: steps that the device runs once, and again as long as the temp is not 0 behind them.
  void add_do_while(Handle stream, const Condition& condition, Handle body, const std::function<void()>& steps);

 private:
  struct Captured {
    Handle graph = nullptr;
    const Handle* after = nullptr;  // the nodes on which the next one of the stream depends
    size_t count = 0;
  };
  struct Node {
    uint64_t handle;  // of its condition
    Handle body;
    std::function<void()> steps;
  };

  uint64_t create(Handle stream, const Condition& condition, RunsWhen when);
  Captured look(Handle stream);
  void add(ConditionNode::Kind kind, Handle stream, const Node& node);
  void set(Handle stream, uint64_t handle, const Condition& condition, RunsWhen when);
  void require(const char* field, Result result);

  const std::shared_ptr<Gpu> gpu_;
  const codegen::Target& target_;
  std::atomic<bool> available_ = false;
  std::mutex mutex_;  // of the loading
  bool loaded_ = false;
  Handle module_ = nullptr, setter_ = nullptr;
};

}  // namespace qd::device::gpu
