// The kernel that is being built: ir::Builder with additions for the front end.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "runtime/frontend/state/function_state.h"
#include "runtime/ir/builder.h"

namespace qd::frontend {

/// Owns the kernel. Instructions go to the end of the current block, at the current location.
class KernelBuilder : public ir::Builder {
 public:
  explicit KernelBuilder(FunctionStack& functions) : ir::Builder(kernel), functions_(functions) {}

  using ir::Builder::constant;
  /// A number that is known, converted to a type.
  ir::InstId constant(ir::Type type, const Value& number);
  /// The location of a range of the present function.
  uint32_t location_of(const syntax::Range& range);
  /// Emits `make()` into a block of its own.
  template <class Make>
  auto in_new_block(ir::BlockId& block, Make&& make) {
    block = kernel.add_block();
    const Scope inside(*this, block);
    return make();
  }
  /// The same for a block that the schedule runs: the parallel loops in it are tasks.
  template <class Make>
  auto in_new_scheduled_block(ir::BlockId& block, Make&& make) {
    return in_new_block(block, [&] {
      scheduled_.push_back(block);
      struct Pop {
        std::vector<ir::BlockId>& list;
        ~Pop() { list.pop_back(); }
      } pop{scheduled_};
      return make();
    });
  }
  /// Whether the present block is the kernel's body, or one that the schedule runs.
  bool at_top_level() const { return block() == (scheduled_.empty() ? kernel.body : scheduled_.back()); }
  /// Whether a block may run if its condition does not hold: it is cheap, and without effects or faults.
  bool speculatable(ir::BlockId block) const;
  /// Moves a block's instructions to the end of the current one; without speculation it would run only if `test` is
  /// `when`.
  void splice(ir::BlockId from, ir::InstId test, bool when);

  /// The sizes of the kernel's tables. rewind() removes the rows that came after mark().
  struct Mark {
    size_t params, arrays, functions, locations, loops, formats, variants, probes, decisions, routines, insts, operands,
        blocks;
  };
  Mark mark() const;
  void rewind(const Mark& mark);

  ir::Kernel kernel;

 private:
  FunctionStack& functions_;
  std::vector<ir::BlockId> scheduled_;  // the blocks around that the schedule runs, outermost first
  std::map<std::tuple<uint32_t, int32_t, int32_t, uint32_t>, uint32_t> locations_;  // into Kernel::locations
};

/// Forgets the rows of a table that begin at `size`, in an index of it.
template <class Index>
void forget_rows(Index& index, size_t size) {
  std::erase_if(index, [&](const auto& entry) { return entry.second >= size; });
}

}  // namespace qd::frontend
