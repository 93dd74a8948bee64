#include "runtime/codegen/cpu/lane_choice.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "runtime/codegen/cpu/form_agreement.h"
#include "runtime/codegen/cpu/host_processor.h"
#include "runtime/codegen/cpu/lane_costs.h"
#include "runtime/ir/calls.h"
#include "runtime/ir/walk.h"
#include "runtime/passes/fixed_reductions.h"

namespace qd::codegen {
namespace {

using ir::InstId;
using ir::Op;

/// Costs are guesses: lanes must seem to be faster by this.
constexpr double kCertainty = 1.3;
/// Largest ratios of the costs of lanes to those of iterations alone, and the other way round, for which either form
/// may be the faster one.
constexpr double kFarther = 2.5;
constexpr double kFar = 2.5;

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
    case Op::Random:
    case Op::Call:
    case Op::CallResult:
    case Op::CallArg:
    case Op::StackLeft:
    case Op::Count:
    case Op::Record:
    case Op::Maximum:
    case Op::Hit: return {};
    case Op::For:
      if (divergence.diverges(id) && inst.operand_count > 2)
        return "a serial loop over several axes, which not all iterations run in the same way";
      return {};
    case Op::Clock: return "the clock";
    case Op::VolatileLoad:
    case Op::AtomicCas:
    case Op::Claim:
    case Op::Fence: return "an operation that may wait for another iteration";
    case Op::Assert: return "an assert";
    case Op::Warn: return "a check of debug mode";
    case Op::Print: return "a print";
    case Op::Message: return "a message";
    case Op::Dispatch:
    case Op::Shared:
    case Op::Thread:
    case Op::Lane:
    case Op::Barrier:
    case Op::Shuffle:
    case Op::Ballot:
    case Op::Together: return "an operation of blocks of threads";
    case Op::Region:
    case Op::Leave: return "control flow of the schedule";
    case Op::Return: return {};
  }
  return {};
}

/// Whether an instruction is an atomic operation on memory that iterations share, and change.
bool is_shared_atomic(const ir::Kernel& kernel, InstId id, const passes::Divergence& divergence) {
  if (kernel[id].op != Op::AtomicRmw) return false;
  InstId place = kernel.operands_of(id)[0];
  if (divergence.is_variable(place) || divergence.is_own(place)) return false;
  if (kernel[place].op == Op::LocalPtr) place = kernel.operands_of(place)[0];
  return kernel[place].op != Op::Alloca;
}

/// Whether lanes access places in memory that do not lie side by side. Under a condition LLVM makes no vectors of it.
bool is_spread_out(const ir::Kernel& kernel, InstId id, const passes::Divergence& divergence) {
  if (!ir::accesses_memory(kernel[id].op)) return false;
  const InstId place = kernel.operands_of(id)[0];
  if (divergence.is_variable(place) || divergence.is_uniform(place)) return false;
  if (kernel[id].op == Op::AtomicRmw || kernel[place].op != Op::ElementPtr) return true;
  return divergence.distance(place) != ir::size_in_bytes(kernel[place].type);
}

/// The atomic operation of which results depend on the order of iterations: one of them sees what another one has done,
/// or not all that change a place do the same. None: they may come in any order.
InstId order_matters_at(const ir::Kernel& kernel, const ir::Task& task, const passes::Divergence& divergence) {
  std::unordered_set<InstId> used;
  std::map<std::pair<Op, uint32_t>, std::optional<ir::AtomicOp>> kinds;  // by place; nothing: accesses of several kinds
  std::map<std::pair<Op, uint32_t>, InstId> changed;                     // by atomics
  InstId found = InstId::None;
  const auto note = [&](InstId id) {
    const ir::Inst& inst = kernel[id];
    for (InstId operand : kernel.operands_of(id)) used.insert(operand);
    if (!ir::accesses_memory(inst.op)) return;
    InstId place = kernel.operands_of(id)[0];
    if (divergence.is_variable(place)) return;
    if (kernel[place].op == Op::LocalPtr) place = kernel.operands_of(place)[0];
    if (kernel[place].op == Op::Alloca) return;
    const std::pair key(kernel[place].op, kernel[place].aux);
    const auto kind = inst.op == Op::AtomicRmw ? passes::gathered(inst.atomic_op()) : std::nullopt;
    if (is_shared_atomic(kernel, id, divergence)) changed.try_emplace(key, id);
    const auto [known, first] = kinds.try_emplace(key, kind);
    if (!first && known->second != kind) known->second = std::nullopt;
  };
  ir::walk(kernel, task.body, note);
  ir::walk_reached(kernel, task, note);
  for (const auto& [key, atomic] : changed) {
    if (!kinds.at(key)) found = atomic;
  }
  const auto check = [&](InstId id) {
    if (is_shared_atomic(kernel, id, divergence) && used.contains(id)) found = id;
  };
  ir::walk(kernel, task.body, check);
  ir::walk_reached(kernel, task, check);
  return found;
}

}  // namespace

LaneObstacle obstacle_of_lanes(const ir::Kernel& kernel, const ir::Task& task, const passes::Divergence& divergence) {
  LaneObstacle found;
  const auto note = [&](std::string_view what, InstId at) {
    if (found.what.empty()) found = {what, at};
  };
  std::unordered_set<InstId> used;
  const auto look = [&](InstId id) {
    note(obstacle(kernel, id, divergence), id);
    const auto operands = kernel.operands_of(id);
    used.insert(operands.begin(), operands.end());
  };
  ir::walk(kernel, task.body, [&](InstId id) {
    look(id);
    for (InstId operand : kernel.operands_of(id)) {
      const bool outside = kernel[operand].op == Op::Alloca && !divergence.is_variable(operand);
      if (outside && !passes::epilogue_op(kernel, task, operand)) note("a variable of several iterations", id);
    }
  });
  ir::walk_reached(kernel, task, look);
  const auto is_waited_for = [&](InstId id) { return is_shared_atomic(kernel, id, divergence) && used.contains(id); };
  // A lane that waits in such a loop for what another one does behind it would wait for ever.
  ir::walk(kernel, task.body, [&](InstId loop) {
    if (kernel[loop].op != Op::Loop) return;
    ir::walk(kernel, kernel[loop].blocks[0], [&](InstId id) {
      if (is_waited_for(id)) note("the value of an atomic operation in a `while`", id);
    });
  });
  // The routine, or what calls it, may be such a loop.
  ir::walk_reached(kernel, task, [&](InstId id) {
    if (is_waited_for(id)) note("the value of an atomic operation in a func that is called", id);
  });
  return found;
}

namespace {

/// Largest number of operations in the loops of an iteration whose values fit into registers twice.
constexpr size_t kShortLoops = 64;

/// Largest number of operations of an iteration for which values of two registers each pay: of longer ones, most values
/// lie in memory, and it takes twice as long to compile.
constexpr size_t kShortBody = 96;

bool computes(Op op) { return op == Op::Unary || op == Op::Binary || op == Op::Fma; }

/// Whether an operation is the square of a number, which is a product.
bool is_square(const ir::Kernel& kernel, InstId id) {
  const ir::Inst& exponent = kernel[kernel.operands_of(id)[1]];
  if (kernel[id].binary_op() != ir::BinaryOp::Pow || exponent.op != Op::Const) return false;
  switch (exponent.type) {
    case ir::Type::F16: return exponent.imm == 0x4000;
    case ir::Type::F32: return exponent.imm == 0x40000000;
    case ir::Type::F64: return exponent.imm == 0x4000000000000000;
    default: return exponent.imm == 2;
  }
}

/// Whether an instruction keeps a processor busy, or needs a function that has no form for so many lanes.
bool is_work(const ir::Kernel& kernel, InstId id, const passes::Divergence& divergence) {
  const ir::Inst& inst = kernel[id];
  if (inst.op == Op::Random || inst.op == Op::Call || inst.op == Op::AtomicRmw) return true;
  if (inst.op == Op::LocalPtr) return !divergence.is_uniform(id);
  if (divergence.step(id)) return false;
  if (inst.op == Op::Unary) return ir::row(inst.unary_op()).cost == ir::Cost::Library;
  if (inst.op != Op::Binary || is_square(kernel, id)) return false;
  const ir::Cost cost = ir::row(inst.binary_op()).cost;
  return cost == ir::Cost::Library || (cost == ir::Cost::Slow && ir::is_integer(inst.type));
}

/// Whether lanes wait for results most of the time: in short loops, each turn of which needs the masks and variables of
/// the one before. Two vectors for each value then cost little more than one.
bool waits_for_results(const ir::Kernel& kernel, const ir::Task& task, const passes::Divergence& divergence) {
  bool diverges = false, works = false;
  size_t inside = 0;  // operations in loops
  ir::walk(kernel, task.body, [&](InstId id) {
    works |= is_work(kernel, id, divergence);
    const ir::Inst& inst = kernel[id];
    if (inst.op != Op::Loop && inst.op != Op::For) return;
    diverges |= divergence.diverges(id);
    ir::walk(kernel, inst.blocks[0], [&](InstId inner) {
      inside += computes(kernel[inner].op) && !divergence.step(inner);
      diverges |= divergence.diverges(inner);
      works |= is_spread_out(kernel, inner, divergence);
    });
  });
  return diverges && !works && inside <= kShortLoops;
}

}  // namespace

bool has_mask_registers() {
  static const bool found = host_has("avx512vl");
  return found;
}

LaneShape lane_shape(const ir::Kernel& kernel, const ir::Task& task, const passes::Divergence& divergence) {
  bool wide = false;
  size_t operations = 0;
  ir::walk(kernel, task.body, [&](InstId id) {
    const ir::Inst& inst = kernel[id];
    if (!computes(inst.op) || divergence.step(id)) return;
    ++operations;
    wide |= ir::bit_width(inst.type) == 64;
  });
  const unsigned bits = wide ? 64 : 32;
  if (!has_mask_registers()) return {(operations <= kShortBody ? 512 : 256) / bits, bits};
  return {512 / bits * (waits_for_results(kernel, task, divergence) ? 2 : 1), 1};
}

namespace {

/// Whether a place is found by an index that is itself in memory: x[at[i], j].
bool is_indirect(const ir::Kernel& kernel, InstId place, const passes::Divergence& divergence) {
  if (kernel[place].op != Op::ElementPtr) return false;
  return std::ranges::any_of(kernel.operands_of(place), [&](InstId index) {
    return kernel[index].op == Op::Load && !divergence.is_variable(kernel.operands_of(index)[0]);
  });
}

/// An estimate of whether lanes are faster than what LLVM makes of the loop over the iterations.
struct LaneEstimate {
  std::string disadvantage;  // for which they are not, as a noun; empty: they are
  InstId at = InstId::None;
  bool is_close = false;  // the other form may be faster as well
};

LaneEstimate estimate_lanes(const ir::Kernel& kernel, const ir::Task& task, const passes::Divergence& divergence) {
  const ir::Bound &begin = task.bounds[task.bounds.size() - 2], &end = task.bounds.back();
  const bool known = begin.kind == ir::Bound::Kind::Const && end.kind == ir::Bound::Kind::Const;
  if (known && end.value - begin.value < kFewestLanes) return {"fewer iterations than a vector has numbers", task.loop};
  if (const InstId atomic = order_matters_at(kernel, task, divergence); atomic != InstId::None)
    return {"an atomic operation, of which results depend on the order of iterations", atomic};
  bool has_loop = false, diverges = false, adds_anywhere = false;
  bool is_spread = false, is_spread_in_part = false;  // in all lanes; in some
  ir::walk(kernel, task.body, [&](InstId id) {
    const ir::Inst& inst = kernel[id];
    has_loop |= inst.op == Op::Loop || inst.op == Op::For;
    is_spread |= is_spread_out(kernel, id, divergence) || is_indirect(kernel, id, divergence);
    adds_anywhere |= inst.op == Op::AtomicRmw && is_spread_out(kernel, id, divergence);
    if (!divergence.diverges(id)) return;
    diverges = true;
    for (ir::BlockId arm : inst.blocks) {
      if (arm == ir::BlockId::None) continue;
      ir::walk(kernel, arm, [&](InstId inner) { is_spread_in_part |= is_spread_out(kernel, inner, divergence); });
    }
  });
  const bool is_straight = !has_loop && !is_spread_in_part && !(diverges && adds_anywhere);
  const bool is_known_to_llvm = is_straight && !is_spread && !diverges;
  const LaneCosts costs =
      is_known_to_llvm ? LaneCosts() : lane_costs(kernel, task, divergence, lane_shape(kernel, task, divergence).lanes);
  // Of straight code LLVM makes vectors, too, and it knows more about memory: the cost of an iteration alone says
  // little.
  if (is_straight) {
    return {"straight code, of which LLVM makes vectors where they help", task.loop,
            !is_known_to_llvm && costs.lanes < costs.single * kFar};
  }
  const bool is_close = costs.lanes < costs.single * kFar && costs.single < costs.lanes * kFar;
  if (costs.lanes * kCertainty < costs.single) return {{}, task.loop, is_close};
  return {fmt::format("an estimate of {:.0f} operations for an iteration, against {:.0f} of one alone", costs.lanes,
                      costs.single),
          task.loop, is_close};
}

}  // namespace

LaneChoice choose_lanes(const ir::Kernel& kernel, const ir::Task& task, const passes::Divergence& divergence) {
  if (task.vectorize == ir::Vectorize::No) return {{}, "vectorize=False", task.loop};
  const LaneObstacle obstacle = obstacle_of_lanes(kernel, task, divergence);
  if (!obstacle.what.empty()) return {{}, std::string(obstacle.what), obstacle.at};
  const LaneShape lanes = lane_shape(kernel, task, divergence);
  if (task.vectorize == ir::Vectorize::Yes) return {lanes, {}, task.loop};
  LaneEstimate estimate = estimate_lanes(kernel, task, divergence);
  const bool has_other = estimate.is_close && forms_agree(kernel, task, divergence);
  if (estimate.disadvantage.empty())
    return {lanes, {}, estimate.at, has_other ? std::optional(LaneShape()) : std::nullopt};
  return {{}, std::move(estimate.disadvantage), estimate.at, has_other ? std::optional(lanes) : std::nullopt};
}

}  // namespace qd::codegen
