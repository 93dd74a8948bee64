// Properties of a kernel, each by a walk over it.
#include "runtime/device/launches/loaded_kernel.h"

#include <algorithm>

#include "runtime/ir/blocks.h"
#include "runtime/ir/calls.h"
#include "runtime/ir/iterations.h"
#include "runtime/ir/walk.h"

namespace qd::device {
namespace {

bool conditions_in(const ir::Schedule& schedule) {
  bool found = false;
  ir::walk_steps(schedule, [&](const ir::Step& step, int) {
    found |= step.kind == ir::Step::Kind::DoWhile || step.kind == ir::Step::Kind::If;
  });
  return found;
}

std::vector<ir::AtomicOp> rules_of(const ir::Kernel& kernel) {
  std::vector<ir::AtomicOp> rules(kernel.counters, ir::AtomicOp::Add);
  ir::walk(kernel, [&](ir::InstId id) {
    if (const auto rule = ir::combine_rule(kernel[id].op)) rules[kernel[id].aux] = *rule;
  });
  return rules;
}

std::vector<bool> truths_of(const ir::Kernel& kernel) {
  std::vector<bool> truths(kernel.global_temps, true);
  ir::walk(kernel, [&](ir::InstId id) {
    const ir::Inst& inst = kernel[id];
    for (ir::InstId operand : kernel.operands_of(inst)) {
      const ir::Inst& temp = kernel[operand];
      if (temp.op != ir::Op::GlobalTemp || inst.op == ir::Op::Load) continue;
      const ir::Inst* value = inst.op == ir::Op::Store ? &kernel[kernel.operands_of(inst)[1]] : nullptr;
      const bool is_truth =
          value && value->op == ir::Op::Cast && kernel[kernel.operands_of(*value)[0]].type == ir::Type::U1;
      if (!is_truth && temp.aux < truths.size()) truths[temp.aux] = false;
    }
  });
  return truths;
}

bool large(std::span<const ir::Bound> bounds) {
  return bounds.size() > 4 ||
         std::ranges::any_of(bounds, [](const ir::Bound& bound) { return ir::bit_width(bound.type) == 64; });
}

}  // namespace

LoadedKernel::LoadedKernel(const ir::Kernel& kernel)
    : name_(kernel.name),
      schedule_(kernel.schedule.empty() ? ir::in_order(kernel.tasks.size()) : kernel.schedule),
      has_conditions_(conditions_in(schedule_)),
      truths_(truths_of(kernel)),
      may_stop_(kernel.tasks.size() > 1 && (ir::effects_of(kernel) & ir::kFaults) != 0),
      buffer_layout_(kernel),
      kept_temps_(kernel.kept_temps),
      begin_counter_(kernel.begin_counter),
      end_counter_(kernel.end_counter),
      rules_(rules_of(kernel)),
      warned_(std::make_unique<std::atomic<bool>[]>(kernel.formats.size())) {
  for (const ir::Task& task : kernel.tasks) {
    tasks_.push_back({.parallel = task.kind == ir::Task::Kind::Parallel,
                      .loops = ir::has_loops(kernel, task),
                      .blocks = ir::is_block_loop(kernel, task.body),
                      .large = large(task.bounds),
                      .bounds = task.bounds,
                      .start_counter = task.start_counter,
                      .trip_counter = task.trip_counter});
    counts_starts_ |= task.start_counter != ir::kNoCounter || task.trip_counter != ir::kNoCounter;
  }
}

std::optional<int64_t> LoadedKernel::iterations(const Task& task, const Invocation& invocation, const uint64_t* temps) {
  auto value = [&](const ir::Bound& bound) -> int64_t {
    switch (bound.kind) {
      case ir::Bound::Kind::Const: return bound.value;
      case ir::Bound::Kind::Shape: return invocation.arrays[bound.value].shape[bound.axis];
      case ir::Bound::Kind::Param: return ir::bound_in_word(bound, invocation.params[bound.value]);
      case ir::Bound::Kind::Temp: return ir::bound_in_word(bound, temps[bound.value]);
    }
    return 0;
  };
  if (!temps && std::ranges::count(task.bounds, ir::Bound::Kind::Temp, &ir::Bound::kind) > 0) return std::nullopt;
  return ir::iterations(task.bounds, value);
}

}  // namespace qd::device
