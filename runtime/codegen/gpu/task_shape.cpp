#include "runtime/codegen/gpu/task_shape.h"

#include <algorithm>

#include "runtime/ir/blocks.h"
#include "runtime/ir/calls.h"
#include "runtime/ir/walk.h"

namespace qd::codegen::gpu {
namespace {

constexpr uint32_t kUsualGroup = 256;
/// Size of groups: a multiple of the size of all subgroups.
constexpr uint32_t kWholeSubgroups = 64;

}  // namespace

TaskShape shape_of(const ir::Kernel& kernel, const ir::Task& task) {
  TaskShape shape;
  shape.draws = ir::draws(kernel, task);
  if (task.kind == ir::Task::Kind::Serial) return shape;
  const auto wanted = static_cast<uint32_t>(task.block_dim);
  if (!ir::is_block_loop(kernel, task.body)) {
    shape.group_size = wanted == 0 ? kUsualGroup : (wanted + kWholeSubgroups - 1) / kWholeSubgroups * kWholeSubgroups;
    return shape;
  }
  shape.group_size = wanted;
  bool waits = false, ends = ir::may_fail(kernel, task.body);
  ir::walk(kernel, task.body, [&](ir::InstId id) {
    const ir::Inst& inst = kernel[id];
    waits |= inst.op == ir::Op::Barrier && inst.scope() != ir::Scope::Subgroup;
    ends |= inst.op == ir::Op::Continue;
  });
  shape.one_round = waits && ends;
  return shape;
}

std::optional<uint32_t> task_that_hands_over(const ir::Kernel& kernel) {
  if (kernel.counters == 0 && kernel.results.empty()) return std::nullopt;
  const bool tells = (ir::effects_of(kernel) & (ir::kFaults | ir::kTells)) != 0;
  const bool follow =
      std::ranges::all_of(kernel.schedule, [](const ir::Step& step) { return step.kind == ir::Step::Kind::Run; });
  if (tells || !follow || kernel.schedule.empty()) return std::nullopt;
  const uint32_t last = kernel.schedule.back().task;
  const bool meets = !shape_of(kernel, kernel.tasks[last]).one_round;
  return meets && std::ranges::count(kernel.schedule, last, &ir::Step::task) == 1 ? std::optional(last) : std::nullopt;
}

}  // namespace qd::codegen::gpu
