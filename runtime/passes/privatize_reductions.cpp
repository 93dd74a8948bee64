// Privatisation of reductions: a reduction of a parallel task gathers in a variable of each chunk, and is added to the
// shared place once for each chunk.
#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/ir/builder.h"
#include "runtime/ir/half.h"
#include "runtime/ir/rewrite.h"
#include "runtime/ir/walk.h"
#include "runtime/passes/passes.h"

namespace qd::passes {
namespace {

using ir::AtomicOp;
using ir::BinaryOp;
using ir::Inst;
using ir::InstId;
using ir::Op;
using ir::Type;

/// The bits of the value that changes nothing under the operation: 0 for a sum, for instance. Nothing: the operation is
/// no reduction.
std::optional<uint64_t> neutral(AtomicOp op, Type type) {
  const int width = ir::bit_width(type);
  const uint64_t ones = ir::is_signed(type) || width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  const uint64_t lowest_int = ir::is_signed(type) ? ~uint64_t{0} << (width - 1) : 0;
  const uint64_t highest_int = ir::is_signed(type) ? ~lowest_int : ones;
  auto bits = [&](double value) {
    if (type == Type::F16) return uint64_t{ir::half_from_double(value)};
    return type == Type::F32 ? uint64_t{std::bit_cast<uint32_t>(static_cast<float>(value))}
                             : std::bit_cast<uint64_t>(value);
  };
  switch (op) {
    case AtomicOp::Add:
    case AtomicOp::Sub: return ir::is_float(type) ? bits(-0.0) : 0;
    case AtomicOp::Mul: return ir::is_float(type) ? bits(1) : 1;
    // Minima and maxima of floats are gathered by the code generator, which gives the vectoriser their rules for NaNs.
    case AtomicOp::Min: return ir::is_float(type) ? std::nullopt : std::optional(highest_int);
    case AtomicOp::Max: return ir::is_float(type) ? std::nullopt : std::optional(lowest_int);
    case AtomicOp::And: return ones;
    case AtomicOp::Or:
    case AtomicOp::Xor: return 0;
    case AtomicOp::Exchange: return std::nullopt;
  }
  return std::nullopt;
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
  Privatizer(ir::Kernel& kernel, ir::Task& task) : kernel_(kernel), task_(task) {}

  void run() {
    look();
    for (auto& [slot, temp] : temps_) {
      if (!temp.atomics.empty() && !temp.other_uses) privatize(temp);
    }
    if (!own_.empty()) rewrite(task_.body);
  }

 private:
  void look() {
    std::vector<std::pair<uint32_t, InstId>> atomics;
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
        if (op == AtomicOp::Exchange || i != 0 || !neutral(op, inst.type) ||
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

  void privatize(const Temp& temp) {
    const Inst pointer = kernel_[temp.pointer];
    ir::Builder before(kernel_, task_.prologue, pointer.location);
    const InstId own = before.variable(pointer.type);
    before.store(own, before.constant(pointer.type, *neutral(temp.op, pointer.type)));
    if (task_.epilogue == ir::BlockId::None) task_.epilogue = kernel_.add_block();
    ir::Builder after(kernel_, task_.epilogue, pointer.location);
    after.atomic(temp.op, temp.pointer, after.load(own));
    for (InstId atomic : temp.atomics) own_[atomic] = own;
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
  std::map<uint32_t, Temp> temps_;          // for each slot that the task uses
  std::unordered_set<InstId> used_;         // atomics whose value has a use
  std::unordered_map<InstId, InstId> own_;  // the chunk's variable, for each atomic that goes to it
};

}  // namespace

void privatize_reductions(ir::Kernel& kernel) {
  for (ir::Task& task : kernel.tasks) {
    if (task.kind == ir::Task::Kind::Parallel) Privatizer(kernel, task).run();
  }
}

}  // namespace qd::passes
