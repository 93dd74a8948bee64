// Gathered values of a task at its exit: counts of coverage, and reductions into one place. A subgroup combines those
// of its lanes, a group those of its subgroups in shared memory, and one thread changes the memory. With an atomic
// operation of each subgroup, a short task would spend most of its time in these.
#include <algorithm>

#include "runtime/codegen/gpu/emitter.h"
#include "runtime/ir/blocks.h"

namespace qd::codegen::gpu {

using ir::AtomicOp;
using ir::Type;
using llvm::Value;

namespace {

/// Shared memory of a group for gathered values, in bytes. With more of them they are combined one part after the
/// other.
constexpr uint32_t kGatheredBytes = 4 << 10;
/// Shared memory that every GPU has for a group, in bytes.
constexpr int64_t kGroupBytes = 48 << 10;
constexpr uint32_t kWord = 8;

}  // namespace

/// Combines the gathered values of a subgroup's lanes; right in lane 0 only. All lanes must be here.
Value* Emitter::over_subgroup(AtomicOp op, Type type, Value* own) {
  const uint32_t size = hardware_.subgroup_size();
  const bool whole = group_size_ % size == 0;
  // The last subgroup of a group may have fewer lanes.
  Value* lanes = nullptr;
  if (!whole) {
    Value* first = b_.CreateSub(hardware_.thread(b_), lane());
    lanes = b_.CreateSub(b_.getInt32(group_size_), first);
  }
  for (uint32_t distance = size / 2; distance > 0; distance /= 2) {
    if (distance >= group_size_) continue;
    Value* from = b_.CreateAdd(lane(), b_.getInt32(distance));
    Value* sum = arithmetic_.atomic_result(op, type, own, moved(nullptr, type, own, from));
    own = whole ? sum : b_.CreateSelect(b_.CreateICmpULT(from, lanes), sum, own);
  }
  return own;
}

/// The sum of counts of 32 bits, which may have more bits.
Value* Emitter::count_over_subgroup(Value* own) {
  llvm::Type* word = b_.getInt64Ty();
  const bool whole = group_size_ % hardware_.subgroup_size() == 0;
  // Sums of halves have no more than 32 bits.
  Value* low = whole ? hardware_.sum_of_lanes(b_, b_.CreateAnd(own, 0xffff)) : nullptr;
  if (!low) return over_subgroup(AtomicOp::Add, Type::U64, b_.CreateZExt(own, word));
  Value* high = hardware_.sum_of_lanes(b_, b_.CreateLShr(own, 16));
  return b_.CreateAdd(b_.CreateZExt(low, word), b_.CreateShl(b_.CreateZExt(high, word), 16));
}

/// The combination of a subgroup's values, right in lane 0 only, and whether there is anything to change.
Emitter::Combined Emitter::combined(const Gathered& gathered) {
  Value* value = gathered.own;
  if (meet_at_exit_) {
    value = value->getType()->isIntegerTy(32) && gathered.type == Type::U64
                ? count_over_subgroup(value)
                : over_subgroup(gathered.op, gathered.type, value);
  } else if (gathered.type == Type::U64) {
    value = b_.CreateZExt(value, b_.getInt64Ty());
  }
  if (!gathered.changes) return {value, b_.CreateIsNotNull(value)};
  if (!meet_at_exit_) return {value, gathered.changes};
  return {value, b_.CreateICmpNE(hardware_.ballot(b_, Lanes::All, gathered.changes), b_.getInt64(0))};
}

void Emitter::write_gathered(const ir::Task& task) {
  std::vector<Gathered> all = gathered_reductions();
  std::ranges::move(gathered_counts(), std::back_inserter(all));
  const uint32_t subgroups = (group_size_ + hardware_.subgroup_size() - 1) / hardware_.subgroup_size();
  const bool room = ir::shared_bytes(kernel_, task.body) <= kGroupBytes - kGatheredBytes;
  if (all.empty()) return;
  if (meet_at_exit_ && subgroups > 1 && room) return write_over_group(all, subgroups);
  for (const Gathered& gathered : all) {
    const Combined sum = combined(gathered);
    when(meet_at_exit_ ? b_.CreateAnd(sum.changes, elected()) : sum.changes, [&] { gathered.change(sum.value); });
  }
}

/// Writes the values that a group has gathered: its subgroups share the work.
void Emitter::write_over_group(std::span<const Gathered> all, uint32_t subgroups) {
  const uint32_t slot = 2 * subgroups;  // words for a value: of each subgroup, and whether it changes something
  const size_t part = std::max<size_t>(1, kGatheredBytes / (slot * kWord));
  const auto words = static_cast<uint32_t>(std::min(part, all.size())) * slot;
  llvm::Type* word = b_.getInt64Ty();
  Value* memory = shared_variable(llvm::ArrayType::get(word, words));
  Value* subgroup = b_.CreateUDiv(hardware_.thread(b_), b_.getInt32(hardware_.subgroup_size()));
  auto place = [&](uint32_t number, Value* of) {
    return b_.CreateInBoundsGEP(word, memory, b_.CreateAdd(b_.getInt32(number), of));
  };
  for (size_t begin = 0; begin < all.size(); begin += part) {
    const std::span<const Gathered> now = all.subspan(begin, std::min(part, all.size() - begin));
    std::vector<Combined> sums;
    for (const Gathered& gathered : now) sums.push_back(combined(gathered));
    if (begin > 0) hardware_.barrier(b_, Lanes::All, ir::Scope::Block);
    when(elected(), [&] {
      for (uint32_t i = 0; i < now.size(); ++i) {
        b_.CreateAlignedStore(to_bits(sums[i].value), place(i * slot, subgroup), llvm::Align(kWord));
        if (!now[i].changes) continue;
        b_.CreateAlignedStore(b_.CreateZExt(sums[i].changes, word), place(i * slot + subgroups, subgroup),
                              llvm::Align(kWord));
      }
    });
    hardware_.barrier(b_, Lanes::All, ir::Scope::Block);
    for (uint32_t own = 0; own < subgroups && own < now.size(); ++own) {
      when(b_.CreateICmpEQ(hardware_.thread(b_), b_.getInt32(own * hardware_.subgroup_size())), [&] {
        for (uint32_t i = own; i < now.size(); i += subgroups) {
          auto at = [&](uint32_t number) {
            return b_.CreateAlignedLoad(word, place(i * slot + number, b_.getInt32(0)), llvm::Align(kWord));
          };
          llvm::Type* type = arithmetic_.type(now[i].type);
          Value *sum = from_bits(at(0), type), *changes = now[i].changes ? static_cast<Value*>(at(subgroups)) : nullptr;
          for (uint32_t other = 1; other < subgroups; ++other) {
            sum = arithmetic_.atomic_result(now[i].op, now[i].type, sum, from_bits(at(other), type));
            if (changes) changes = b_.CreateOr(changes, at(subgroups + other));
          }
          when(b_.CreateIsNotNull(changes ? changes : sum), [&] { now[i].change(sum); });
        }
      });
    }
  }
}

/// A number as a word, and back.
Value* Emitter::to_bits(Value* number) {
  llvm::Type* bits = b_.getIntNTy(number->getType()->getScalarSizeInBits());
  return b_.CreateZExt(b_.CreateBitCast(number, bits), b_.getInt64Ty());
}

Value* Emitter::from_bits(Value* word, llvm::Type* type) {
  return b_.CreateBitCast(b_.CreateTrunc(word, b_.getIntNTy(type->getScalarSizeInBits())), type);
}

}  // namespace qd::codegen::gpu
