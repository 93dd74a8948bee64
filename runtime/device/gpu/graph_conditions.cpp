// Values of graph nodes with a condition. A kernel of ours sets them (codegen/gpu/condition_setter): in front of the
// node, and at the end of a body that is repeated.
#include "runtime/device/gpu/graph_conditions.h"

#include "runtime/device/gpu/task_graph.h"
#include "runtime/device/host_threads.h"

namespace qd::device::gpu {
namespace {

constexpr unsigned kSetDependencies = 1;  // CU_STREAM_SET_CAPTURE_DEPENDENCIES

}  // namespace

GraphConditions::~GraphConditions() {
  if (!module_ || !gpu_->usable()) return;
  const Gpu::Current current(*gpu_, std::nothrow);
  gpu_->driver().module_unload(module_);
}

bool GraphConditions::load() {
  const std::lock_guard lock(mutex_);
  if (loaded_) return available();
  loaded_ = true;
  const Driver& driver = gpu_->driver();
  if (!TaskGraph::available(driver) || !driver.capture_into || !driver.capture_info || !driver.capture_after ||
      !driver.condition_create || !driver.node_add)
    return false;
  const SignalsBlocked blocked;  // drivers start threads
  const Gpu::Current current(*gpu_);
  try {
    const codegen::Binary code = target_.condition_setter();
    if (code.symbols.empty()) return false;
    // Not linked to a cubin: the driver itself has the function that the code calls, for code that it compiles.
    require("module_load", driver.module_load(&module_, code.code.c_str(), 0, nullptr, nullptr));
    require("function_get", driver.function_get(&setter_, module_, code.symbols[0].c_str()));
  } catch (const NoGraph&) {
    return false;
  }
  available_.store(true);
  return true;
}

/// Throws NoGraph for an error after which the device still works: it only means that there will be no graph.
void GraphConditions::require(const char* field, Result result) {
  if (result == kSuccess) return;
  if (is_sticky(result)) gpu_->require(field, result);
  throw NoGraph(gpu_->driver().name_of(field));
}

void GraphConditions::set(Handle stream, uint64_t handle, const Condition& condition, RunsWhen when) {
  ConditionArguments given{condition.launch, handle, condition.temp, condition.failed, when, 0};
  void* arguments[] = {&given.launch, &given.handle, &given.temp, &given.failed, &given.when};
  require("launch", gpu_->driver().launch(setter_, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
}

/// A condition of a node to come, whose value is set.
uint64_t GraphConditions::create(Handle stream, const Condition& condition, RunsWhen when) {
  uint64_t handle = 0;
  const Captured captured = look(stream);
  require("condition_create", gpu_->driver().condition_create(&handle, captured.graph, gpu_->context(), 0, 0));
  set(stream, handle, condition, when);
  return handle;
}

GraphConditions::Captured GraphConditions::look(Handle stream) {
  Captured captured;
  int status = 0;
  uint64_t id = 0;
  require("capture_info",
          gpu_->driver().capture_info(stream, &status, &id, &captured.graph, &captured.after, &captured.count));
  return captured;
}

void GraphConditions::add(ConditionNode::Kind kind, Handle stream, const Node& node) {
  const Driver& driver = gpu_->driver();
  ConditionNode parameters{.condition = node.handle, .kind = kind, .context = gpu_->context()};
  const Captured captured = look(stream);
  Handle added = nullptr, ended = nullptr;
  require("node_add", driver.node_add(&added, captured.graph, captured.after, captured.count, &parameters));
  require("capture_after", driver.capture_after(stream, &added, 1, kSetDependencies));
  require("capture_into", driver.capture_into(node.body, parameters.bodies[0], nullptr, nullptr, 0, kRelaxedCapture));
  try {
    node.steps();
  } catch (...) {
    if (gpu_->usable()) driver.capture_end(node.body, &ended);
    throw;
  }
  require("capture_end", driver.capture_end(node.body, &ended));
}

/// Captures an If. The steps of one case may change the temp, so both values are set in front of them.
void GraphConditions::add_if(Handle stream, const Condition& condition, Handle body, const std::function<void()>& yes,
                             const std::function<void()>& no) {
  std::vector<Node> nodes;
  if (yes) nodes.push_back({create(stream, condition, RunsWhen::NotZero), body, yes});
  if (no) nodes.push_back({create(stream, condition, RunsWhen::Zero), body, no});
  for (const Node& node : nodes) add(ConditionNode::kIf, stream, node);
}

void GraphConditions::add_do_while(Handle stream, const Condition& condition, Handle body,
                                   const std::function<void()>& steps) {
  const uint64_t handle = create(stream, condition, RunsWhen::Always);
  add(ConditionNode::kWhile, stream, {handle, body, [&] {
                                        steps();
                                        set(body, handle, condition, RunsWhen::NotZero);
                                      }});
}

}  // namespace qd::device::gpu
