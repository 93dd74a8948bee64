// Walks a body in the order of the program, and numbers the pieces.
#include "runtime/passes/block_pieces.h"

#include <algorithm>
#include <utility>

#include "runtime/ir/walk.h"

namespace qd::passes {

using ir::BlockId;
using ir::Inst;
using ir::InstId;
using ir::Op;

BlockPieces::BlockPieces(const ir::Kernel& kernel, const ir::Task& task)
    : kernel_(kernel), task_loop_(task.loop), known_(kernel.insts.size()) {
  meets_ = find_cuts(task.body);
  sequence(task.body);
}

bool BlockPieces::find_cuts(BlockId block) {
  bool any = false;
  if (block == BlockId::None) return any;
  for (InstId id : kernel_[block]) {
    bool cuts = ir::has_effect(kernel_[id].op, ir::kConvergent);
    for (BlockId inner : kernel_[id].blocks) cuts |= find_cuts(inner);
    at(id).cuts = cuts;
    any |= cuts;
  }
  return any;
}

bool BlockPieces::runs_alike(InstId loop) const {
  return std::ranges::all_of(kernel_.operands_of(loop), [&](InstId bound) { return visible(bound); });
}

bool BlockPieces::leaves(BlockId block, bool breaks_only) const {
  if (block == BlockId::None) return false;
  return std::ranges::any_of(kernel_[block], [&](InstId id) {
    const Inst& inst = kernel_[id];
    if (inst.op == Op::Break || (inst.op == Op::Continue && !breaks_only)) return true;
    if (inst.op == Op::Loop || inst.op == Op::For) return false;
    return leaves(inst.blocks[0], breaks_only) || leaves(inst.blocks[1], breaks_only);
  });
}

bool BlockPieces::jumps(BlockId block) const { return leaves(block, false); }

bool BlockPieces::of_thread(InstId id) const {
  const Inst& inst = kernel_[id];
  if (inst.op == Op::Thread || inst.op == Op::Lane || inst.op == Op::Iteration) return true;
  if (inst.op != Op::LoopIndex) return false;
  const InstId loop = inst.aux_inst();
  return loop == task_loop_ || (cuts(loop) && !runs_alike(loop));
}

bool BlockPieces::is_uniform(const Inst& inst) const {
  if (inst.op == Op::LoopIndex) {
    const InstId loop = inst.aux_inst();
    return loop != task_loop_ && cuts(loop) && runs_alike(loop);
  }
  return ir::is_pure(inst.op) &&
         std::ranges::all_of(kernel_.operands_of(inst), [&](InstId operand) { return visible(operand); });
}

/// The instructions of a block that is cut.
void BlockPieces::sequence(BlockId block) {
  for (InstId id : kernel_[block]) {
    const Inst& inst = kernel_[id];
    if (is_uniform(inst)) {
      at(id).piece = kBetween;
      continue;
    }
    if (!cuts(id)) {
      whole(id);
      continue;
    }
    switch (inst.op) {
      case Op::Together:
        piece_++;
        at(id).piece = kBetween;
        break;
      case Op::Shuffle:
        use(kernel_.operands_of(inst)[0]);
        piece_++;
        use(kernel_.operands_of(inst)[1]);
        place(id);
        break;
      case Op::Ballot:
        use_operands(id);
        piece_++;
        place(id);
        break;
      case Op::If:
      case Op::Loop:
      case Op::For:
        use_operands(id);
        for (BlockId inner : inst.blocks) {
          piece_++;
          if (inner != BlockId::None) sequence(inner);
        }
        piece_++;
        break;
      default: piece_++;
    }
  }
}

/// An instruction that is in one piece with all that is in its blocks.
void BlockPieces::whole(InstId id) {
  place(id);
  const Inst& inst = kernel_[id];
  use_operands(id);
  if (inst.op == Op::Condition) conditions_[inst.aux].push_back(id);
  if (inst.op == Op::Decide) decide(id);
  for (BlockId inner : inst.blocks) {
    if (inner == BlockId::None) continue;
    for (InstId nested : kernel_[inner]) whole(nested);
  }
}

void BlockPieces::use_operands(InstId id) {
  for (InstId operand : kernel_.operands_of(id)) use(operand);
}

/// A use in the present piece.
void BlockPieces::use(InstId id) {
  if (visible(id) || piece(id) == piece_ || of_thread(id)) return;
  const Op op = kernel_[id].op;
  if (op == Op::Alloca) {
    at(id).spread = true;
  } else if (ir::result_kind(op) == ir::ResultKind::Pointer) {
    use_operands(id);
  } else {
    at(id).kept = true;
  }
}

void BlockPieces::decide(InstId id) {
  std::vector<InstId> conditions = std::exchange(conditions_[kernel_[id].aux], {});
  const bool split = std::ranges::any_of(conditions, [&](InstId condition) { return piece(condition) != piece_; });
  if (split) split_decisions_[id] = std::move(conditions);
}

}  // namespace qd::passes
