// Conditional nodes of graphs: the device does them or not, by the values that kernels set.
#include <array>

#include "tests/simulated_driver/driver/calls.h"

namespace qd::simulated {
namespace {

constexpr int kConditional = 13;  // CU_GRAPH_NODE_TYPE_CONDITIONAL
enum Kind : int { kIf = 0, kWhile = 1 };

std::shared_ptr<Condition> condition_of(uint64_t handle) {
  const auto found = driver().conditions.find(handle);
  return found == driver().conditions.end() ? nullptr : found->second.lock();
}

Result run(const Condition& condition, int kind, const GraphNodes& body) {
  while (condition.value != 0) {
    for (const Operation& operation : body.operations) {
      const Result result = operation.work ? operation.work() : Result::Success;
      if (result != Result::Success) return result;
    }
    if (kind == kIf) break;
  }
  return Result::Success;
}

/// A handle that is no condition of a live graph is an illegal address.
void set_condition(uint64_t handle, uint32_t value) {
  std::shared_ptr<Condition> condition;
  {
    const std::lock_guard lock(driver().mutex);
    condition = condition_of(handle);
  }
  if (!condition) *reinterpret_cast<volatile uint32_t*>(handle) = value;
  condition->value = value;
}

bool are_nodes(const GraphNodes& nodes, void* const* after, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const auto number = reinterpret_cast<uintptr_t>(after[i]);
    if (number == 0 || number > nodes.operations.size()) return false;
  }
  return true;
}

}  // namespace

Result create_condition(Device&, uint64_t* handle, const void* graph_handle) {
  const std::lock_guard lock(driver().mutex);
  const Graph* graph = driver().graphs.find(graph_handle);
  if (!graph) return Result::InvalidHandle;
  static uint64_t last = 0;
  const auto condition = std::make_shared<Condition>();
  graph->nodes->conditions.push_back(condition);
  *handle = ++last;
  driver().conditions[*handle] = condition;
  return Result::Success;
}

Result add_condition_node(Device& device, void** node, const void* graph_handle, void* const* after, size_t count,
                          ConditionNode* parameters) {
  const std::lock_guard lock(driver().mutex);
  const Graph* graph = driver().graphs.find(graph_handle);
  if (!graph) return Result::InvalidHandle;
  const std::shared_ptr<Condition> condition = condition_of(parameters->condition);
  if (parameters->type != kConditional || !condition || condition->has_node || parameters->body_count != 1 ||
      (parameters->kind != kIf && parameters->kind != kWhile) || parameters->context != &device ||
      !are_nodes(*graph->nodes, after, count))
    return Result::InvalidValue;
  condition->has_node = true;
  GraphNodes& nodes = *graph->nodes;
  const auto body = std::make_shared<GraphNodes>();
  parameters->bodies = &nodes.bodies.emplace_back(driver().graphs.add({&device, body, true}));
  nodes.operations.push_back(
      {[condition, kind = parameters->kind, body] { return run(*condition, kind, *body); }, true});
  *node = reinterpret_cast<void*>(nodes.operations.size());
  nodes.loose.insert(*node);
  return Result::Success;
}

std::span<const std::pair<std::string_view, void*>> functions_of_conditions() {
  static const std::array<std::pair<std::string_view, void*>, 1> all{
      {{"cudaGraphSetConditional", reinterpret_cast<void*>(set_condition)}}};
  return all;
}

}  // namespace qd::simulated
