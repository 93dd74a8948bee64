// Store-to-load forwarding: a load of a variable is replaced by the value of the last store, where that is one store
// whatever way control took. A variable without loads goes.
//
//   j = i + 1       # two stores to j, but each load has one value
//   total += x[j]
//   j = i + 2
//   total += x[j]
#include <utility>
#include <vector>

#include "runtime/ir/rewrite.h"
#include "runtime/ir/walk.h"
#include "runtime/passes/passes.h"

namespace qd::passes {
namespace {

using ir::BlockId;
using ir::InstId;
using ir::Op;

class Forwarder {
 public:
  explicit Forwarder(ir::Kernel& kernel)
      : kernel_(kernel), known_(kernel.insts.size(), InstId::None), uses_(kernel.insts.size()) {}

  void run() {
    const std::vector<BlockId> bodies = ir::bodies(kernel_);
    for (BlockId body : bodies) visit(body);
    for (InstId alloca : variables_) {
      const Uses& uses = uses_[static_cast<uint32_t>(alloca)];
      if (uses.is_needed) continue;
      replacements_.add(alloca, InstId::None);
      for (InstId store : uses.stores) replacements_.add(store, InstId::None);
    }
    for (BlockId body : bodies) replace(kernel_, body, replacements_);
  }

 private:
  struct Uses {
    std::vector<InstId> stores;
    bool is_needed = false;  // by a load that stays, an atomic operation, or as an array
  };

  void visit(BlockId block) {
    if (block == BlockId::None) return;
    for (InstId id : kernel_[block]) {
      const ir::Inst& inst = kernel_[id];
      if (inst.op == Op::Alloca) {
        variables_.push_back(id);
        set(id, InstId::None);  // zero, in each iteration of a loop around
      }
      if (inst.op == Op::LocalPtr) uses_of(kernel_.operands_of(inst)[0]).is_needed = true;
      if (ir::accesses_memory(inst.op)) visit_access(id, inst);
      visit_inside(inst);
    }
  }

  void visit_access(InstId id, const ir::Inst& inst) {
    const InstId place = kernel_.operands_of(inst)[0];
    if (kernel_[place].op != Op::Alloca) return;
    const InstId known = known_[static_cast<uint32_t>(place)];
    if (inst.op == Op::Store) {
      uses_of(place).stores.push_back(id);
      set(place, kernel_.operands_of(inst)[1]);
    } else if (inst.op == Op::Load && known != InstId::None) {
      replacements_.add(id, known);
    } else {
      uses_of(place).is_needed = true;
      if (inst.op != Op::Load) set(place, InstId::None);
    }
  }

  /// Visits the blocks of an instruction. Each may run or not, and those of a loop again and again.
  void visit_inside(const ir::Inst& inst) {
    std::vector<InstId> changed;
    for (BlockId inner : inst.blocks) {
      if (inner == BlockId::None) continue;
      if (inst.op != Op::If) forget_changed(inner);
      const size_t mark = changes_.size();
      visit(inner);
      for (; changes_.size() > mark; changes_.pop_back()) {
        const auto [variable, before] = changes_.back();
        known_[static_cast<uint32_t>(variable)] = before;
        changed.push_back(variable);
      }
    }
    for (InstId variable : changed) set(variable, InstId::None);
  }

  void forget_changed(BlockId loop) {
    ir::walk(kernel_, loop, [&](InstId id) {
      const ir::Inst& inst = kernel_[id];
      if (!ir::accesses_memory(inst.op) || inst.op == Op::Load) return;
      const InstId place = kernel_.operands_of(inst)[0];
      if (kernel_[place].op == Op::Alloca) set(place, InstId::None);
    });
  }

  void set(InstId variable, InstId value) {
    InstId& known = known_[static_cast<uint32_t>(variable)];
    if (known == value) return;
    changes_.emplace_back(variable, known);
    known = value;
  }

  Uses& uses_of(InstId variable) { return uses_[static_cast<uint32_t>(variable)]; }

  ir::Kernel& kernel_;
  std::vector<InstId> known_;                       // variable to the value that it has; None: one of several
  std::vector<std::pair<InstId, InstId>> changes_;  // of known_: variable and what was known before, to go back
  std::vector<InstId> variables_;
  std::vector<Uses> uses_;
  ir::Replacements replacements_;
};

}  // namespace

void forward_stores(ir::Kernel& kernel) { Forwarder(kernel).run(); }

}  // namespace qd::passes
