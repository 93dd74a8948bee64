// Additions to private arrays (private_arrays.cpp), behind the computation of what they add.
//
//   for p in x:                                     # the weights of nine nodes take many operations
//       bins[place(x[p])] += weight(x[p])
//
// LLVM does not vectorise such a loop, because two iterations may add to one place. So it runs in strips:
//
//   for strips of x:
//       for p in strip: w[p] = weight(x[p])         # vectorised
//       for p in strip: bins[place(x[p])] += w[p]   # in the same order as before
//
// The strip keeps what is added, and the loads from which the places are computed: the second loop computes the places
// again. It pays where the first loop has much to compute. Then the loop is emitted once, for private and shared
// arrays, and each strip has both kinds of additions; but where another array may be the memory of a shared one,
// additions to that stay in their iteration.
#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/codegen/cpu/task_emitter.h"

namespace qd::codegen {

using ir::InstId;
using ir::Op;
using llvm::Value;

namespace {

/// Operations for each addition from which it pays.
constexpr size_t kWorthOperations = 12;

bool is_operation(const ir::Inst& inst) {
  return inst.op == Op::Unary || inst.op == Op::Binary || inst.op == Op::Fma || inst.op == Op::Cast;
}

/// Whether an instruction can be computed again at another time.
bool is_repeatable(Op op) { return ir::is_pure(op) || op == Op::LoopIndex || op == Op::ElementPtr; }

}  // namespace

void TaskEmitter::find_late_additions() {
  const std::vector<InstId>& body = kernel_[task_.body];
  std::vector<InstId> waiting;
  size_t additions = 0;
  for (InstId id : body) {
    const ir::Inst& inst = kernel_[id];
    const bool straight = is_repeatable(inst.op) || inst.op == Op::Load || inst.op == Op::Store ||
                          inst.op == Op::AtomicRmw || inst.op == Op::Alloca || inst.op == Op::LocalPtr;
    if (!straight) return;  // control flow, counters, failures
    if (inst.op != Op::AtomicRmw || !is_private(kernel_.operands_of(inst)[0])) continue;
    waiting.push_back(kernel_.operands_of(inst)[0]);
    ++additions;
  }
  late_.inside = {body.begin(), body.end()};
  std::set<InstId> repeated;
  while (!waiting.empty()) {
    const InstId id = waiting.back();
    waiting.pop_back();
    if (!late_.inside.contains(id) || !is_repeatable(kernel_[id].op) || !repeated.insert(id).second) continue;
    for (InstId operand : kernel_.operands_of(id)) waiting.push_back(operand);
  }
  const auto computes = [&](InstId id) { return is_operation(kernel_[id]) && !repeated.contains(id); };
  if (static_cast<size_t>(std::ranges::count_if(body, computes)) < kWorthOperations * additions) return;
  late_.repeated = std::move(repeated);
  late_.always = std::ranges::none_of(private_arrays_, [&](const auto& array) {
    return std::ranges::any_of(touched_arrays_, [&](uint32_t other) { return may_meet(array.first, other); });
  });
}

/// Emits the iterations of a strip, and the additions behind them: to the arrays of the part, or to shared ones.
void TaskEmitter::emit_strip(uint32_t axis, Range strip) {
  late_.kept.clear();
  late_.begin = strip.begin;
  emit_axis(task_.loop, axis, strip, task_.body, nullptr);
  late_.begin = nullptr;
  if (!late_.always) return add_late(axis, strip);
  llvm::BasicBlock* own = new_block("private");
  llvm::BasicBlock* shared = new_block("shared");
  llvm::BasicBlock* done = new_block("strip.done");
  b_.CreateCondBr(b_.CreateLoad(b_.getInt1Ty(), private_used_), own, shared);
  for (llvm::BasicBlock* block : {own, shared}) {
    b_.SetInsertPoint(block);
    private_ = block == own;
    add_late(axis, strip);
    b_.CreateBr(done);
  }
  private_ = false;
  b_.SetInsertPoint(done);
}

/// Keeps a value for the additions, or those that it is computed from.
void TaskEmitter::keep(InstId id) {
  if (late_.repeated.contains(id)) {
    for (InstId operand : kernel_.operands_of(id)) keep(operand);
    return;
  }
  if (!late_.inside.contains(id) || llvm::isa<llvm::Constant>(value(id)) || late_.kept.contains(id)) return;
  llvm::Type* type = arithmetic_.memory_type(kernel_[id].type);
  llvm::AllocaInst* memory = local(llvm::ArrayType::get(type, LateAdditions::kStrip), "kept");
  late_.kept[id] = memory;
  Value* lane = b_.CreateSub(indices_.at(task_.loop).back(), late_.begin);
  b_.CreateStore(arithmetic_.to_memory(kernel_[id].type, value(id)), b_.CreateInBoundsGEP(type, memory, lane));
}

void TaskEmitter::add_late(uint32_t axis, Range strip) {
  // An index that is read from a variable is kept: not to be computed from what was stored there.
  const auto single_stores = std::exchange(single_stores_, {});
  emit_loop(strip, "addition", [&](Value* index) {
    indices_[task_.loop][axis] = index;
    Value* lane = b_.CreateSub(index, strip.begin);
    for (InstId id : kernel_[task_.body]) {
      const ir::Inst& inst = kernel_[id];
      if (const auto kept = late_.kept.find(id); kept != late_.kept.end()) {
        llvm::Type* type = arithmetic_.memory_type(inst.type);
        values_[id] =
            arithmetic_.from_memory(inst.type, b_.CreateLoad(type, b_.CreateInBoundsGEP(type, kept->second, lane)));
      } else if (late_.repeated.contains(id) ||
                 (inst.op == Op::AtomicRmw && is_private(kernel_.operands_of(inst)[0]))) {
        emit_inst(id);
      }
    }
    return plus(strip, index, b_.getInt64(1));
  });
  single_stores_ = single_stores;
}

}  // namespace qd::codegen
