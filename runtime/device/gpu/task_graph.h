// Tasks that are enqueued again and again, as a graph of the driver: one call enqueues all of them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "runtime/device/gpu/gpu.h"
#include "runtime/ir/schedule.h"

namespace qd::device::gpu {

/// A graph that the driver can launch. In the child of a fork, and when the device is lost, it is left behind.
class TaskGraph {
 public:
  /// Whether the driver has graphs.
  static bool available(const Driver& driver);
  /// What `enqueue` enqueues on the stream, which does not run now. Null when the driver cannot make a graph of it.
  /// Throws what `enqueue` throws.
  static std::unique_ptr<TaskGraph> capture(Gpu& gpu, Handle stream, const std::function<void()>& enqueue);
  /// Not while it runs.
  ~TaskGraph();
  TaskGraph(const TaskGraph&) = delete;
  TaskGraph& operator=(const TaskGraph&) = delete;

  /// Throws CallFailed.
  void launch(Handle stream);

 private:
  TaskGraph(Gpu& gpu, Handle graph) : gpu_(gpu), graph_(graph) {}

  Gpu& gpu_;
  const Handle graph_;
};

/// Steps of a schedule that a launch in some memory runs without a wait, and their graph once they have been run often.
struct RepeatedSteps {
  const ir::Step* first = nullptr;
  std::vector<uint64_t> groups = {};  // of each task
  int runs = 0;
  std::unique_ptr<TaskGraph> graph = nullptr;
};

}  // namespace qd::device::gpu
