// Divergence of a parallel task: which values differ between iterations that run together, as lanes of a vector.
//
//   for i in x:                       # i differs by 1 from lane to lane
//       n = 0
//       while x[i] * n < limit:       # lanes leave the loop one after the other
//           n += 1                    # so n varies, although the number that is added is uniform
//       y[i] = n
//
// Lanes are neighbours along the last axis of the task.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "runtime/ir/kernel.h"

namespace qd::passes {

class Divergence {
 public:
  /// For the body of a task as privatize_reductions leaves it. Keeps references to both.
  Divergence(const ir::Kernel& kernel, const ir::Task& task);

  /// The difference of a value between a lane and the one before: 0 for a uniform value, nothing for one that varies in
  /// another way. The difference is that of numbers that wrap. A place is uniform, or varies.
  std::optional<int64_t> step(ir::InstId value) const {
    const auto found = steps_.find(value);
    return found == steps_.end() ? 0 : found->second;
  }
  bool is_uniform(ir::InstId value) const { return step(value) == 0; }

  /// The bytes from the element of an ElementPtr to that of the next lane. Nothing where they are not known, or not the
  /// same for all lanes.
  std::optional<int64_t> distance(ir::InstId element) const;

  /// Whether lanes may take different arms of an If, or run a Loop or a For a different number of times or leave out a
  /// part of its body.
  bool diverges(ir::InstId control) const { return divergent_.contains(control); }

  /// Whether a block has a Break or a Continue by which only some lanes leave it.
  bool narrows(ir::BlockId block) const { return narrowing_.contains(block); }

  /// Whether a place is that of a variable of the iteration, or of its element.
  bool is_variable(ir::InstId place) const { return declared_.contains(variable(place)); }

  /// Whether a block is run by all lanes that may still read the variable of a place: lanes that have left a loop need
  /// no variable that is read only in it. False for other places.
  bool reaches_all(ir::BlockId block, ir::InstId place) const;

  /// Whether a place is an element whose indices are those of the iteration.
  bool is_own_element(ir::InstId place) const;

  /// Whether a place is an element of an array of which each iteration changes only its own elements, such as x[i] of
  /// `for i in x`. So an atomic operation there need not be atomic.
  bool is_own(ir::InstId place) const { return is_own_element(place) && !shared_.contains(kernel_[place].aux); }

  /// For a Load of a variable that is stored once, in front of all loads: the value that is stored.
  std::optional<ir::InstId> only_value(ir::InstId load) const;

 private:
  /// The place of a block: the instruction that it belongs to, and the block of that. None for the task's body.
  struct Around {
    ir::InstId control = ir::InstId::None;
    ir::BlockId block = ir::BlockId::None;
  };

  void enter(ir::BlockId block, Around around);
  void find_last_reads();
  void vary_sums(ir::BlockId block);
  void find_only_stores(ir::BlockId block);
  void find_shared_arrays();
  void visit(ir::BlockId block);
  void visit(ir::InstId id, ir::BlockId block);
  void visit_jump(ir::BlockId block);
  void change_variable(const ir::Inst& inst, ir::BlockId block);
  std::optional<int64_t> step_of(ir::InstId id) const;
  std::optional<int64_t> binary_step(const ir::Inst& inst) const;
  std::optional<int64_t> index_step(const ir::Inst& index) const;
  bool operands_uniform(const ir::Inst& inst, size_t from = 0) const;
  ir::InstId variable(ir::InstId place) const;
  bool diverges_between(ir::BlockId outer, ir::BlockId inner) const;
  void vary(ir::InstId value) { set(value, std::nullopt); }
  void set(ir::InstId value, std::optional<int64_t> step);
  void diverge(ir::InstId control) { changed_ |= divergent_.insert(control).second; }

  const ir::Kernel& kernel_;
  const ir::Task& task_;
  std::unordered_map<ir::BlockId, Around> around_;
  std::unordered_map<ir::InstId, ir::BlockId> declared_;          // variables
  std::unordered_map<ir::InstId, ir::InstId> only_stores_;        // variable to the Store; None: there are several
  std::unordered_map<ir::InstId, std::optional<int64_t>> steps_;  // those that are not uniform
  std::unordered_set<ir::InstId> divergent_;
  std::unordered_set<ir::BlockId> narrowing_;
  std::unordered_map<ir::InstId, size_t> last_reads_;  // variable to the number of an instruction
  std::unordered_map<ir::InstId, size_t> loop_ends_;   // to the number of the last instruction inside
  std::unordered_set<ir::InstId> continued_;           // loops with a Continue
  std::unordered_set<uint32_t> shared_;                // arrays with elements that several iterations may change
  bool changed_ = false;
};

}  // namespace qd::passes
