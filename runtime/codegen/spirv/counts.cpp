// Counters are gathered in variables of the invocation, and combined with those in memory at its end.
#include "runtime/codegen/spirv/function_emitter.h"
#include "runtime/ir/counters.h"

namespace qd::codegen::spirv {

using ir::AtomicOp;
using ir::Type;

void FunctionEmitter::emit_count(const ir::Inst& inst) {
  const AtomicOp rule = *ir::combine_rule(inst.op);
  const ir::InstId operand = kernel_.operands_of(inst)[0];
  const bool narrow = rule == AtomicOp::Add && shared_.narrow_counters.contains(inst.aux);
  const Type type = narrow ? Type::U32 : Type::U64;
  Id& gathered = shared_.counters[{rule, inst.aux}];
  if (gathered == 0) gathered = module_.private_variable(arithmetic_.type(type));
  Id amount = value(operand);
  if (rule == AtomicOp::Add)
    amount = arithmetic_.cast(kernel_[operand].type, narrow ? Type::U32 : Type::I64, amount);
  else if (ir::bit_width(kernel_[operand].type) < 64)
    amount = arithmetic_.widen(amount, false);
  const Id sum = code_.load(arithmetic_.type(type), gathered);
  code_.store(gathered, arithmetic_.atomic_result(rule, type, sum, amount));
}

void FunctionEmitter::emit_hit(const ir::Inst& inst) {
  const Id counters = launch_field(offsetof(DeviceLaunch, counters));
  code_.when(arithmetic_.test(spv::OpINotEqual, counters, arithmetic_.wide(0)),
             [&] { write(beyond(counters, 8 * uint64_t{inst.aux}), arithmetic_.wide(1), arithmetic_.u64(), 8); });
}

/// Combines counts with those in memory. If the device can, a subgroup combines its own, and one of its threads changes
/// the memory.
void FunctionEmitter::flush_counts(bool together) {
  if (shared_.counters.empty()) return;
  Arithmetic& a = arithmetic_;
  together &= shared_.device.subgroup_sums;
  const Id one = together ? elected() : 0;
  const Id counters = launch_field(offsetof(DeviceLaunch, counters));
  code_.when(a.test(spv::OpINotEqual, counters, a.wide(0)), [&] {
    for (auto [counter, variable] : shared_.counters) {
      const auto [rule, number] = counter;
      const bool narrow = rule == AtomicOp::Add && shared_.narrow_counters.contains(number);
      Id word = code_.load(narrow ? a.u32() : a.u64(), variable);
      if (narrow) word = a.widen(word, false);
      if (together) word = over_subgroup(rule, Type::U64, word);
      Id wanted = a.test(spv::OpINotEqual, word, a.wide(0));
      if (together) wanted = code_.op(spv::OpLogicalAnd, a.truth(), {wanted, one});
      const MemoryOperand place{.address = beyond(counters, 8 * uint64_t{number})};
      code_.when(wanted, [&, rule = rule] { change_counter(rule, place, word); });
    }
  });
}

void FunctionEmitter::change_counter(AtomicOp rule, const MemoryOperand& place, Id word) {
  Arithmetic& a = arithmetic_;
  const bool wide_atomics = shared_.device.features & ir::features(ir::Feature::WideAtomics);
  if (wide_atomics && rule != AtomicOp::Or) {
    atomic_rmw(rule, Type::U64, place, word);
    return;
  }
  const MemoryOperand high_place{.address = beyond(place.address, 4)};
  const Id low = a.narrow(word), high = a.narrow(a.wide_integer(spv::OpShiftRightLogical, word, a.number(32)));
  switch (rule) {
    case AtomicOp::Max: atomic(spv::OpAtomicUMax, place, 32, low); return;  // 64 bits need WideAtomics
    case AtomicOp::Or: {
      // Most subgroups find their bits set already, and reading does not make them wait for each other.
      auto set = [&](const MemoryOperand& half, Id bits) {
        const Id there =
            code_.op(spv::OpAtomicLoad, a.u32(),
                     {atomic_target(half, 32), atomic_scope(half), a.number(spv::MemorySemanticsMaskNone)});
        code_.when(a.test(spv::OpINotEqual, a.integer(spv::OpBitwiseAnd, there, bits), bits),
                   [&] { atomic(spv::OpAtomicOr, half, 32, bits); });
      };
      set(place, low);
      code_.when(a.test(spv::OpINotEqual, high, a.number(0)), [&] { set(high_place, high); });
      return;
    }
    default: {
      // A sum in two halves, with the carry of the lower one.
      const Id before = atomic(spv::OpAtomicIAdd, place, 32, low);
      const Id carries = a.test(spv::OpULessThan, a.integer(spv::OpIAdd, before, low), low);
      const Id carry = code_.op(spv::OpSelect, a.u32(), {carries, a.number(1), a.number(0)});
      atomic(spv::OpAtomicIAdd, high_place, 32, a.integer(spv::OpIAdd, high, carry));
    }
  }
}

}  // namespace qd::codegen::spirv
