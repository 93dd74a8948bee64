// The functions of CUDA's driver API for graphs. Those for conditions are of CUDA 12.3.
#include "tests/simulated_driver/driver/cuda_entry.h"

using simulated::call;
using simulated::in_context;

QD_CUDA(cuStreamBeginCapture_v2, void* stream, int) {
  return call<simulated::begin_capture>("cuStreamBeginCapture_v2", stream);
}
QD_CUDA(cuStreamEndCapture, void* stream, void** graph) {
  const Result result =
      in_context("cuStreamEndCapture", [&](Device& device) { return simulated::end_capture(device, stream, graph); });
  return result == Result::Success ? result : simulated::abandon_capture(stream, result);
}
QD_CUDA(cuGraphInstantiateWithFlags, void** launchable, void* graph, unsigned long long) {
  return call<simulated::make_launchable>("cuGraphInstantiateWithFlags", launchable, graph);
}
QD_CUDA(cuGraphLaunch, void* launchable, void* stream) {
  return call<simulated::launch_graph>("cuGraphLaunch", launchable, stream);
}
QD_CUDA(cuGraphDestroy, void* graph) { return call<simulated::destroy_graph>("cuGraphDestroy", graph); }
QD_CUDA(cuGraphExecDestroy, void* launchable) {
  return call<simulated::destroy_launchable>("cuGraphExecDestroy", launchable);
}

// --- conditions ------------------------------------------------------------------------------------------------------

QD_CUDA(cuStreamBeginCaptureToGraph, void* stream, void* graph, void* const*, const void*, size_t count, int) {
  return call<simulated::begin_capture_into>("cuStreamBeginCaptureToGraph", stream, graph, count);
}
QD_CUDA(cuStreamGetCaptureInfo_v2, void* stream, int* status, uint64_t* id, void** graph, void* const** after,
        size_t* count) {
  return call<simulated::capture_info>("cuStreamGetCaptureInfo", stream, status, id, graph, after, count);
}
QD_CUDA(cuStreamUpdateCaptureDependencies, void* stream, void** after, size_t count, unsigned flags) {
  return in_context("cuStreamUpdateCaptureDependencies", [&](Device& device) {
    return flags == 1 ? simulated::set_capture_after(device, stream, after, count) : Result::InvalidValue;
  });
}
QD_CUDA(cuGraphConditionalHandleCreate, uint64_t* condition, void* graph, void* context, unsigned, unsigned flags) {
  return in_context("cuGraphConditionalHandleCreate", [&](Device& device) {
    if (context != &device || flags > 1) return Result::InvalidValue;
    return simulated::create_condition(device, condition, graph);
  });
}
QD_CUDA(cuGraphAddNode, void** node, void* graph, void* const* after, size_t count, void* parameters) {
  return call<simulated::add_condition_node>("cuGraphAddNode", node, graph, after, count,
                                             static_cast<simulated::ConditionNode*>(parameters));
}
