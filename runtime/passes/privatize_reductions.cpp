// Privatisation of reductions: a reduction of a parallel task into a temp, or into an element with constant indices,
// gathers in a variable of each chunk, and is added to the shared place once for each chunk.
#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/ir/builder.h"
#include "runtime/ir/neutral.h"
#include "runtime/ir/rewrite.h"
#include "runtime/ir/walk.h"
#include "runtime/passes/fixed_reductions.h"
#include "runtime/passes/passes.h"

namespace qd::passes {
namespace {

using ir::AtomicOp;
using ir::BinaryOp;
using ir::Inst;
using ir::InstId;
using ir::Op;
using ir::Type;

/// The neutral element of an operation that gathers. Nothing: the operation is no reduction, or the code generator
/// gathers by it.
std::optional<uint64_t> start_of(AtomicOp op, Type type, Gathering gathering) {
  const bool least_float = ir::is_float(type) && (op == AtomicOp::Min || op == AtomicOp::Max);
  return least_float && gathering == Gathering::Temps ? std::nullopt : ir::neutral(op, type);
}

/// Uses of one global temp by the task.
struct Temp {
  InstId pointer = InstId::None;
  AtomicOp op = AtomicOp::Exchange;
  std::vector<InstId> atomics;
  bool other_uses = false;
};

class Privatizer {
 public:
  Privatizer(ir::Kernel& kernel, ir::Task& task, Gathering gathering)
      : kernel_(kernel), task_(task), gathering_(gathering) {}

  void run() {
    look();
    for (auto& [slot, temp] : temps_) {
      if (!temp.atomics.empty() && !temp.other_uses)
        privatize(temp.op, temp.atomics, [&](ir::Builder&) { return temp.pointer; });
    }
    if (gathering_ == Gathering::All) privatize_elements();
    if (!own_.empty()) rewrite(task_.body);
  }

 private:
  void look() {
    auto visit = [&](InstId id) {
      const Inst& inst = kernel_[id];
      std::span<const InstId> args = kernel_.operands_of(inst);
      for (size_t i = 0; i < args.size(); i++) {
        const Inst& pointer = kernel_[args[i]];
        if (pointer.op == Op::AtomicRmw) used_.insert(args[i]);
        if (pointer.op != Op::GlobalTemp) continue;
        Temp& temp = temps_[pointer.aux];
        temp.pointer = args[i];
        const AtomicOp op = inst.op == Op::AtomicRmw ? inst.atomic_op() : AtomicOp::Exchange;
        const AtomicOp kind = op == AtomicOp::Sub ? AtomicOp::Add : op;  // a difference is a sum
        if (op == AtomicOp::Exchange || i != 0 || !start_of(op, inst.type, gathering_) ||
            (!temp.atomics.empty() && temp.op != kind)) {
          temp.other_uses = true;
        } else {
          temp.op = kind;
          temp.atomics.push_back(id);
        }
      }
    };
    walk(kernel_, task_.prologue, visit);
    walk(kernel_, task_.body, visit);
    for (auto& [slot, temp] : temps_) {
      for (InstId atomic : temp.atomics) temp.other_uses |= used_.contains(atomic);  // the old value has a use
    }
  }

  /// Elements with constant indices.
  void privatize_elements() {
    const std::map<ReductionKey, FixedReduction> reductions = fixed_reductions(kernel_, task_);
    std::map<ReductionKey, std::vector<InstId>> atomics;
    walk(kernel_, task_.body, [&](InstId id) {
      if (kernel_[id].op != Op::AtomicRmw) return;
      const std::optional<ReductionKey> key = reduction_key(kernel_, kernel_[kernel_.operands_of(id)[0]]);
      if (key && key->op == Op::ElementPtr && reductions.contains(*key)) atomics[*key].push_back(id);
    });
    for (const auto& [key, all] : atomics) {
      const FixedReduction& reduction = reductions.at(key);
      privatize(reduction.op, all, [&](ir::Builder& build) {
        std::vector<InstId> indices;
        for (size_t i = 0; i < key.element.size(); i++) {
          const Inst& index = kernel_[kernel_.operands_of(reduction.place)[i]];
          indices.push_back(build.constant(index.type, index.imm));
        }
        const Inst where = kernel_[reduction.place];
        return build.like(where, indices);
      });
    }
  }

  /// `place` gives the place of the reduction, to the epilogue.
  template <class Place>
  void privatize(AtomicOp op, const std::vector<InstId>& atomics, Place&& place) {
    const Inst first = kernel_[atomics[0]];
    if (task_.prologue == ir::BlockId::None) task_.prologue = kernel_.add_block();
    if (task_.epilogue == ir::BlockId::None) task_.epilogue = kernel_.add_block();
    ir::Builder before(kernel_, task_.prologue, first.location), after(kernel_, task_.epilogue, first.location);
    const InstId own = before.variable(first.type);
    before.store(own, before.constant(first.type, *start_of(op, first.type, gathering_)));
    const InstId shared = place(after);
    after.atomic(op, shared, after.load(own));
    for (InstId atomic : atomics) own_[atomic] = own;
  }

  /// Turns each atomic into a load, an operation and a store on the chunk's own variable.
  void rewrite(ir::BlockId block) {
    if (block == ir::BlockId::None || own_.empty()) return;
    std::vector<InstId> out;
    for (InstId id : std::vector(kernel_[block])) {
      for (ir::BlockId inner : std::array(kernel_[id].blocks)) rewrite(inner);
      out.push_back(id);
      auto found = own_.find(id);
      if (found == own_.end()) continue;
      const Inst was = kernel_[id];
      const InstId value = kernel_.operands_of(was)[1];
      Inst& load = kernel_[id];
      load.op = Op::Load;
      load.aux = 0;
      load.operand_count = 1;
      kernel_.operands[was.operand_begin] = found->second;
      ir::Builder build(kernel_, out, was.location);
      build.store(found->second, build.binary(*ir::binary_op(was.atomic_op()), id, value));
    }
    kernel_[block] = std::move(out);
  }

  ir::Kernel& kernel_;
  ir::Task& task_;
  const Gathering gathering_;
  std::map<uint32_t, Temp> temps_;          // for each slot that the task uses
  std::unordered_set<InstId> used_;         // atomics whose value has a use
  std::unordered_map<InstId, InstId> own_;  // the chunk's variable, for each atomic that goes to it
};

}  // namespace

void privatize_reductions(ir::Kernel& kernel, Gathering gathering) {
  for (ir::Task& task : kernel.tasks) {
    if (task.kind == ir::Task::Kind::Parallel) Privatizer(kernel, task, gathering).run();
  }
}

}  // namespace qd::passes
