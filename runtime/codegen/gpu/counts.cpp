// Counts and records: a task gathers its own in registers, routines theirs in the state of the thread, until the exit
// of the task (gathered.cpp).
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

/// The counts and records of a thread, of its task and of the routines.
std::vector<Emitter::Gathered> Emitter::gathered_counts() {
  llvm::Type* word = b_.getInt64Ty();
  std::map<uint32_t, Value*> counts, records;
  for (auto [counter, sum] : counters_) counts[counter] = b_.CreateLoad(sum->getAllocatedType(), sum);
  for (auto [counter, sum] : records_) records[counter] = b_.CreateLoad(word, sum);
  for (uint32_t i = 0; i < shared_.counters.size; ++i) {
    Value*& count = counts[shared_.counters.first + i];
    Value* more = b_.CreateLoad(word, state_word(kCounts + i));
    count = count ? b_.CreateAdd(b_.CreateZExt(count, word), more) : more;
  }
  for (uint32_t i = 0; i < shared_.records.size; ++i) {
    Value*& record = records[shared_.records.first + i];
    Value* more = b_.CreateLoad(word, state_word(kCounts + shared_.counters.size + i));
    record = record ? b_.CreateOr(record, more) : more;
  }
  if (counts.empty() && records.empty()) return {};
  Value* counters = launch_field(offsetof(DeviceLaunch, counters));
  std::vector<Gathered> all;
  auto add = [&](AtomicOp op, uint32_t number, Value* own, const std::function<void(Value*, Value*)>& change) {
    all.push_back({op, Type::U64, own, nullptr, [this, counters, number, change](Value* sum) {
                     when(b_.CreateIsNotNull(counters),
                          [&] { change(beyond(b_, counters, 8 * uint64_t{number}), sum); });
                   }});
  };
  for (auto [counter, own] : counts) {
    add(AtomicOp::Add, counter, own,
        [this](Value* place, Value* sum) { arithmetic_.atomic_rmw(AtomicOp::Add, Type::U64, place, sum); });
  }
  for (auto [record, own] : records) {
    add(AtomicOp::Or, record, own, [this, word](Value* place, Value* sum) {
      // Most groups find their bits set already, and reading does not make them wait for each other.
      llvm::LoadInst* there = b_.CreateAlignedLoad(word, place, llvm::Align(8));
      there->setAtomic(llvm::AtomicOrdering::Monotonic, hardware_.atomic_scope(b_.getContext()));
      when(b_.CreateICmpNE(b_.CreateAnd(there, sum), sum),
           [&] { arithmetic_.atomic_rmw(AtomicOp::Or, Type::U64, place, sum); });
    });
  }
  return all;
}

}  // namespace qd::codegen::gpu
