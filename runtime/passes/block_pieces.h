// Pieces of a block loop: the parts that run without waiting for other threads.
//
//   %1 = thread i32
//   %2 = add i32 %1, %0          piece 0
//   store ..., %2
//   barrier block
//   %5 = load ...                piece 1, which uses %2: the value is kept for each thread
//   for 1 [%8, %9) {             its bounds are the same for all threads: the loop stands once for the block
//     barrier block
//     ...                        piece 3
//   }
//
// A piece is a run of instructions between two meetings. Pieces have numbers in the order of the program. An
// instruction is uniform when all threads compute it alike, from constants, arguments and shapes: it stands between the
// pieces, once for the block.
#pragma once

#include <map>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::passes {

class BlockPieces {
 public:
  BlockPieces(const ir::Kernel& kernel, const ir::Task& task);

  /// Whether threads meet anywhere.
  bool meets() const { return meets_; }
  /// Whether an instruction is a meeting, or holds one in its blocks.
  bool cuts(ir::InstId id) const { return at(id).cuts; }
  bool uniform(ir::InstId id) const { return at(id).piece == kBetween; }
  /// Whether an instruction is in none of the pieces: it stands outside of the task's body, or between pieces.
  bool visible(ir::InstId id) const { return at(id).piece >= kBetween; }
  uint32_t piece(ir::InstId id) const { return at(id).piece; }
  /// Whether an instruction's value is used in another piece than its own, and has to be kept for each thread.
  bool kept(ir::InstId id) const { return at(id).kept; }
  /// Whether a variable is used in several pieces: each thread has an element of an array instead.
  bool spread(ir::InstId variable) const { return at(variable).spread; }
  /// Whether a For that is cut runs alike for all threads.
  bool runs_alike(ir::InstId loop) const;
  /// Whether a Break or Continue in the block leaves it.
  bool jumps(ir::BlockId block) const;
  bool breaks(ir::BlockId block) const { return leaves(block, true); }
  /// A value that each piece computes anew from the number of the thread.
  bool of_thread(ir::InstId id) const;
  /// The Conditions that a Decide in another piece than they decides with. Empty for others.
  const std::map<ir::InstId, std::vector<ir::InstId>>& split_decisions() const { return split_decisions_; }

 private:
  static constexpr uint32_t kBetween = UINT32_MAX - 1;
  static constexpr uint32_t kOutside = UINT32_MAX;
  struct Known {
    uint32_t piece = kOutside;
    bool cuts = false;
    bool kept = false;
    bool spread = false;
  };
  Known& at(ir::InstId id) { return known_[static_cast<uint32_t>(id)]; }
  const Known& at(ir::InstId id) const { return known_[static_cast<uint32_t>(id)]; }

  bool find_cuts(ir::BlockId block);
  bool is_uniform(const ir::Inst& inst) const;
  bool leaves(ir::BlockId block, bool breaks_only) const;
  void sequence(ir::BlockId block);
  void whole(ir::InstId id);
  void place(ir::InstId id) { at(id).piece = piece_; }
  void use(ir::InstId id);
  void use_operands(ir::InstId id);
  void decide(ir::InstId id);

  const ir::Kernel& kernel_;
  const ir::InstId task_loop_;
  std::vector<Known> known_;
  uint32_t piece_ = 0;
  bool meets_ = false;
  std::map<uint32_t, std::vector<ir::InstId>> conditions_;  // by decision: those since its last Decide
  std::map<ir::InstId, std::vector<ir::InstId>> split_decisions_;
};

}  // namespace qd::passes
