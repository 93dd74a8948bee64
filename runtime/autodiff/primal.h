// The primal of a gradient: a kernel in normal form, with the places of its instructions.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/autodiff/normal_form.h"
#include "runtime/ir/kernel.h"

namespace qd::autodiff {

/// The read of an element that an instruction of the primal stands for.
struct FirstRead {
  ir::InstId read = ir::InstId::None;  // of the kernel before normalize(), with its calls inlined
  ir::InstId loop = ir::InstId::None;  // a loop that it is in: the instruction stands before the loop, for the first
                                       // time that the read runs. None: it is the read itself
};

/// The kernel that reverse mode differentiates. Instructions and blocks that are added to the kernel later are not the
/// primal's.
class Primal {
 public:
  struct Block {
    ir::BlockId root =
        ir::BlockId::None;  // the block, or one around it, that is the kernel's body or a parallel loop's
    ir::InstId around = ir::InstId::None;  // the instruction whose block it is
    int loops = 0;                         // serial loops around it, in the root
  };

  /// Brings a kernel into normal form. `lines`: whether has_derivative() is asked. Throws NoDerivative.
  Primal(ir::Kernel& kernel, bool lines);

  ir::Kernel& kernel() const { return kernel_; }
  size_t insts() const { return block_of_.size(); }
  size_t blocks() const { return blocks_.size(); }
  bool has(ir::InstId id) const { return static_cast<size_t>(id) < block_of_.size(); }
  /// Whether a derivative passes through a line of the source.
  bool has_derivative(const ir::Location& place) const { return lines_.contains({place.function, place.line}); }
  bool is_active(ir::InstId id) const { return active_[static_cast<size_t>(id)]; }

  const Block& operator[](ir::BlockId id) const { return blocks_[static_cast<size_t>(id)]; }
  ir::BlockId block_of(ir::InstId id) const { return block_of_[static_cast<size_t>(id)]; }
  const Block& home(ir::InstId id) const { return (*this)[block_of(id)]; }
  bool is_root(ir::BlockId id) const { return (*this)[id].root == id; }
  bool is_parallel(ir::InstId loop) const { return parallel_[static_cast<size_t>(loop)]; }
  /// The loop as one that ends early; null for others.
  const CountedLoop* counted(ir::InstId loop) const;
  /// Whether `a` stands before `b` in the text.
  bool precedes(ir::InstId a, ir::InstId b) const {
    return position_[static_cast<size_t>(a)] < position_[static_cast<size_t>(b)];
  }
  /// Number of times that a block runs when its root runs once, at most; nothing where that is not a constant.
  std::optional<uint64_t> runs(ir::BlockId block) const;

  std::vector<ir::InstId> operands(ir::InstId id) const;
  /// The operations that write to elements of arrays.
  std::vector<ir::InstId> writes() const;
  /// The variable or the element of an array that a place belongs to: an Alloca or an ElementPtr.
  ir::InstId variable_of(ir::InstId place) const;
  bool is_element(ir::InstId place) const { return kernel_[variable_of(place)].op == ir::Op::ElementPtr; }
  /// The instructions that element_copies.h has made readers of elements.
  const std::map<ir::InstId, FirstRead>& first_reads() const { return first_reads_; }
  /// Whether a write is seen to overwrite the element that a load has read.
  bool overwrites(ir::InstId write, ir::InstId load) const;
  /// Whether a write may overwrite the element of a load, in this launch behind the load or in another launch, as far
  /// as is seen. Not where an index tells them apart: x[t, i] and x[t + 1, i].
  bool may_overwrite(ir::InstId write, ir::InstId load) const;
  /// Whether other iterations of the parallel loop around may add to the element of an access, as far as is seen.
  bool may_be_shared(ir::InstId access) const;
  /// Whether an instruction stands in a loop.
  bool is_in(ir::InstId id, ir::InstId loop) const;
  /// Whether a value or a place is seen to be the same in all iterations of a loop.
  bool is_invariant(ir::InstId id, ir::InstId loop) const;

 private:
  void find_places();
  bool is_of_launch(ir::InstId value) const;
  void find(ir::BlockId block, Block here, Level level);

  ir::Kernel& kernel_;
  std::unordered_map<ir::InstId, CountedLoop> counted_;
  std::map<ir::InstId, FirstRead> first_reads_;
  std::vector<bool> active_;
  std::set<std::pair<uint32_t, int32_t>> lines_;  // function, line
  std::vector<bool> parallel_;
  std::vector<Block> blocks_;
  std::vector<ir::BlockId> block_of_;
  std::vector<uint32_t> position_;
  uint32_t next_position_ = 0;
};

}  // namespace qd::autodiff
