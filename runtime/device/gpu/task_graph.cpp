#include "runtime/device/gpu/task_graph.h"

#include "runtime/device/gpu/graph_conditions.h"

namespace qd::device::gpu {

bool TaskGraph::available(const Driver& driver) {
  return driver.capture_begin && driver.capture_end && driver.graph_instantiate && driver.graph_launch &&
         driver.graph_destroy && driver.graph_exec_destroy;
}

std::unique_ptr<TaskGraph> TaskGraph::capture(Gpu& gpu, Handle stream, const std::function<void()>& enqueue) {
  const Driver& driver = gpu.driver();
  auto worked = [&](const char* field, Result result) {
    if (is_sticky(result)) gpu.require(field, result);
    return result == kSuccess;
  };
  if (!worked("capture_begin", driver.capture_begin(stream, kRelaxedCapture))) return nullptr;
  Handle captured = nullptr, graph = nullptr;
  auto give_up = [&] {
    if (gpu.usable() && driver.capture_end(stream, &captured) == kSuccess && captured) driver.graph_destroy(captured);
  };
  try {
    enqueue();
  } catch (const NoGraph&) {
    give_up();
    return nullptr;
  } catch (...) {
    give_up();
    throw;
  }
  if (!worked("capture_end", driver.capture_end(stream, &captured)) || !captured) return nullptr;
  const Result made = driver.graph_instantiate(&graph, captured, 0);
  driver.graph_destroy(captured);
  if (!worked("graph_instantiate", made)) return nullptr;
  return std::unique_ptr<TaskGraph>(new TaskGraph(gpu, graph));
}

TaskGraph::~TaskGraph() {
  if (!gpu_.usable()) return;
  const Gpu::Current current(gpu_, std::nothrow);
  gpu_.driver().graph_exec_destroy(graph_);
}

void TaskGraph::launch(Handle stream) { gpu_.require("graph_launch", gpu_.driver().graph_launch(graph_, stream)); }

}  // namespace qd::device::gpu
