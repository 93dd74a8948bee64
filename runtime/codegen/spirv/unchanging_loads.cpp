// Loads that give the same number in each round of a loop stand in front of it, as in code by hand:
//
//   for j in range(n):
//       s += x[j] - x[i]      # x[i]
//
// Drivers do not move loads; on the processor each costs more than the arithmetic around it.
#include <algorithm>
#include <set>
#include <vector>

#include "runtime/codegen/spirv/function_emitter.h"
#include "runtime/ir/walk.h"

namespace qd::codegen::spirv {

using ir::Op;

namespace {

constexpr size_t kMostLoads = 8;  // of loads ahead of a loop: each has a register for as long as the loop runs

/// Whether a block leaves all memory as it is but for variables of the function.
bool leaves_memory(const ir::Kernel& kernel, ir::BlockId block) {
  bool leaves = true;
  ir::walk(kernel, block, [&](ir::InstId id) {
    const ir::Inst& inst = kernel[id];
    if (!(ir::row(inst.op).effects & ir::kWrites)) return;
    if (!ir::accesses_memory(inst.op)) return void(leaves = false);
    const ir::Inst* place = &kernel[kernel.operands_of(inst)[0]];
    while (place->op == Op::LocalPtr) place = &kernel[kernel.operands_of(*place)[0]];
    leaves &= place->op == Op::Alloca;
  });
  return leaves;
}

/// Finds loads that can stand in front of a loop, among the instructions that each round begins with.
class Finder {
 public:
  Finder(const ir::Kernel& kernel, ir::InstId loop) : kernel_(kernel), loop_(loop) {
    const ir::BlockId body = kernel[loop].blocks[0];
    ir::walk(kernel, body, [&](ir::InstId id) { inside_.insert(id); });
    for (ir::InstId id : kernel[body]) {
      const ir::Inst& inst = kernel[id];
      if (inst.blocks[0] != ir::BlockId::None || (ir::row(inst.op).effects & (ir::kControl | ir::kFaults))) return;
      if (!is_same(inst)) continue;
      if (inst.op != Op::Load) {
        same_.insert(id);
      } else if (loads_.size() < kMostLoads) {
        same_.insert(id);
        loads_.push_back(id);
        need(id);
      }
    }
  }
  const std::vector<ir::InstId>& loads() const { return loads_; }
  /// Whether loads need it, or it is one.
  bool needed(ir::InstId id) const { return needed_.contains(id); }

 private:
  bool is_same(const ir::Inst& inst) const {
    auto operands = kernel_.operands_of(inst);
    const bool loads = inst.op == Op::Load && kernel_[operands[0]].op == Op::ElementPtr;
    const bool outer_index = inst.op == Op::LoopIndex && inst.aux_inst() != loop_;
    if (!loads && !outer_index && inst.op != Op::ElementPtr && !ir::is_pure(inst.op)) return false;
    return std::ranges::all_of(operands, [&](ir::InstId id) { return !inside_.contains(id) || same_.contains(id); });
  }
  void need(ir::InstId id) {
    if (!same_.contains(id) || !needed_.insert(id).second) return;
    for (ir::InstId operand : kernel_.operands_of(kernel_[id])) need(operand);
  }

  const ir::Kernel& kernel_;
  const ir::InstId loop_;
  std::set<ir::InstId> inside_, same_, needed_;
  std::vector<ir::InstId> loads_;
};

}  // namespace

bool FunctionEmitter::loads_ahead(ir::InstId loop) const {
  return leaves_memory(kernel_, kernel_[loop].blocks[0]) && !Finder(kernel_, loop).loads().empty();
}

/// Emits the loads in front of a loop, unless it has no round. Their operands are computed for them alone: the body of
/// the loop computes its own.
void FunctionEmitter::load_ahead(ir::InstId loop, Id has_rounds) {
  const ir::BlockId body = kernel_[loop].blocks[0];
  const Finder found(kernel_, loop);
  const Id before = code_.block(), inside = code_.label(), merge = code_.label();
  code_.choose(has_rounds, inside, merge, merge);
  code_.begin(inside);
  for (ir::InstId id : kernel_[body]) {
    if (found.needed(id)) emit_inst(id);
  }
  const Id loaded = code_.block();
  code_.branch(merge);
  code_.begin(merge);
  for (ir::InstId id : found.loads()) {
    const Id type = arithmetic_.type(kernel_[id].type);
    values_[id] = code_.op(spv::OpPhi, type, {values_[id], loaded, module_.null(type), before});
    loaded_ahead_.insert(id);
  }
}

}  // namespace qd::codegen::spirv
