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

/// The driver cannot make a part of a graph; the device is as it was.
struct NoGraph : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Of a device. Thread-safe. In the child of a fork, and when the device is lost, it is left behind.
class GraphConditions {
 public:
  GraphConditions(std::shared_ptr<Gpu> gpu, const codegen::Target& target) : gpu_(std::move(gpu)), target_(target) {}
  ~GraphConditions();
  GraphConditions(const GraphConditions&) = delete;
  GraphConditions& operator=(const GraphConditions&) = delete;

  /// Compiles and loads what conditions need, when it is called for the first time. Returns whether graphs can have
  /// conditions, as far as that is known. Throws CallFailed when the device is lost.
  bool load();
  bool available() const { return available_.load(); }
  /// The driver has made no graph with conditions, so none is asked for any more.
  void give_up() { available_.store(false); }

  /// What the device reads to know whether steps run: a temp in the memory of the launch.
  struct Condition {
    Address launch;
    uint32_t temp, failed;  // as in ConditionArguments
  };
  /// Adds steps to what is captured on a stream, which `yes` and `no` enqueue on another stream, `body`: the device
  /// runs those of `yes` where the temp is not 0, else those of `no`. Either may be empty. Throws NoGraph, CallFailed,
  /// and what the functions throw.
  void add_if(Handle stream, const Condition& condition, Handle body, const std::function<void()>& yes,
              const std::function<void()>& no);
  /// Steps that the device runs once, and again as long as the temp is not 0 behind them.
  void add_do_while(Handle stream, const Condition& condition, Handle body, const std::function<void()>& steps);

 private:
  struct Captured {
    Handle graph = nullptr;
    const Handle* after = nullptr;  // on which nodes the next one of the stream depends
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
