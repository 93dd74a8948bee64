// Reverse sweep of a gradient: the primal's blocks backwards.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/autodiff/primal.h"
#include "runtime/mathematics/notation.h"

namespace qd::autodiff {

/// The reverse block of each block of the primal. Its instructions use values of the primal as operands, whether these
/// are there or not: kept_values.h says how they come there.
class ReverseSweep {
 public:
  /// Adds the blocks to the kernel. Throws NoDerivative.
  ReverseSweep(const Primal& primal, mathematics::Notation& notation);

  /// The reverse block; None where no derivative passes through the block.
  ir::BlockId of(ir::BlockId block) const { return blocks_[static_cast<size_t>(block)]; }
  /// Variables that belong at the start of the reverse block: adjoints.
  const std::vector<ir::InstId>& adjoints(ir::BlockId block) const { return adjoints_[static_cast<size_t>(block)]; }
  /// A location of each line whose derivative the reverse block computes, but for the blocks in it; none if the primal
  /// does not know its lines.
  const std::vector<uint32_t>& lines(ir::BlockId block) const { return lines_[static_cast<size_t>(block)]; }
  /// The control flow of the primal that an instruction stands for; None for others.
  ir::InstId origin(ir::InstId reversed) const;
  /// The reverse loop of a loop. Its only axis counts from 0 if the loop ends early; otherwise it has the same axes.
  ir::InstId loop(ir::InstId loop) const { return loops_.at(loop); }
  bool has_loop(ir::InstId loop) const { return loops_.contains(loop); }

 private:
  using Value = mathematics::Value;

  ir::Builder& build() { return notation_.build(); }
  Value value(ir::InstId id) { return Value(notation_, id); }
  bool block(ir::BlockId block);
  void inst(ir::InstId id);
  void operation(ir::InstId id);
  void access(ir::InstId id);
  void branches(ir::InstId id);
  void loop_of(ir::InstId id);

  void add_line(ir::InstId id);
  std::optional<Value> adjoint(ir::InstId id);
  void add(ir::InstId id, Value amount);
  void add_to(ir::InstId variable_place, ir::BlockId home, Value amount);
  ir::InstId adjoint_place(ir::InstId place);
  ir::InstId adjoint_variable(ir::BlockId home, const ir::Inst& like);

  const Primal& primal_;
  ir::Kernel& kernel_;
  mathematics::Notation& notation_;
  ir::BlockId current_ = ir::BlockId::None;  // the primal's block that is being reversed
  std::vector<ir::BlockId> blocks_;
  std::vector<std::vector<ir::InstId>> adjoints_;
  std::vector<std::vector<uint32_t>> lines_;
  std::unordered_map<ir::InstId, ir::InstId> origins_, loops_;
  std::unordered_map<ir::InstId, Value> sums_;            // adjoints of values, from their own blocks
  std::unordered_map<ir::InstId, ir::InstId> variables_;  // the same, from blocks inside: a variable
  std::unordered_map<ir::InstId, ir::InstId> places_;     // adjoints of variables
};

}  // namespace qd::autodiff
