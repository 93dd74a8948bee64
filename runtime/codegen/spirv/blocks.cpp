// Threads of a block: shared variables, barriers, fences, and the threads of a subgroup.
#include "runtime/codegen/spirv/function_emitter.h"

namespace qd::codegen::spirv {

using ir::Type;

namespace {

spv::Scope scope_of(ir::Scope scope) {
  switch (scope) {
    case ir::Scope::Subgroup: return spv::ScopeSubgroup;
    case ir::Scope::Block: return spv::ScopeWorkgroup;
    case ir::Scope::Device: return spv::ScopeDevice;
  }
  return spv::ScopeDevice;
}

/// Acquire and release of the memory of the device (which SPIR-V counts as uniform) and that of the block.
const uint32_t kAllMemory = spv::MemorySemanticsAcquireReleaseMask | spv::MemorySemanticsUniformMemoryMask |
                            spv::MemorySemanticsWorkgroupMemoryMask;

}  // namespace

Id FunctionEmitter::word_type(Type type) { return ir::bit_width(type) == 64 ? arithmetic_.u64() : arithmetic_.u32(); }

/// A variable of the block, as words of its numbers, so that there are atomic operations on numbers of any type.
FunctionEmitter::MemoryOperand FunctionEmitter::shared_variable(const ir::Inst& inst) {
  const Id word = word_type(inst.type);
  const Id type = inst.length() > 0 ? module_.array_type(word, inst.length()) : word;
  return {.pointer = module_.group_variable(type), .is_shared = true};
}

Id FunctionEmitter::thread() {
  const Id u32 = arithmetic_.u32();
  return code_.load(u32, module_.input(spv::BuiltInLocalInvocationIndex, u32));
}

Id FunctionEmitter::lane() {
  module_.capability(spv::CapabilityGroupNonUniform);
  const Id u32 = arithmetic_.u32();
  return code_.load(u32, module_.input(spv::BuiltInSubgroupLocalInvocationId, u32));
}

void FunctionEmitter::emit_barrier(ir::Scope scope) {
  if (scope == ir::Scope::Subgroup) module_.capability(spv::CapabilityGroupNonUniform);
  const Id threads = arithmetic_.number(scope_of(scope));
  code_.act(spv::OpControlBarrier, {threads, threads, arithmetic_.number(kAllMemory)});
}

void FunctionEmitter::emit_fence(ir::Scope scope) {
  code_.act(spv::OpMemoryBarrier, {arithmetic_.number(scope_of(scope)), arithmetic_.number(kAllMemory)});
}

Id FunctionEmitter::lanes_where(Id condition) {
  module_.capability(spv::CapabilityGroupNonUniformBallot);
  const Id u32 = arithmetic_.u32();
  return code_.op(spv::OpGroupNonUniformBallot, module_.vector_type(u32, 4),
                  {arithmetic_.number(spv::ScopeSubgroup), condition});
}

/// Ballot: the first two words of the four, because there are 64 lanes at most.
Id FunctionEmitter::ballot(Id condition) {
  Arithmetic& a = arithmetic_;
  const Id lanes = lanes_where(condition);
  const Id low = code_.op(spv::OpCompositeExtract, a.u32(), {lanes, 0}),
           high = code_.op(spv::OpCompositeExtract, a.u32(), {lanes, 1});
  const Id moved = a.wide_integer(spv::OpShiftLeftLogical, a.widen(high, false), a.number(32));
  return a.wide_integer(spv::OpBitwiseOr, a.widen(low, false), moved);
}

/// Shuffle. SPIR-V leaves the value of a missing lane undefined, so the thread's own takes its place.
Id FunctionEmitter::shuffle(Type type, Id value, Id from) {
  Arithmetic& a = arithmetic_;
  module_.capability(spv::CapabilityGroupNonUniformShuffle);
  const Id u32 = a.u32(), own = lane(), subgroup = a.number(spv::ScopeSubgroup);
  const Id size = code_.load(u32, module_.input(spv::BuiltInSubgroupSize, u32));
  Id source = code_.op(spv::OpSelect, u32, {a.test(spv::OpULessThan, from, size), from, own});
  if (!all_threads_here_) {
    const Id here = code_.op(spv::OpGroupNonUniformBallotBitExtract, a.truth(),
                             {subgroup, lanes_where(module_.truth(true)), source});
    source = code_.op(spv::OpSelect, u32, {here, source, own});
  }
  auto moved = [&](Id word_or_number, Id of_type) {
    return code_.op(spv::OpGroupNonUniformShuffle, of_type, {subgroup, word_or_number, source});
  };
  if (ir::bit_width(type) < 64 && type != Type::U1) return moved(value, a.type(type));
  // Not all devices move booleans, or integers of 64 bits.
  const Id word = a.bits(type, value);
  if (type == Type::U1) return a.from_bits(type, moved(word, u32));
  const Id high = moved(a.narrow(a.wide_integer(spv::OpShiftRightLogical, word, a.number(32))), u32);
  const Id low = moved(a.narrow(word), u32);
  const Id upper = a.wide_integer(spv::OpShiftLeftLogical, a.widen(high, false), a.number(32));
  return a.from_bits(type, a.wide_integer(spv::OpBitwiseOr, upper, a.widen(low, false)));
}

/// Whether the threads are together. A thread sees those of its subgroup; it cannot tell the way of another subgroup.
Id FunctionEmitter::together() {
  Arithmetic& a = arithmetic_;
  if (!threads_stay_ || !(shared_.device.features & ir::features(ir::Feature::Subgroups))) return module_.truth(true);
  const Id u32 = a.u32(), size = code_.load(u32, module_.input(spv::BuiltInSubgroupSize, u32));
  const Id here = code_.op(spv::OpGroupNonUniformBallotBitCount, u32,
                           {a.number(spv::ScopeSubgroup), spv::GroupOperationReduce, lanes_where(module_.truth(true))});
  return a.test(spv::OpIEqual, here, size);
}

}  // namespace qd::codegen::spirv
