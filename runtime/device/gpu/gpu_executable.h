// Loaded code of one kernel: a function of the GPU for each task.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "runtime/codegen/gpu/task_shape.h"
#include "runtime/device/gpu/graph_conditions.h"
#include "runtime/device/gpu/launch_buffer_pool.h"
#include "runtime/device/gpu/task_graph.h"
#include "runtime/device/launches/loaded_kernel.h"

namespace qd::device::gpu {

/// The memory of a launch. Launches without output of their own, and with the same input, share it; of those with
/// output, one after the other has it.
class LaunchMemory {
 public:
  LaunchMemory(std::shared_ptr<LaunchBufferPool> pool, const LaunchBufferLayout& layout);
  ~LaunchMemory() { pool_->give_back(buffer_); }
  LaunchMemory(const LaunchMemory&) = delete;
  LaunchMemory& operator=(const LaunchMemory&) = delete;

  Address address() const { return buffer_.device; }
  /// Input of the launch, from the host: [0, LaunchBufferLayout::filled).
  std::byte* given() const { return buffer_.host; }
  /// Output of the launch, for the host: LaunchBufferLayout::over and on, up to `filled`.
  std::byte* left() const { return buffer_.host + layout_.filled; }
  LaunchBuffer given_buffer() const { return {layout_, given(), address()}; }
  /// The part from LaunchBufferLayout::over on.
  LaunchBuffer left_buffer() const { return {layout_, left() - layout_.over, address()}; }

  /// Whether the device's part is as a launch with the input in given() wants it, without a copy: the last launch has
  /// handed its output over (DeviceLaunch::left).
  bool is_filled = false;
  /// Graphs of steps that launches in this memory have repeated. They belong to the launch that has the memory.
  std::vector<RepeatedSteps> repeated = {};

 private:
  const std::shared_ptr<LaunchBufferPool> pool_;
  const LaunchBufferLayout& layout_;
  const HostDevicePair buffer_;
};

class GpuExecutable : public Executable {
 public:
  /// Loads the code. Throws std::runtime_error.
  GpuExecutable(std::shared_ptr<Gpu> gpu, std::shared_ptr<LaunchBufferPool> buffers,
                std::shared_ptr<GraphConditions> conditions, const codegen::Binary& binary, const ir::Kernel& kernel);
  ~GpuExecutable() override;
  GpuExecutable(const GpuExecutable&) = delete;
  GpuExecutable& operator=(const GpuExecutable&) = delete;

  struct Task {
    Handle function = nullptr;
    codegen::gpu::TaskShape shape;
    /// Whether the host needs a value that earlier tasks have stored before it can enqueue the task: there must be a
    /// group for each block, and the number of blocks is in a temp.
    bool waits = false;
  };
  const LoadedKernel& kernel() const { return kernel_; }
  const std::vector<Task>& tasks() const { return tasks_; }
  Gpu& gpu() const { return *gpu_; }
  /// Whether the host has to read values that tasks have stored before it can enqueue later ones.
  bool waits(const Invocation& invocation) const;
  /// Whether a step runs tasks without a wait of the host: one task, or those of a fork.
  bool is_plain(const ir::Step& step) const;
  /// Whether a step can be in a graph of the driver, which does the same each time.
  bool is_repeatable(const ir::Step& step) const;
  /// Conditions for graphs; null: the kernel has none.
  GraphConditions* conditions() const { return conditions_.get(); }

  /// Number of streams beside the launch's own that its sections can use.
  size_t sections_beside() const { return sections_beside_; }
  /// Depth of nested conditions that the device may evaluate itself.
  int condition_depth() const { return condition_depth_; }

  /// Whether a launch may hand its output over itself. `last`: the task that does.
  std::optional<uint32_t> hands_over() const { return hands_over_; }

  /// Memory of a launch: if there is, one that is filled with the same input, or one in which launches of this kernel
  /// have repeated steps.
  std::shared_ptr<LaunchMemory> new_memory(const Invocation& invocation) const;
  /// Memory that a launch of a quiet kernel on this stream can share, because it holds the same input. Null: there is
  /// none. A launch that takes memory of its own notes it for the next ones.
  std::shared_ptr<LaunchMemory> shared_memory(const void* stream, const Invocation& invocation) const;
  void share(const void* stream, std::shared_ptr<LaunchMemory> memory) const;
  /// Ends the sharing of this memory.
  void stop_sharing(const LaunchMemory& memory) const;

 private:
  const std::shared_ptr<Gpu> gpu_;
  const std::shared_ptr<LaunchBufferPool> buffers_;
  const LoadedKernel kernel_;
  const std::optional<uint32_t> hands_over_;
  Handle module_ = nullptr;
  std::vector<Task> tasks_;
  std::shared_ptr<GraphConditions> conditions_;
  bool waits_ = false;  // for bounds of tasks
  int condition_depth_ = 0;
  size_t sections_beside_ = 0;
  struct Shared {
    const void* stream;
    std::shared_ptr<LaunchMemory> memory;
  };
  mutable std::mutex shared_mutex_;  // of `shared_`
  mutable std::vector<Shared> shared_;
  struct Kept;
  const std::shared_ptr<Kept> kept_;
  bool holds(const LaunchMemory& memory, const Invocation& invocation) const;
};

}  // namespace qd::device::gpu
