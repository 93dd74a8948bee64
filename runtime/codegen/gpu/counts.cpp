// Counters: a task gathers its own in registers, routines theirs in the state of the thread, until the exit
// of the task (gathered.cpp).
#include "runtime/codegen/gpu/emitter.h"
#include "runtime/ir/counters.h"

namespace qd::codegen::gpu {

using ir::AtomicOp;
using ir::Type;
using llvm::Value;

void Emitter::emit_count(const ir::Inst& inst) {
  const AtomicOp rule = *ir::combine_rule(inst.op);
  const ir::InstId operand = kernel_.operands_of(inst)[0];
  const bool adds = rule == AtomicOp::Add;
  const bool narrow = adds && !is_routine_ && narrow_counters_.contains(inst.aux);
  llvm::Type* type = narrow ? b_.getInt32Ty() : b_.getInt64Ty();
  Value* sum = nullptr;
  if (is_routine_) {
    sum = state_word(kCounts + shared_.routines.counters.word_of(rule, inst.aux));
  } else {
    llvm::AllocaInst*& own = counters_[{rule, inst.aux}];
    if (!own) {
      own = local(type, "count");
      entry_.CreateStore(llvm::Constant::getNullValue(type), own);
    }
    sum = own;
  }
  Value* value = b_.CreateIntCast(this->value(operand), type, adds && ir::is_signed(kernel_[operand].type));
  b_.CreateStore(arithmetic_.atomic_result(rule, narrow ? Type::U32 : Type::U64, b_.CreateLoad(type, sum), value), sum);
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

/// The counts of a thread, of its task and of the routines.
std::vector<Emitter::Gathered> Emitter::gathered_counts() {
  llvm::Type* word = b_.getInt64Ty();
  std::map<std::pair<AtomicOp, uint32_t>, Value*> counts;
  for (auto [counter, sum] : counters_) counts[counter] = b_.CreateLoad(sum->getAllocatedType(), sum);
  for (const ir::CounterRange& range : shared_.routines.counters) {
    for (uint32_t i = 0; i < range.size; ++i) {
      Value*& count = counts[{range.rule, range.first + i}];
      Value* more = b_.CreateLoad(word, state_word(kCounts + range.word + i));
      count = count ? arithmetic_.atomic_result(range.rule, Type::U64, b_.CreateZExt(count, word), more) : more;
    }
  }
  if (counts.empty()) return {};
  Value* counters = launch_field(offsetof(DeviceLaunch, counters));
  std::vector<Gathered> all;
  for (auto [counter, own] : counts) {
    const auto [rule, number] = counter;
    all.push_back({rule, Type::U64, own, nullptr, [this, counters, rule, number](Value* sum) {
                     when(b_.CreateIsNotNull(counters),
                          [&] { change_counter(rule, beyond(b_, counters, 8 * uint64_t{number}), sum); });
                   }});
  }
  return all;
}

void Emitter::change_counter(AtomicOp rule, Value* place, Value* sum) {
  if (rule == AtomicOp::Add) {
    arithmetic_.atomic_rmw(rule, Type::U64, place, sum);
    return;
  }
  // Most groups change nothing: their bits are set already, or their value is no maximum. Reading does not make them
  // wait for each other.
  llvm::LoadInst* there = b_.CreateAlignedLoad(b_.getInt64Ty(), place, llvm::Align(8));
  there->setAtomic(llvm::AtomicOrdering::Monotonic, hardware_.atomic_scope(b_.getContext()));
  when(b_.CreateICmpNE(arithmetic_.atomic_result(rule, Type::U64, there, sum), there),
       [&] { arithmetic_.atomic_rmw(rule, Type::U64, place, sum); });
}

}  // namespace qd::codegen::gpu
