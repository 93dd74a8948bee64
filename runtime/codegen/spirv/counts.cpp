// Counts and records are gathered in variables of the invocation, and added to memory at its end.
#include "runtime/codegen/spirv/function_emitter.h"

namespace qd::codegen::spirv {

using ir::Type;

void FunctionEmitter::emit_count(const ir::Inst& inst) {
  const ir::InstId operand = kernel_.operands_of(inst)[0];
  const bool narrow = shared_.narrow_counters.contains(inst.aux);
  const Id type = narrow ? arithmetic_.u32() : arithmetic_.u64();
  Id& sum = shared_.counters[inst.aux];
  if (sum == 0) sum = module_.private_variable(type);
  const Id amount = arithmetic_.cast(kernel_[operand].type, narrow ? Type::U32 : Type::I64, value(operand));
  code_.store(sum, code_.op(spv::OpIAdd, type, {code_.load(type, sum), amount}));
}

void FunctionEmitter::emit_record(const ir::Inst& inst) {
  const ir::InstId operand = kernel_.operands_of(inst)[0];
  const Id u64 = arithmetic_.u64();
  Id& gathered = shared_.records[inst.aux];
  if (gathered == 0) gathered = module_.private_variable(u64);
  Id bits = value(operand);
  if (ir::bit_width(kernel_[operand].type) < 64) bits = arithmetic_.widen(bits, false);
  code_.store(gathered, arithmetic_.wide_integer(spv::OpBitwiseOr, code_.load(u64, gathered), bits));
}

void FunctionEmitter::emit_hit(const ir::Inst& inst) {
  const Id counters = launch_field(offsetof(DeviceLaunch, counters));
  code_.when(arithmetic_.test(spv::OpINotEqual, counters, arithmetic_.wide(0)),
             [&] { write(beyond(counters, 8 * uint64_t{inst.aux}), arithmetic_.wide(1), arithmetic_.u64(), 8); });
}

/// Adds counts to memory. If the device can, a subgroup sums them, and one of its threads changes the memory.
void FunctionEmitter::flush_counts(bool together) {
  if (shared_.counters.empty() && shared_.records.empty()) return;
  Arithmetic& a = arithmetic_;
  const bool wide_atomics = shared_.device.features & ir::features(ir::Feature::WideAtomics);
  together &= shared_.device.subgroup_sums;
  const Id one = together ? elected() : 0;
  const Id counters = launch_field(offsetof(DeviceLaunch, counters));
  auto halves = [&](Id word) {
    const Id high = a.wide_integer(spv::OpShiftRightLogical, word, a.number(32));
    return std::pair(a.narrow(word), a.narrow(high));
  };
  auto each = [&](const std::map<uint32_t, Id>& gathered, spv::Op combine, auto&& flush) {
    for (auto [counter, variable] : gathered) {
      const bool narrow = shared_.narrow_counters.contains(counter);
      Id word = code_.load(narrow ? a.u32() : a.u64(), variable);
      if (narrow) word = a.widen(word, false);
      if (together) word = over_subgroup(combine, a.u64(), word);
      Id wanted = a.test(spv::OpINotEqual, word, a.wide(0));
      if (together) wanted = code_.op(spv::OpLogicalAnd, a.truth(), {wanted, one});
      const MemoryOperand place{.address = beyond(counters, 8 * uint64_t{counter})};
      code_.when(wanted, [&] { flush(place, word); });
    }
  };
  code_.when(a.test(spv::OpINotEqual, counters, a.wide(0)), [&] {
    each(shared_.counters, spv::OpGroupNonUniformIAdd, [&](const MemoryOperand& place, Id word) {
      if (wide_atomics) {
        atomic(spv::OpAtomicIAdd, place, 64, word);
        return;
      }
      // In two halves, with the carry of the lower one.
      const auto [low, high] = halves(word);
      const Id before = atomic(spv::OpAtomicIAdd, place, 32, low);
      const Id carries = a.test(spv::OpULessThan, a.integer(spv::OpIAdd, before, low), low);
      const Id carry = code_.op(spv::OpSelect, a.u32(), {carries, a.number(1), a.number(0)});
      atomic(spv::OpAtomicIAdd, {.address = beyond(place.address, 4)}, 32, a.integer(spv::OpIAdd, high, carry));
    });
    each(shared_.records, spv::OpGroupNonUniformBitwiseOr, [&](const MemoryOperand& place, Id word) {
      // Most subgroups find their bits set already, and reading does not make them wait for each other.
      auto set = [&](const MemoryOperand& half, Id bits) {
        const Id there =
            code_.op(spv::OpAtomicLoad, a.u32(),
                     {atomic_target(half, 32), atomic_scope(half), a.number(spv::MemorySemanticsMaskNone)});
        code_.when(a.test(spv::OpINotEqual, a.integer(spv::OpBitwiseAnd, there, bits), bits),
                   [&] { atomic(spv::OpAtomicOr, half, 32, bits); });
      };
      const auto [low, high] = halves(word);
      set(place, low);
      code_.when(a.test(spv::OpINotEqual, high, a.number(0)),
                 [&, high = high] { set({.address = beyond(place.address, 4)}, high); });
    });
  });
}

}  // namespace qd::codegen::spirv
