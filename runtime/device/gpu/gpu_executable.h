// Loaded code of one kernel: a function of the GPU for each task.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "runtime/codegen/gpu/task_shape.h"
#include "runtime/device/gpu/graph_conditions.h"
#include "runtime/device/gpu/room_pool.h"
#include "runtime/device/gpu/task_graph.h"
#include "runtime/device/launches/loaded_kernel.h"

namespace qd::device::gpu {

/// The memory of a launch. Launches that leave nothing, and get the same, share it.
class LaunchMemory {
 public:
  LaunchMemory(std::shared_ptr<RoomPool> pool, const RoomLayout& layout);
  ~LaunchMemory() { pool_->give_back(room_); }
  LaunchMemory(const LaunchMemory&) = delete;
  LaunchMemory& operator=(const LaunchMemory&) = delete;

  Address address() const { return room_.device; }
  /// What the host fills in: [0, RoomLayout::filled).
  std::byte* given() const { return room_.host; }
  /// Where the host finds what the launch leaves: RoomLayout::over and on, up to `filled`.
  std::byte* left() const { return room_.host + layout_.filled; }
  LaunchRoom given_room() const { return {layout_, given(), address()}; }
  /// Only what lies at RoomLayout::over and behind it.
  LaunchRoom left_room() const { return {layout_, left() - layout_.over, address()}; }

  /// What launches in this memory have repeated. It belongs to the launch that has the memory.
  std::vector<RepeatedSteps> repeated = {};

 private:
  const std::shared_ptr<RoomPool> pool_;
  const RoomLayout& layout_;
  const Room room_;
};

class GpuExecutable : public Executable {
 public:
  /// Throws std::runtime_error.
  GpuExecutable(std::shared_ptr<Gpu> gpu, std::shared_ptr<RoomPool> rooms, std::shared_ptr<GraphConditions> conditions,
                const codegen::Binary& binary, const ir::Kernel& kernel);
  ~GpuExecutable() override;
  GpuExecutable(const GpuExecutable&) = delete;
  GpuExecutable& operator=(const GpuExecutable&) = delete;

  struct Task {
    Handle function = nullptr;
    codegen::gpu::TaskShape shape;
    /// The host must know what earlier tasks have stored before it can enqueue the task: there must be a group for each
    /// block, and the number of blocks is in a temp.
    bool waits = false;
  };
  const LoadedKernel& kernel() const { return kernel_; }
  const std::vector<Task>& tasks() const { return tasks_; }
  Gpu& gpu() const { return *gpu_; }
  /// Whether the host has to read what tasks have stored before it can enqueue later ones.
  bool waits(const Invocation& invocation) const;
  /// Whether a step runs tasks for which the host need not wait, one or those of a fork.
  bool is_plain(const ir::Step& step) const;
  /// Whether a step can be in a graph of the driver, which does the same each time.
  bool is_repeatable(const ir::Step& step) const;
  /// Null: the kernel has none.
  GraphConditions* conditions() const { return conditions_.get(); }

  /// How many streams beside the launch's own its sections can use.
  size_t sections_beside() const { return sections_beside_; }
  /// How deeply conditions are nested that the device may see to.
  int condition_depth() const { return condition_depth_; }

  /// Memory in which launches of this kernel have repeated steps is used again first.
  std::shared_ptr<LaunchMemory> new_memory() const;
  /// Of quiet kernels: the memory that a launch on this stream can share, because it holds what the invocation gives.
  /// Null: there is none. A launch that takes memory of its own notes it for the next ones.
  std::shared_ptr<LaunchMemory> shared_memory(const void* stream, const Invocation& invocation) const;
  void share(const void* stream, std::shared_ptr<LaunchMemory> memory) const;
  /// Nobody shares this memory any more.
  void stop_sharing(const LaunchMemory& memory) const;

 private:
  const std::shared_ptr<Gpu> gpu_;
  const std::shared_ptr<RoomPool> rooms_;
  const LoadedKernel kernel_;
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
};

}  // namespace qd::device::gpu
