// Loops over the threads of a block, from which a block loop is put together.
//
//   for 3 [0, 128) {                        a piece: the loop over the threads,
//     %20 = loop_index i32 %19 0            the number of the thread,
//     %21 = load (local_ptr %off, %20)
//     if (eq %21, 0) {                      if threads may have left: those that have not,
//       ...                                 values from other pieces, then the piece's instructions
//     }
//   }
#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "runtime/ir/builder.h"

namespace qd::passes {

/// Adds to the code of one block: instructions that run once, and loops over its threads.
class ThreadLoops {
 public:
  using Body = std::function<void(ir::Builder& build, ir::InstId thread)>;

  /// `head` is a list in front of all blocks, where their arrays are declared.
  ThreadLoops(ir::Kernel& kernel, int32_t block_dim, std::vector<ir::InstId>& head);
  /// Sets the number of threads of the block, where that is not block_dim: an I32.
  void set_threads(ir::InstId threads) { threads_ = threads; }

  /// The list of instructions that run once, in the block where the code stands now.
  std::vector<ir::InstId>& level() { return *level_; }
  ir::Builder at_level() { return ir::Builder(kernel_, *level_, location); }
  ir::Builder at_head() { return ir::Builder(kernel_, head_, location); }
  /// Makes a block of the instructions that `make` adds.
  ir::BlockId nested(const std::function<void()>& make);
  /// A loop over all threads.
  void each(const Body& body);

  // The piece that is being put together. open() begins one, when there is none.
  void open(bool guarded);
  void close();
  bool is_open() const { return loop_ != ir::InstId::None; }
  ir::InstId thread() const { return thread_; }
  std::vector<ir::InstId>& insts() { return insts_; }
  ir::Builder in_piece() { return ir::Builder(kernel_, insts_, location); }
  /// A builder in front of the piece's instructions.
  ir::Builder in_front() { return ir::Builder(kernel_, front_, location); }
  /// The form of another piece's instruction in this piece; made by `make` when it is asked for first.
  ir::InstId copy(ir::InstId id, const std::function<ir::InstId()>& make);

  /// An array with an element, or several, for each thread.
  ir::InstId array(ir::Type type, uint64_t a_thread = 1);
  /// A variable of the block.
  ir::InstId variable(ir::Type type) { return at_head().variable(type); }
  static ir::InstId element(ir::Builder& build, ir::Kernel& kernel, ir::InstId array, ir::InstId index);

  /// Flags of threads that do not run: an I32 a thread; 0: it runs. Declared when it is asked for first.
  ir::InstId off();
  bool has_off() const { return off_ != ir::InstId::None; }

  uint32_t location = 0;  // of added instructions

 private:
  ir::InstId loop_over_threads();

  ir::Kernel& kernel_;
  const int32_t block_dim_;
  std::vector<ir::InstId>& head_;
  std::vector<ir::InstId>* level_ = nullptr;
  uint32_t row_;  // of Kernel::loops, for loops over threads
  ir::InstId zero_ = ir::InstId::None;
  ir::InstId threads_ = ir::InstId::None;
  ir::InstId off_ = ir::InstId::None;

  ir::InstId loop_ = ir::InstId::None;
  ir::InstId thread_ = ir::InstId::None;
  bool guarded_ = false;
  std::vector<ir::InstId> front_, insts_;
  std::map<ir::InstId, ir::InstId> copies_;
};

}  // namespace qd::passes
