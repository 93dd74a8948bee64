// Steps of a launch that the driver gets as one graph.
#include <algorithm>
#include <utility>

#include "runtime/device/gpu/gpu_launch.h"

namespace qd::device::gpu {
namespace {

/// Number of runs of steps in the same memory before they get a graph, if the device does not repeat them by itself:
/// making one takes as long as some launches do.
constexpr int kRunsBeforeGraph = 2;

/// Calls visit(task) for each task of a step and its sections, in their order.
template <class Visit>
void walk_tasks(const ir::Step& step, Visit&& visit) {
  if (step.kind == ir::Step::Kind::Run) visit(step.task);
  for (const ir::Schedule& section : step.sections) {
    for (const ir::Step& inner : section) walk_tasks(inner, visit);
  }
}

}  // namespace

/// The first of the steps, as many as there can be in a graph of the driver: several tasks with the same parameters
/// each time, and conditions.
std::span<const ir::Step> GpuLaunch::repeatable(std::span<const ir::Step> steps) const {
  if (report_.invocation().times || !TaskGraph::available(gpu_.driver())) return {};
  size_t count = 0, tasks = 0;
  bool conditions = false;
  for (; count < steps.size() && executable_.is_repeatable(steps[count]); ++count) {
    conditions |= has_condition(steps[count]);
    walk_tasks(steps[count], [&](uint32_t) { ++tasks; });
  }
  return tasks > 1 || conditions ? steps.first(count) : std::span<const ir::Step>();
}

/// The entry of these steps. It is empty when a task has another number of groups than the last time.
RepeatedSteps& GpuLaunch::repeated(std::span<const ir::Step> steps) {
  std::vector<RepeatedSteps>& all = memory_->repeated;
  auto known = std::ranges::find(all, steps.data(), &RepeatedSteps::first);
  if (known == all.end()) {
    known = all.insert(all.end(), RepeatedSteps{.first = steps.data()});
    for (const ir::Step& step : steps) walk_tasks(step, [&](uint32_t task) { known->tasks.push_back({task, 0}); });
  }
  bool changed = false;
  for (RepeatedSteps::Task& task : known->tasks) {
    const uint64_t groups = this->groups(task.number, nullptr);
    changed |= std::exchange(task.groups, groups) != groups;
  }
  if (changed) known->runs = 0, known->graph = nullptr;
  return *known;
}

/// Enqueues steps as a graph. False: nothing was enqueued, because the driver makes no graph with conditions.
bool GpuLaunch::repeat(StreamParts& parts, std::span<const ir::Step> steps) {
  RepeatedSteps& known = repeated(steps);
  if (known.graph) {
    known.graph->launch(parts.stream);
    for (const RepeatedSteps::Task& task : known.tasks) report_.began(task.number);
    return true;
  }
  auto enqueue = [&] {
    for (const ir::Step& step : steps) enqueue_step(parts, step);
  };
  const bool conditions = std::ranges::any_of(steps, has_condition);
  if (!conditions && known.runs++ != kRunsBeforeGraph) return enqueue(), true;
  const size_t began = report_.began_count();
  known.graph = TaskGraph::capture(gpu_, parts.stream, enqueue);
  if (known.graph) return known.graph->launch(parts.stream), true;
  report_.resize_began(began);
  if (!conditions) return enqueue(), true;
  executable_.conditions()->give_up();
  return false;
}

void GpuLaunch::enqueue_step(StreamParts& parts, const ir::Step& step) {
  auto section = [&](size_t number) -> std::function<void()> {
    if (step.sections[number].empty()) return nullptr;
    return [this, &body = *parts.body, &steps = step.sections[number]] {
      for (const ir::Step& inner : steps) enqueue_step(body, inner);
    };
  };
  switch (step.kind) {
    case ir::Step::Kind::Run: return task(parts, parts.stream, step.task);
    case ir::Step::Kind::Fork: return sections(parts, step);
    case ir::Step::Kind::DoWhile:
      return executable_.conditions()->add_do_while(parts.stream, condition_of(step), parts.body->stream, section(0));
    case ir::Step::Kind::If:
      return executable_.conditions()->add_if(parts.stream, condition_of(step), parts.body->stream, section(0),
                                              section(1));
  }
}

GraphConditions::Condition GpuLaunch::condition_of(const ir::Step& step) const {
  const LaunchBufferLayout& layout = executable_.kernel().buffer_layout();
  return {memory_->address(), static_cast<uint32_t>(layout.temps + step.condition * sizeof(uint64_t)),
          static_cast<uint32_t>(layout.messages + offsetof(DeviceMessages, failed))};
}

}  // namespace qd::device::gpu
