#include "runtime/codegen/cpu/lane_choice.h"

#include <map>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include "runtime/codegen/cpu/lane_costs.h"
#include "runtime/ir/walk.h"
#include "runtime/passes/fixed_reductions.h"

namespace qd::codegen {
namespace {

using ir::InstId;
using ir::Op;

/// Costs are guesses: lanes must seem to be faster by this.
constexpr double kCertainty = 1.3;

std::string_view obstacle(const ir::Kernel& kernel, InstId id, const passes::Divergence& divergence) {
  const ir::Inst& inst = kernel[id];
  switch (inst.op) {
    case Op::Const:
    case Op::Arg:
    case Op::Shape:
    case Op::LoopIndex:
    case Op::Iteration:
    case Op::Unary:
    case Op::Binary:
    case Op::Compare:
    case Op::Cast:
    case Op::BitCast:
    case Op::Select:
    case Op::Pick:
    case Op::Fma:
    case Op::StopGrad:
    case Op::Alloca:
    case Op::GlobalTemp:
    case Op::LocalPtr:
    case Op::ElementPtr:
    case Op::Load:
    case Op::Store:
    case Op::AtomicRmw:
    case Op::If:
    case Op::Loop:
    case Op::Break:
    case Op::Continue:
    case Op::Probe:
    case Op::Watch:
    case Op::Condition:
    case Op::Decide:
    case Op::Count:
    case Op::Record:
    case Op::Maximum:
    case Op::Hit: return {};
    case Op::For:
      if (divergence.diverges(id) && inst.operand_count > 2)
        return "a serial loop over several axes, which not all iterations run in the same way";
      return {};
    case Op::Random:
    case Op::Clock: return "random numbers, or the clock";
    case Op::VolatileLoad:
    case Op::AtomicCas:
    case Op::Claim:
    case Op::Fence: return "an operation that may wait for another iteration";
    case Op::Call:
    case Op::CallResult:
    case Op::CallArg:
    case Op::StackLeft: return "a call at run time";
    case Op::Assert:
    case Op::Warn:
    case Op::Print:
    case Op::Message: return "a message: an assert, a warning, a print";
    case Op::Dispatch:
    case Op::Shared:
    case Op::Thread:
    case Op::Lane:
    case Op::Barrier:
    case Op::Shuffle:
    case Op::Ballot:
    case Op::Together: return "an operation of blocks of threads";
    case Op::Region:
    case Op::Leave:
    case Op::Return: return "control flow of the schedule";
  }
  return {};
}

/// Whether atomic operations of iterations may come in any order: no iteration sees what another one has done, and all
/// that change a place do the same.
bool keeps_order(const ir::Kernel& kernel, const ir::Task& task, const passes::Divergence& divergence) {
  std::unordered_set<InstId> used;
  std::map<std::pair<Op, uint32_t>, std::optional<ir::AtomicOp>> kinds;  // by place; nothing: accesses of several kinds
  std::set<std::pair<Op, uint32_t>> changed;                             // by atomics
  bool keeps = true;
  ir::walk(kernel, task.body, [&](InstId id) {
    const ir::Inst& inst = kernel[id];
    for (InstId operand : kernel.operands_of(id)) used.insert(operand);
    if (!ir::accesses_memory(inst.op)) return;
    InstId place = kernel.operands_of(id)[0];
    if (divergence.is_variable(place)) return;
    if (kernel[place].op == Op::LocalPtr) place = kernel.operands_of(place)[0];
    if (kernel[place].op == Op::Alloca) return;
    const std::pair key(kernel[place].op, kernel[place].aux);
    const auto kind = inst.op == Op::AtomicRmw ? passes::gathered(inst.atomic_op()) : std::nullopt;
    if (inst.op == Op::AtomicRmw) changed.insert(key);
    const auto [known, first] = kinds.try_emplace(key, kind);
    if (!first && known->second != kind) known->second = std::nullopt;
  });
  for (const auto& key : changed) keeps &= kinds.at(key).has_value();
  ir::walk(kernel, task.body, [&](InstId id) {
    const bool atomic = kernel[id].op == Op::AtomicRmw && !divergence.is_variable(kernel.operands_of(id)[0]);
    keeps &= !atomic || !used.contains(id);
  });
  return keeps;
}

}  // namespace

std::string_view obstacle_of_lanes(const ir::Kernel& kernel, const ir::Task& task,
                                   const passes::Divergence& divergence) {
  std::string_view found;
  std::unordered_set<InstId> used;
  ir::walk(kernel, task.body, [&](InstId id) {
    if (found.empty()) found = obstacle(kernel, id, divergence);
    for (InstId operand : kernel.operands_of(id)) {
      used.insert(operand);
      const bool outside = kernel[operand].op == Op::Alloca && !divergence.is_variable(operand);
      if (outside && !passes::epilogue_op(kernel, task, operand)) found = "a variable of several iterations";
    }
  });
  if (!found.empty()) return found;
  // A lane that waits in such a loop for what another one does behind it would wait for ever.
  ir::walk(kernel, task.body, [&](InstId loop) {
    if (kernel[loop].op != Op::Loop) return;
    ir::walk(kernel, kernel[loop].blocks[0], [&](InstId id) {
      const bool shared = kernel[id].op == Op::AtomicRmw && !divergence.is_variable(kernel.operands_of(id)[0]);
      if (shared && used.contains(id)) found = "the value of an atomic operation in a `while`";
    });
  });
  return found;
}

unsigned number_of_lanes(const ir::Kernel& kernel, const ir::Task& task, const passes::Divergence& divergence) {
  bool wide = false;
  ir::walk(kernel, task.body, [&](InstId id) {
    const ir::Inst& inst = kernel[id];
    const bool computes = inst.op == Op::Unary || inst.op == Op::Binary || inst.op == Op::Fma;
    wide |= computes && !divergence.step(id) && ir::bit_width(inst.type) == 64;
  });
  return wide ? 8 : 16;
}

bool lanes_pay(const ir::Kernel& kernel, const ir::Task& task, const passes::Divergence& divergence) {
  const ir::Bound &begin = task.bounds[task.bounds.size() - 2], &end = task.bounds.back();
  const bool known = begin.kind == ir::Bound::Kind::Const && end.kind == ir::Bound::Kind::Const;
  if (known && end.value - begin.value < kFewestLanes) return false;
  if (!keeps_order(kernel, task, divergence)) return false;
  bool has_loop = false, diverges = false, adds_anywhere = false;
  ir::walk(kernel, task.body, [&](InstId id) {
    const ir::Inst& inst = kernel[id];
    has_loop |= inst.op == Op::Loop || inst.op == Op::For;
    diverges |= divergence.diverges(id);
    if (inst.op != Op::AtomicRmw) return;
    const InstId place = kernel.operands_of(id)[0];
    adds_anywhere |= !divergence.is_variable(place) && !divergence.is_uniform(place);
  });
  // Of other loops LLVM makes vectors, too, and it knows more about memory.
  if (!has_loop && !(diverges && adds_anywhere)) return false;
  const LaneCosts costs = lane_costs(kernel, task, divergence, number_of_lanes(kernel, task, divergence));
  return costs.lanes * kCertainty < costs.single;
}

}  // namespace qd::codegen
