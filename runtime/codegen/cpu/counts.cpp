// Counters: kept in registers, and combined with those in memory where the task or routine ends.
#include <algorithm>

#include "runtime/codegen/cpu/task_emitter.h"
#include "runtime/ir/counters.h"
#include "runtime/ir/iterations.h"
#include "runtime/ir/walk.h"

namespace qd::codegen {

using ir::AtomicOp;
using ir::Op;
using ir::Type;
using llvm::Value;

namespace {

/// Whether the innermost axis of a loop may have more indices than a sum of 32 bits can count.
bool is_long(ir::Type counts) { return ir::bit_width(counts) == 64; }

/// An inner loop whose body runs more often than this in one iteration of the task keeps sums of its own. Otherwise the
/// sums of the task's loop count for it: this number times the iterations of a strip (kStrip) stays below 2^32.
constexpr uint64_t kMaxKnownTrips = 128;

}  // namespace

void TaskEmitter::find_count_places() {
  ir::walk(kernel_, task_.body, [&](ir::InstId id) {
    if (ir::combine_rule(kernel_[id].op) == AtomicOp::Add) ++count_places_[kernel_[id].aux];
  });
}

void TaskEmitter::loop_begins(ir::InstId loop, llvm::Instruction* entry) {
  LoopCounts counts{entry, 0, {}};
  if (loop == task_.loop) {
    begin_random();
    counts.trips = task_trips_;
  } else if (entry && !loops_.empty()) {
    // Small loops are unrolled into the vector loop around them, and so are their counts.
    const uint64_t trips = uint64_t{loops_.back().trips} * known_trips(kernel_[loop]);
    if (trips <= kMaxKnownTrips) counts.trips = static_cast<uint32_t>(trips);
    const auto operands = kernel_.operands_of(loop);
    if (counts.trips == 0 && is_long(kernel_[operands.back()].type)) counts.entry = nullptr;
  }
  loops_.push_back(std::move(counts));
}

void TaskEmitter::loop_ends(ir::InstId loop, llvm::BranchInst* back) {
  left_ = std::move(loops_.back());
  loops_.pop_back();
  if (loop != task_.loop) return;
  llvm::LLVMContext& context = b_.getContext();
  llvm::Metadata* accesses[] = {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), access_group_};
  llvm::MDNode* node = llvm::MDNode::getDistinct(context, {nullptr, llvm::MDNode::get(context, accesses)});
  node->replaceOperandWith(0, node);
  back->setMetadata(llvm::LLVMContext::MD_loop, node);
}

/// Adds the sums of the loop that ended to those of the task.
void TaskEmitter::loop_left() {
  llvm::Type* word = b_.getInt64Ty();
  for (auto [counter, narrow] : left_.narrow) {
    Value* wide = sum_of(AtomicOp::Add, counter, word);
    Value* sum = b_.CreateZExt(b_.CreateLoad(b_.getInt32Ty(), narrow), word);
    b_.CreateStore(b_.CreateAdd(b_.CreateLoad(word, wide), sum), wide);
  }
}

/// The number of iterations when all bounds are constants; 0 when it is not known, or too large.
uint32_t TaskEmitter::known_trips(const ir::Inst& loop) const {
  uint64_t product = 1;
  auto operands = kernel_.operands_of(loop);
  for (size_t i = 0; i + 1 < operands.size(); i += 2) {
    const ir::Inst& begin = kernel_[operands[i]];
    const ir::Inst& end = kernel_[operands[i + 1]];
    if (begin.op != Op::Const || end.op != Op::Const) return 0;
    product *= std::min(ir::extent(begin.type, begin.integer(), end.integer()), kMaxKnownTrips + 1);
    if (product > kMaxKnownTrips) return 0;
  }
  return static_cast<uint32_t>(product);
}

bool TaskEmitter::needs_strips() const {
  if (!count_places_.empty() && is_long(task_.bounds.back().type)) return true;
  bool found = std::ranges::any_of(count_places_, [](const auto& counted) { return counted.second > 1; });
  ir::walk(kernel_, task_.body, [&](ir::InstId id) {
    if (kernel_[id].op != Op::For || known_trips(kernel_[id]) == 0) return;
    ir::walk(kernel_, kernel_[id].blocks[0],
             [&](ir::InstId inner) { found |= ir::combine_rule(kernel_[inner].op) == AtomicOp::Add; });
  });
  return found;
}

/// The sum of the task for a counter, 0 where the task begins.
llvm::AllocaInst* TaskEmitter::sum_of(AtomicOp rule, uint32_t counter, llvm::Type* type) {
  llvm::AllocaInst*& sum = counters_[{rule, counter}];
  if (!sum) {
    sum = local(type, "count");
    llvm::IRBuilder<>(function_->getEntryBlock().getTerminator()).CreateStore(llvm::Constant::getNullValue(type), sum);
  }
  return sum;
}

void TaskEmitter::emit_count(const ir::Inst& inst) {
  const AtomicOp rule = *ir::combine_rule(inst.op);
  if (rule == AtomicOp::Add) return emit_addition(inst);
  combine_counter(rule, inst.aux, value(kernel_.operands_of(inst)[0]));
}

void TaskEmitter::emit_addition(const ir::Inst& inst) {
  ir::InstId operand = kernel_.operands_of(inst)[0];
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value(operand));
  const uint64_t largest = kernel_[operand].type == Type::U1 ? 1 : constant ? constant->getLimitedValue() : UINT64_MAX;
  const uint32_t places = count_places_.at(inst.aux);
  const uint32_t trips = loops_.empty() ? 0 : loops_.back().trips;
  const bool short_sum = (places == 1 && largest <= 1) || (trips > 0 && largest <= kMaxKnownTrips / trips / places);
  const bool narrow = !loops_.empty() && loops_.back().entry && short_sum;
  size_t depth = loops_.size();
  while (narrow && depth >= 2 && loops_[depth - 1].trips > 0)
    --depth;  // a loop with few, known iterations counts in the sums of the loop around it
  llvm::Type* type = narrow ? b_.getInt32Ty() : b_.getInt64Ty();
  llvm::AllocaInst* accumulator = nullptr;
  if (narrow) {
    // A 32-bit sum starts with its loop.
    llvm::AllocaInst*& sum = loops_[depth - 1].narrow[inst.aux];
    if (!sum) {
      sum = local(type, "narrow");
      llvm::IRBuilder<>(loops_[depth - 1].entry).CreateStore(b_.getInt32(0), sum);
    }
    accumulator = sum;
  } else {
    accumulator = sum_of(AtomicOp::Add, inst.aux, type);
  }
  Value* amount = b_.CreateIntCast(value(operand), type, ir::is_signed(kernel_[operand].type));
  b_.CreateStore(b_.CreateAdd(b_.CreateLoad(type, accumulator), amount), accumulator);
}

void TaskEmitter::combine_counter(AtomicOp rule, uint32_t counter, Value* number) {
  llvm::AllocaInst* sum = sum_of(rule, counter, number->getType());
  llvm::Type* type = sum->getAllocatedType();
  const Type unsigned_type = type->isIntegerTy(64) ? Type::U64 : Type::U32;
  b_.CreateStore(
      arithmetic_.atomic_result(rule, unsigned_type, b_.CreateLoad(type, sum), b_.CreateZExtOrTrunc(number, type)),
      sum);
}

void TaskEmitter::emit_hit(const ir::Inst& inst) {
  Value* buffer = context_field(offsetof(LaunchContext, counters), b_.getPtrTy());
  b_.CreateStore(b_.getInt64(1), b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), buffer, inst.aux));
}

}  // namespace qd::codegen
