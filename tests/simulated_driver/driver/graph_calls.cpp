// Graphs: captured operations of streams. A graph is done in the order of its capture, on one stream. A node's
// handle is its number, counted from 1.
#include <algorithm>

#include "tests/simulated_driver/driver/calls.h"

namespace qd::simulated {
namespace {

constexpr int kCaptures = 1;  // CU_STREAM_CAPTURE_STATUS_ACTIVE

Result begin(Device& device, void* stream, const std::shared_ptr<GraphNodes>& nodes, const void* graph) {
  const std::shared_ptr<Queue> queue = queue_of(device, stream);
  queue->capture = std::make_shared<Capture>(nodes, graph);
  queue->capture->queues.push_back(queue);
  return Result::Success;
}

Result can_begin(Device& device, void* stream) {
  const std::shared_ptr<Queue> queue = queue_of(device, stream);
  if (!queue) return Result::InvalidHandle;
  return queue == device.default_queue || queue->capture ? Result::CaptureUnsupported : Result::Success;
}

/// Ends the capture. Returns whether the graph belongs to it.
bool release(Capture& capture) {
  for (const std::shared_ptr<Queue>& captured : capture.queues) captured->capture = nullptr;
  capture.queues.clear();
  const Graph* graph = driver().graphs.find(capture.graph);
  return graph && !graph->is_body;
}

void remove_with_bodies(const void* handle) {
  const Graph* graph = driver().graphs.find(handle);
  if (!graph) return;
  const std::shared_ptr<GraphNodes> nodes = graph->nodes;
  driver().graphs.remove(handle);
  for (const void* body : nodes->bodies) remove_with_bodies(body);
}

bool conditions_have_nodes(const GraphNodes& nodes) {
  return std::ranges::all_of(nodes.conditions, [](const auto& condition) { return condition->has_node; }) &&
         std::ranges::all_of(
             nodes.bodies, [](const void* body) { return conditions_have_nodes(*driver().graphs.find(body)->nodes); });
}

}  // namespace

Result begin_capture(Device& device, void* stream) {
  const std::lock_guard lock(driver().mutex);
  if (const Result wrong = can_begin(device, stream); wrong != Result::Success) return wrong;
  const auto nodes = std::make_shared<GraphNodes>();
  return begin(device, stream, nodes, driver().graphs.add({&device, nodes}));
}

/// Begins a capture into a graph that is empty, behind no other node: bodies are captured as a whole.
Result begin_capture_into(Device& device, void* stream, const void* handle, size_t after) {
  const std::lock_guard lock(driver().mutex);
  if (const Result wrong = can_begin(device, stream); wrong != Result::Success) return wrong;
  const Graph* graph = driver().graphs.find(handle);
  if (!graph || after != 0 || !graph->nodes->operations.empty()) return Result::InvalidValue;
  return begin(device, stream, graph->nodes, handle);
}

Result capture_info(Device& device, void* stream, int* status, uint64_t* id, void** graph, void* const** after,
                    size_t* count) {
  const std::lock_guard lock(driver().mutex);
  const std::shared_ptr<Queue> queue = queue_of(device, stream);
  if (!queue) return Result::InvalidHandle;
  *status = queue->capture ? kCaptures : 0;
  if (!queue->capture) return Result::Success;
  *id = reinterpret_cast<uintptr_t>(queue->capture.get());
  *graph = const_cast<void*>(queue->capture->graph);
  static thread_local void* last = nullptr;
  last = reinterpret_cast<void*>(queue->capture->nodes->operations.size());
  *after = &last;
  *count = last ? 1 : 0;
  return Result::Success;
}

/// The next operation of the stream comes behind these nodes.
Result set_capture_after(Device& device, void* stream, void* const* after, size_t count) {
  const std::lock_guard lock(driver().mutex);
  const std::shared_ptr<Queue> queue = queue_of(device, stream);
  if (!queue || !queue->capture) return Result::CaptureUnsupported;
  for (size_t i = 0; i < count; ++i) queue->capture->nodes->loose.erase(after[i]);
  return Result::Success;
}

/// Ends a capture; in any case, nothing is captured any more.
Result end_capture(Device& device, void* stream, void** graph) {
  const std::lock_guard lock(driver().mutex);
  const std::shared_ptr<Queue> queue = queue_of(device, stream);
  *graph = nullptr;
  if (!queue) return Result::InvalidHandle;
  const std::shared_ptr<Capture> capture = queue->capture;
  if (!capture || capture->queues.front() != queue) return Result::CaptureUnsupported;
  const bool owns = release(*capture);
  if (!capture->unfinished.empty() || !capture->nodes->loose.empty()) {
    if (owns) remove_with_bodies(capture->graph);
    return Result::CaptureUnjoined;
  }
  *graph = const_cast<void*>(capture->graph);
  return Result::Success;
}

Result abandon_capture(const void* handle, Result why) {
  const std::lock_guard lock(driver().mutex);
  const Stream* stream = driver().streams.find(handle);
  if (!stream || !stream->queue->capture) return why;
  const std::shared_ptr<Capture> capture = stream->queue->capture;
  if (release(*capture)) remove_with_bodies(capture->graph);
  return why;
}

Result make_launchable(Device& device, void** launchable, const void* handle) {
  const std::lock_guard lock(driver().mutex);
  const Graph* graph = driver().graphs.find(handle);
  if (!graph) return Result::InvalidHandle;
  if (!conditions_have_nodes(*graph->nodes)) return Result::InvalidValue;
  *launchable = driver().launchable_graphs.add({&device, graph->nodes});
  return Result::Success;
}

Result launch_graph(Device& device, const void* launchable, void* stream) {
  const std::lock_guard lock(driver().mutex);
  const std::shared_ptr<Queue> queue = queue_of(device, stream);
  const Graph* graph = driver().launchable_graphs.find(launchable);
  if (!queue || !graph || graph->device != &device) return Result::InvalidHandle;
  for (const Operation& operation : graph->nodes->operations) device.engine.add(queue, operation);
  return Result::Success;
}

/// Bodies end with the graph in whose nodes they are.
Result destroy_graph(Device&, const void* handle) {
  const std::lock_guard lock(driver().mutex);
  const Graph* graph = driver().graphs.find(handle);
  if (!graph || graph->is_body) return Result::InvalidHandle;
  remove_with_bodies(handle);
  return Result::Success;
}

Result destroy_launchable(Device&, const void* launchable) {
  const std::lock_guard lock(driver().mutex);
  return driver().launchable_graphs.remove(launchable) ? Result::Success : Result::InvalidHandle;
}

}  // namespace qd::simulated
