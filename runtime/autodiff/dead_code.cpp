#include "runtime/autodiff/dead_code.h"

#include <algorithm>
#include <span>
#include <vector>

#include "runtime/ir/walk.h"

namespace qd::autodiff {
namespace {

using ir::BlockId;
using ir::InstId;
using ir::Op;

class Liveness {
 public:
  Liveness(ir::Kernel& kernel, std::span<const InstId> dropped)
      : kernel_(kernel),
        live_(kernel.insts.size()),
        dropped_(kernel.insts.size()),
        around_(kernel.insts.size(), InstId::None),
        users_(kernel.insts.size()) {
    for (InstId id : dropped) dropped_[static_cast<uint32_t>(id)] = true;
  }

  void run() {
    find_places(kernel_.body, InstId::None, InstId::None);
    walk(kernel_, kernel_.body, [&](InstId id) {
      if (is_root(id)) mark(id);
    });
    while (!waiting_.empty()) {
      const InstId id = waiting_.back();
      waiting_.pop_back();
      follow(id);
    }
    sweep(kernel_.body);
  }

 private:
  std::vector<InstId>& users(InstId id) { return users_[static_cast<uint32_t>(id)]; }

  /// Notes the instruction around each one, the writes to each variable, and the Breaks and Continues of each loop.
  void find_places(BlockId block, InstId around, InstId loop) {
    if (block == BlockId::None) return;
    for (InstId id : kernel_[block]) {
      const ir::Inst& inst = kernel_[id];
      around_[static_cast<uint32_t>(id)] = around;
      if (ir::has_effect(inst.op, ir::kWrites) && inst.operand_count > 0) {
        const InstId variable = variable_of(kernel_.operands_of(id)[0]);
        if (variable != InstId::None) users(variable).push_back(id);
      }
      if (inst.op == Op::Break || inst.op == Op::Continue) users(loop).push_back(id);
      const bool is_loop = inst.op == Op::For || inst.op == Op::Loop;
      for (BlockId inner : inst.blocks) find_places(inner, id, is_loop ? id : loop);
    }
  }

  /// The Alloca that a place belongs to; None for places in arrays.
  InstId variable_of(InstId place) const {
    if (kernel_[place].op == Op::LocalPtr) place = kernel_.operands_of(place)[0];
    return kernel_[place].op == Op::Alloca ? place : InstId::None;
  }

  bool is_root(InstId id) const {
    if (dropped_[static_cast<uint32_t>(id)]) return false;
    switch (kernel_[id].op) {
      case Op::Store:
      case Op::AtomicRmw: return variable_of(kernel_.operands_of(id)[0]) == InstId::None;
      case Op::Assert:
      case Op::Probe:
      case Op::Return: return true;
      default: return false;
    }
  }

  void mark(InstId id) {
    if (live_[static_cast<uint32_t>(id)]) return;
    live_[static_cast<uint32_t>(id)] = true;
    waiting_.push_back(id);
  }

  void follow(InstId id) {
    const ir::Inst& inst = kernel_[id];
    for (InstId operand : kernel_.operands_of(id)) mark(operand);
    if (inst.op == Op::Alloca || inst.op == Op::For || inst.op == Op::Loop) {
      for (InstId user : users(id)) mark(user);
    }
    if (const InstId around = around_[static_cast<uint32_t>(id)]; around != InstId::None) mark(around);
  }

  void sweep(BlockId block) {
    if (block == BlockId::None) return;
    std::erase_if(kernel_[block], [&](InstId id) { return !live_[static_cast<uint32_t>(id)]; });
    for (InstId id : kernel_[block]) {
      for (BlockId inner : kernel_[id].blocks) sweep(inner);
    }
  }

  ir::Kernel& kernel_;
  std::vector<bool> live_;
  std::vector<bool> dropped_;
  std::vector<InstId> around_;              // the instruction in whose block each one is
  std::vector<std::vector<InstId>> users_;  // of a variable: its writes; of a loop: its Breaks and Continues
  std::vector<InstId> waiting_;
};

}  // namespace

void remove_dead_code(ir::Kernel& kernel, std::span<const InstId> dropped) { Liveness(kernel, dropped).run(); }

}  // namespace qd::autodiff
