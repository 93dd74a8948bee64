// Code of a block: pieces, which are loops over its threads, and the code between them. For the picture see
// cut_blocks.cpp.
#pragma once

#include <functional>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/passes/block_pieces.h"
#include "runtime/passes/block_ranges.h"
#include "runtime/passes/thread_loops.h"

namespace qd::passes {

/// Builds the code of a block of one task.
class BlockCutter {
 public:
  BlockCutter(ir::Kernel& kernel, const ir::Task& task, int32_t subgroup_size, std::vector<ir::InstId>& head)
      : kernel_(kernel),
        block_dim_(task.block_dim),
        subgroup_(subgroup_size),
        pieces_(kernel, task),
        loops_(kernel, task.block_dim, head),
        task_loop_(task.loop),
        targets_{{kEnded, kEnded}} {}

  /// Gives the block that a task over blocks runs; `loop` is the For of that task.
  ir::BlockId run(const std::vector<ir::InstId>& body, ir::InstId loop, const BlockRange& range);

 private:
  /// Value of `off` of a thread whose iteration has ended. Greater numbers: until a certain place.
  static constexpr int32_t kEnded = 1;
  struct Target {
    int32_t broken, next;  // stored into `off` by Break and Continue
  };
  /// The index of a For that runs differently for each thread: arrays by axis.
  struct OwnIndex {
    std::vector<ir::InstId> begin, end, index;
  };

  ir::Type type(ir::InstId id) const { return kernel_[id].type; }
  ir::InstId element(ir::Builder& build, ir::InstId array, ir::InstId index);
  void open() { loops_.open(masked_); }
  void close();

  // --- the code of the block ---

  void sequence(const std::vector<ir::InstId>& insts);
  void sequence(ir::BlockId block) { sequence(std::vector(kernel_[block])); }

  void cut(ir::InstId id);
  /// Everything runs at the beginning of a block, and no condition has been told.
  void reset(size_t begin);
  void clear(ir::InstId array);

  // --- instructions in pieces ---

  /// Moves an instruction to the present piece: each operand becomes its form in this piece, see resolve().
  void move(ir::InstId id, std::vector<ir::InstId>& out);
  /// Stores a value that other pieces use.
  void keep(ir::InstId id, std::vector<ir::InstId>& out);
  ir::InstId array_of(ir::InstId id);
  /// The form of an instruction in the present piece: itself, a copy, or a load of a kept value.
  ir::InstId resolve(ir::InstId id);
  /// An instruction and its operands, as they were before they were moved to a piece.
  const ir::Inst& before(ir::InstId id) const { return before_[static_cast<uint32_t>(id)]; }
  ir::InstId operand_before(ir::InstId id, uint32_t i) const { return operands_before_[before(id).operand_begin + i]; }

  ir::InstId of_thread(const ir::Inst& inst);

  // --- variables that several pieces use ---

  ir::InstId spread_array(ir::InstId variable);
  bool spread_base(ir::InstId pointer) const;
  /// Element i of a thread's array stands behind element i of the thread before it.
  ir::InstId spread_element(ir::InstId pointer, ir::Builder& build);
  void place_in_spread(ir::InstId id, std::vector<ir::InstId>& out);
  /// A variable is zero where it is declared.
  void zero(ir::InstId variable, std::vector<ir::InstId>& out);
  uint32_t serial_row() {
    kernel_.loops.push_back({.parallel = false, .block_dim = 0, .name = {}});
    return static_cast<uint32_t>(kernel_.loops.size() - 1);
  }

  // --- conditions of decisions in which threads meet ---

  const std::vector<ir::InstId>* split_of(ir::InstId condition) const;
  /// A condition that is told in a later piece is kept for each thread until then.
  bool tell_later(ir::InstId id, std::vector<ir::InstId>& out);
  void tell(ir::InstId decide, std::vector<ir::InstId>& out);

  // --- control flow ---

  void jump(const ir::Inst& inst, std::vector<ir::InstId>& out);
  /// Threads that wait until `place` run again.
  void wake(int32_t place);
  ir::InstId flag() { return loops_.variable(ir::Type::U1); }
  void clear_flag(ir::InstId flag);
  static void raise(ir::Builder& build, ir::InstId flag, ir::InstId when);
  void branch(ir::InstId id);
  /// An If of the block. `id`: the instruction that becomes it.
  void choose(ir::InstId flag, ir::InstId id, const std::function<ir::BlockId()>& arm);
  /// Ends an iteration of a loop: threads that have continued run again. Leaves the loop when no thread runs.
  void next_or_leave(const Target& target);
  Target new_target();
  void loop(ir::InstId id);
  /// A For whose bounds are the same for all threads.
  void loop_of_block(ir::InstId id);
  /// The probes of a loop whose iterations are exhausted, for the threads that have not left it by a Break.
  void exhausted(ir::BlockId block);
  /// Turns a For that each thread runs with bounds of its own into a loop with an index for each thread.
  void loop_of_threads(ir::InstId id);
  /// Moves the indices of a thread on, the last axis first.
  void advance(ir::Builder& build, ir::InstId thread, const OwnIndex& own, const Target& target, int32_t ended);

  // --- meetings ---

  void together(ir::InstId id);
  /// Two arrays take turns, because a piece may load from one and store for the next meeting.
  ir::InstId slots(ir::Op op, ir::Type type, uint64_t length);
  void shuffle(ir::InstId id);
  void ballot(ir::InstId id);

  ir::Kernel& kernel_;
  const int32_t block_dim_;
  const int32_t subgroup_;
  const std::vector<ir::Inst> before_ = kernel_.insts;
  const std::vector<ir::InstId> operands_before_ = kernel_.operands;
  const BlockPieces pieces_;
  ThreadLoops loops_;
  const ir::InstId task_loop_;
  const BlockRange* range_ = nullptr;
  ir::InstId first_ = ir::InstId::None;  // of the block: the number from which BlockRange computes indices

  uint32_t piece_ = 0;
  bool masked_ = false;  // threads may be off
  int inner_loops_ = 0;  // around the instruction, in its piece
  int32_t last_place_ = kEnded;
  std::vector<Target> targets_;
  std::unordered_map<ir::InstId, ir::InstId> arrays_;  // of values that are kept, and variables that are spread
  std::unordered_map<ir::InstId, ir::InstId> told_;    // of conditions
  std::unordered_map<ir::InstId, OwnIndex> own_;       // by For
  std::map<std::pair<ir::Op, ir::Type>, std::pair<uint32_t, std::vector<ir::InstId>>> slots_;
  ir::InstId here_ = ir::InstId::None;
};

/// A number as Imm::Bits.
constexpr uint64_t bits(int64_t number) { return static_cast<uint64_t>(number); }
/// Puts an instruction where another one has been, which keeps its name and its location.
void become(ir::Kernel& kernel, ir::InstId id, const ir::Inst& other, std::initializer_list<ir::InstId> operands);

}  // namespace qd::passes
