// Counts and records: a task gathers its own in registers, routines theirs in the state of the thread. At the end a
// subgroup puts them together, and one of its threads changes the memory.
#include "runtime/codegen/gpu/emitter.h"

namespace qd::codegen::gpu {

using ir::AtomicOp;
using ir::Type;
using llvm::Value;

/// The variable in which this task gathers a counter.
llvm::AllocaInst* Emitter::sum_of(std::map<uint32_t, llvm::AllocaInst*>& sums, uint32_t counter, llvm::Type* type) {
  llvm::AllocaInst*& sum = sums[counter];
  if (!sum) {
    sum = local(type, "count");
    entry_.CreateStore(llvm::Constant::getNullValue(type), sum);
  }
  return sum;
}

void Emitter::emit_count(const ir::Inst& inst) {
  const ir::InstId operand = kernel_.operands_of(inst)[0];
  const bool narrow = !is_routine_ && narrow_counters_.contains(inst.aux);
  llvm::Type* type = narrow ? b_.getInt32Ty() : b_.getInt64Ty();
  Value* sum = is_routine_ ? state_word(kCounts + inst.aux - shared_.counters.first)
                           : static_cast<Value*>(sum_of(counters_, inst.aux, type));
  Value* amount = b_.CreateIntCast(value(operand), type, ir::is_signed(kernel_[operand].type));
  b_.CreateStore(b_.CreateAdd(b_.CreateLoad(type, sum), amount), sum);
}

void Emitter::emit_record(const ir::Inst& inst) {
  llvm::Type* word = b_.getInt64Ty();
  Value* sum = is_routine_ ? state_word(kCounts + shared_.counters.size + inst.aux - shared_.records.first)
                           : static_cast<Value*>(sum_of(records_, inst.aux, word));
  Value* bits = b_.CreateZExtOrTrunc(value(kernel_.operands_of(inst)[0]), word);
  b_.CreateStore(b_.CreateOr(b_.CreateLoad(word, sum), bits), sum);
}

/// Emits a store of 1 to the counter; several threads may store at once.
void Emitter::emit_hit(const ir::Inst& inst) {
  Value* counters = launch_field(offsetof(DeviceLaunch, counters));
  when(b_.CreateIsNotNull(counters), [&] {
    llvm::StoreInst* store =
        b_.CreateAlignedStore(b_.getInt64(1), beyond(b_, counters, 8 * uint64_t{inst.aux}), llvm::Align(8));
    store->setAtomic(llvm::AtomicOrdering::Monotonic, hardware_.atomic_scope(b_.getContext()));
  });
}

void Emitter::flush_counts() {
  llvm::Type* word = b_.getInt64Ty();
  // Counts of routines are added to those of the task.
  std::map<uint32_t, Value*> counts, records;
  for (auto [counter, sum] : counters_)
    counts[counter] = b_.CreateZExt(b_.CreateLoad(sum->getAllocatedType(), sum), word);
  for (auto [counter, sum] : records_) records[counter] = b_.CreateLoad(word, sum);
  for (uint32_t i = 0; i < shared_.counters.size; ++i) {
    Value*& count = counts[shared_.counters.first + i];
    Value* more = b_.CreateLoad(word, state_word(kCounts + i));
    count = count ? b_.CreateAdd(count, more) : more;
  }
  for (uint32_t i = 0; i < shared_.records.size; ++i) {
    Value*& record = records[shared_.records.first + i];
    Value* more = b_.CreateLoad(word, state_word(kCounts + shared_.counters.size + i));
    record = record ? b_.CreateOr(record, more) : more;
  }
  if (counts.empty() && records.empty()) return;
  Value* counters = launch_field(offsetof(DeviceLaunch, counters));
  when(b_.CreateIsNotNull(counters), [&] {
    auto flush = [&](const std::map<uint32_t, Value*>& gathered, AtomicOp op) {
      for (auto [counter, own] : gathered) {
        Value* sum = meet_at_exit_ ? over_subgroup(op, Type::U64, own) : own;
        Value* wanted = b_.CreateICmpNE(sum, b_.getInt64(0));
        if (meet_at_exit_) wanted = b_.CreateAnd(wanted, elected());
        when(wanted, [&, number = counter] {
          Value* place = beyond(b_, counters, 8 * uint64_t{number});
          auto change = [&] { arithmetic_.atomic_rmw(op, Type::U64, place, sum); };
          if (op != AtomicOp::Or) return change();
          // Most subgroups find their bits set already, and reading does not make them wait for each other.
          llvm::LoadInst* there = b_.CreateAlignedLoad(word, place, llvm::Align(8));
          there->setAtomic(llvm::AtomicOrdering::Monotonic, hardware_.atomic_scope(b_.getContext()));
          when(b_.CreateICmpNE(b_.CreateAnd(there, sum), sum), change);
        });
      }
    };
    flush(counts, AtomicOp::Add);
    flush(records, AtomicOp::Or);
  });
}

}  // namespace qd::codegen::gpu
