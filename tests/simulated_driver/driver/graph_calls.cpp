// Graphs: what was captured of streams. A graph is done in the order in which it was captured, on one stream.
#include "tests/simulated_driver/driver/calls.h"

namespace qd::simulated {

Result begin_capture(Device& device, void* stream) {
  const std::lock_guard lock(driver().mutex);
  const std::shared_ptr<Queue> queue = queue_of(device, stream);
  if (!queue) return Result::InvalidHandle;
  if (queue == device.default_queue || queue->capture) return Result::CaptureUnsupported;
  queue->capture = std::make_shared<Capture>();
  queue->capture->queues.push_back(queue);
  return Result::Success;
}

namespace {

void release(Capture& capture) {
  for (const std::shared_ptr<Queue>& captured : capture.queues) captured->capture = nullptr;
  capture.queues.clear();
}

}  // namespace

/// In any case, nothing is captured any more.
Result end_capture(Device& device, void* stream, void** graph) {
  const std::lock_guard lock(driver().mutex);
  const std::shared_ptr<Queue> queue = queue_of(device, stream);
  *graph = nullptr;
  if (!queue) return Result::InvalidHandle;
  const std::shared_ptr<Capture> capture = queue->capture;
  if (!capture || capture->queues.front() != queue) return Result::CaptureUnsupported;
  release(*capture);
  if (!capture->unfinished.empty()) return Result::CaptureUnjoined;
  *graph = driver().graphs.add({&device, std::move(capture->operations)});
  return Result::Success;
}

Result abandon_capture(const void* handle, Result why) {
  const std::lock_guard lock(driver().mutex);
  const Stream* stream = driver().streams.find(handle);
  if (stream && stream->queue->capture) release(*std::shared_ptr(stream->queue->capture));
  return why;
}

Result make_launchable(Device& device, void** launchable, const void* handle) {
  const std::lock_guard lock(driver().mutex);
  const Graph* graph = driver().graphs.find(handle);
  if (!graph) return Result::InvalidHandle;
  *launchable = driver().launchable_graphs.add({&device, graph->operations});
  return Result::Success;
}

Result launch_graph(Device& device, const void* launchable, void* stream) {
  const std::lock_guard lock(driver().mutex);
  const std::shared_ptr<Queue> queue = queue_of(device, stream);
  const Graph* graph = driver().launchable_graphs.find(launchable);
  if (!queue || !graph || graph->device != &device) return Result::InvalidHandle;
  for (const Operation& operation : graph->operations) device.engine.add(queue, operation);
  return Result::Success;
}

Result destroy_graph(Device&, const void* graph) {
  const std::lock_guard lock(driver().mutex);
  return driver().graphs.remove(graph) ? Result::Success : Result::InvalidHandle;
}

Result destroy_launchable(Device&, const void* launchable) {
  const std::lock_guard lock(driver().mutex);
  return driver().launchable_graphs.remove(launchable) ? Result::Success : Result::InvalidHandle;
}

}  // namespace qd::simulated
