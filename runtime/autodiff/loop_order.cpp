#include "runtime/autodiff/loop_order.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace qd::autodiff {
namespace {

using ir::BlockId;
using ir::Inst;
using ir::InstId;
using ir::Op;

/// Effects of the reversed iterations of a loop on memory outside of them.
class Iterations {
 public:
  Iterations(const Primal& primal, const ReverseSweep& sweep, const KeptValues& kept, BlockId body)
      : kernel_(primal.kernel()) {
    primal_block(sweep, kept, body);
    if (!only_add_) return;
    for (BlockId each : bodies_) count_uses(each);
    block(sweep.of(body));
  }

  bool only_add() const {
    if (!only_add_) return false;
    if (std::ranges::any_of(read_, [&](InstId variable) { return added_.contains(variable); })) return false;
    return std::ranges::none_of(arrays_read_, [&](uint32_t read) {
      return std::ranges::any_of(arrays_added_, [&](uint32_t added) {
        return read == added || (is_parameter(read) && is_parameter(added));  // which may be the same memory
      });
    });
  }

 private:
  /// A value as far as it matters: the number that a variable had at the start of the block, and what was added to it.
  struct Form {
    InstId variable = InstId::None;  // None: of no variable
    bool added = false;
    bool zero = false;
  };

  bool is_parameter(uint32_t array) const { return kernel_.arrays[array].kind == ir::Array::Kind::Parameter; }

  void primal_block(const ReverseSweep& sweep, const KeptValues& kept, BlockId block) {
    if (block == BlockId::None) return;
    if (!kept.frame(block).empty()) only_add_ = false;  // the number that was kept last is taken first
    own_.insert(sweep.adjoints(block).begin(), sweep.adjoints(block).end());
    if (sweep.of(block) != BlockId::None) bodies_.push_back(sweep.of(block));
    for (InstId id : kernel_[block]) {
      for (BlockId inner : kernel_[id].blocks) primal_block(sweep, kept, inner);
    }
  }

  void count_uses(BlockId block) {
    for (InstId id : kernel_[block]) {
      for (InstId operand : kernel_.operands_of(id)) used_.insert(operand);
    }
  }

  /// Follows the variables from outside through a block: at its end each must be what it was, with additions.
  void block(BlockId id) {
    if (id == BlockId::None) return;
    const auto before = std::exchange(now_, {});
    for (InstId inst : kernel_[id]) visit(inst);
    for (const auto& [variable, form] : now_) {
      if (form.variable != variable) only_add_ = false;
      if (form.added) added_.insert(variable);
    }
    const auto inside = std::exchange(now_, before);
    for (const auto& [variable, form] : inside) {
      Form& outer = now_.try_emplace(variable, Form{variable}).first->second;
      if (outer.variable != variable) only_add_ = false;
      outer.added |= form.added;
    }
  }

  void visit(InstId id) {
    const Inst& inst = kernel_[id];
    note_reads(id);
    if (ir::accesses_memory(inst.op)) {
      access(id);
    } else {
      constexpr unsigned kOrdered = ir::kReads | ir::kWrites | ir::kDraws | ir::kTells | ir::kFaults | ir::kConvergent;
      if (ir::has_effect(inst.op, kOrdered)) only_add_ = false;
      if (inst.op == Op::Const) forms_[id].zero = inst.imm == 0;
      if (is_sum(inst)) forms_[id] = sum(inst);
      for (BlockId inner : inst.blocks) block(inner);
    }
  }

  bool is_sum(const Inst& inst) const { return inst.op == Op::Binary && inst.binary_op() == ir::BinaryOp::Add; }

  Form form(InstId id) const {
    const auto found = forms_.find(id);
    return found == forms_.end() ? Form{} : found->second;
  }

  Form sum(const Inst& inst) const {
    const Form a = form(kernel_.operands_of(inst)[0]), b = form(kernel_.operands_of(inst)[1]);
    if (a.variable != InstId::None && b.variable != InstId::None) return {};
    const auto& [of, other] = a.variable != InstId::None ? std::pair(a, b) : std::pair(b, a);
    return {of.variable, of.added || !other.zero, false};
  }

  /// Notes the variables whose numbers an instruction uses for something other than a sum of their own.
  void note_reads(InstId id) {
    const Inst& inst = kernel_[id];
    const auto operands = kernel_.operands_of(inst);
    const bool adds = is_sum(inst) && sum(inst).variable != InstId::None;
    for (size_t n = 0; n < operands.size(); ++n) {
      const InstId variable = form(operands[n]).variable;
      const bool returns = inst.op == Op::Store && n == 1 && operands[0] == variable;
      if (variable != InstId::None && !adds && !returns) read_.insert(variable);
    }
  }

  void access(InstId id) {
    const Inst& inst = kernel_[id];
    const auto operands = kernel_.operands_of(inst);
    const InstId place = operands[0];
    const bool adds = inst.op == Op::AtomicRmw && inst.atomic_op() == ir::AtomicOp::Add && !used_.contains(id);
    if (kernel_[place].op == Op::ElementPtr) {
      if (inst.op != Op::Load && !adds) only_add_ = false;
      (adds ? arrays_added_ : arrays_read_).insert(kernel_[place].aux);
      return;
    }
    const InstId variable = kernel_[place].op == Op::LocalPtr ? kernel_.operands_of(place)[0] : place;
    if (own_.contains(variable)) return;
    if (kernel_[place].op != Op::Alloca) {  // an element of a variable
      if (inst.op != Op::Load && !adds) only_add_ = false;
      (adds ? added_ : read_).insert(variable);
      return;
    }
    Form& now = now_.try_emplace(variable, Form{variable}).first->second;
    if (inst.op == Op::Load) {
      forms_[id] = now;
    } else if (inst.op == Op::Store) {
      now = form(operands[1]);
    } else {
      now.added = true;
      if (!adds) only_add_ = false;
    }
  }

  const ir::Kernel& kernel_;
  bool only_add_ = true;
  std::vector<BlockId> bodies_;  // of the reverse sweep, the inner ones as well
  std::set<InstId> own_;         // variables of an iteration
  std::set<InstId> used_;        // values
  std::set<InstId> read_, added_;
  std::set<uint32_t> arrays_read_, arrays_added_;
  std::unordered_map<InstId, Form> forms_;  // of values
  std::unordered_map<InstId, Form> now_;    // of the variables that the present block has accessed
};

}  // namespace

bool is_any_order(const Primal& primal, const ReverseSweep& sweep, const KeptValues& kept, InstId loop) {
  const Inst& inst = primal.kernel()[loop];
  return inst.op == Op::For && !primal.counted(loop) && Iterations(primal, sweep, kept, inst.blocks[0]).only_add();
}

}  // namespace qd::autodiff
