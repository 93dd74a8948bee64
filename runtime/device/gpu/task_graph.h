// Graphs of the driver for tasks that are enqueued again and again: one call enqueues all of them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "runtime/device/gpu/gpu.h"
#include "runtime/ir/schedule.h"

namespace qd::device::gpu {

/// CU_STREAM_CAPTURE_MODE_RELAXED: other threads, and other libraries in this one, are not restricted meanwhile.
inline constexpr int kRelaxedCapture = 2;

/// A graph that the driver can launch. In the child of a fork, and when the device is lost, it is left behind.
class TaskGraph {
 public:
  /// Whether the driver has graphs.
  static bool available(const Driver& driver);
  /// Captures the work that `enqueue` enqueues on the stream; it does not run now. Null when the driver cannot make a
  /// graph of it. Throws all that `enqueue` throws, but for NoGraph (graph_conditions.h).
  static std::unique_ptr<TaskGraph> capture(Gpu& gpu, Handle stream, const std::function<void()>& enqueue);
  /// Destroys the graph. Not while it runs.
  ~TaskGraph();
  TaskGraph(const TaskGraph&) = delete;
  TaskGraph& operator=(const TaskGraph&) = delete;

  /// Enqueues the graph. Throws CallFailed.
  void launch(Handle stream);

 private:
  TaskGraph(Gpu& gpu, Handle graph) : gpu_(gpu), graph_(graph) {}

  Gpu& gpu_;
  const Handle graph_;
};

/// Whether a temp decides if, or how often, the step runs.
inline bool has_condition(const ir::Step& step) {
  return step.kind == ir::Step::Kind::DoWhile || step.kind == ir::Step::Kind::If;
}

/// Steps of a schedule that a launch in some memory runs without a wait, and their graph once they have been run often.
struct RepeatedSteps {
  const ir::Step* first = nullptr;
  struct Task {
    uint32_t number;
    uint64_t groups;
  };
  std::vector<Task> tasks = {};
  int runs = 0;
  std::unique_ptr<TaskGraph> graph = nullptr;
};

}  // namespace qd::device::gpu
