// Atomic operations, relaxed, for the whole device or for a block. Without an operation of the device, they are a loop
// around a compare-exchange of the word of 32 or 64 bits that holds the number.
#include "runtime/codegen/spirv/function_emitter.h"

namespace qd::codegen::spirv {

using ir::AtomicOp;
using ir::Type;

Id FunctionEmitter::emit_atomic(const ir::Inst& inst) {
  auto operands = kernel_.operands_of(inst);
  const MemoryOperand& place = operands_.at(operands[0]);
  const bool swaps = inst.op == ir::Op::AtomicCas;
  if (!swaps && place.pointer == 0 && change_together(inst, place)) return 0;
  auto changed = [&](Id old) {
    if (!swaps) return arithmetic_.atomic_result(inst.atomic_op(), inst.type, old, value(operands[1]));
    const Id equal = arithmetic_.compare(ir::CompareOp::Eq, inst.type, old, value(operands[1]));
    return arithmetic_.select(equal, inst.type, value(operands[2]), old);
  };
  if (place.pointer != 0 && !place.is_shared) {
    const Id old = load(inst.type, place);
    store(inst.type, place, changed(old));
    return old;
  }
  if (!swaps) return atomic_rmw(inst.atomic_op(), inst.type, place, value(operands[1]));
  const uint32_t width = static_cast<uint32_t>(ir::bit_width(inst.type));
  if (width < 32) return exchange_until_done(inst.type, place, changed);
  const Id target = atomic_target(place, width), scope = atomic_scope(place);
  const Id relaxed = arithmetic_.number(spv::MemorySemanticsMaskNone);
  return code_.op(spv::OpAtomicCompareExchange, module_.int_type(width),
                  {target, scope, relaxed, relaxed, value(operands[2]), value(operands[1])});
}

Id FunctionEmitter::atomic_target(const MemoryOperand& place, uint32_t width) {
  if (width == 64) module_.capability(spv::CapabilityInt64Atomics);
  return place.is_shared ? place.pointer : pointer(place, module_.int_type(width), width / 8);
}

Id FunctionEmitter::atomic_scope(const MemoryOperand& place) {
  return arithmetic_.number(place.is_shared ? spv::ScopeWorkgroup : spv::ScopeDevice);
}

Id FunctionEmitter::atomic(spv::Op op, const MemoryOperand& place, uint32_t width, Id operand) {
  return code_.op(
      op, module_.int_type(width),
      {atomic_target(place, width), atomic_scope(place), arithmetic_.number(spv::MemorySemanticsMaskNone), operand});
}

Id FunctionEmitter::atomic_rmw(AtomicOp op, Type type, const MemoryOperand& place, Id operand) {
  const uint32_t width = static_cast<uint32_t>(ir::bit_width(type));
  const bool is_signed = ir::is_signed(type), is_float = ir::is_float(type);
  if (width >= 32 && op == AtomicOp::Exchange)
    return arithmetic_.from_bits(type, atomic(spv::OpAtomicExchange, place, width, arithmetic_.bits(type, operand)));
  const bool adds = op == AtomicOp::Add || op == AtomicOp::Sub;
  if (adds && !place.is_shared &&
      ((type == Type::F32 && shared_.device.f32_atomic_add) || (type == Type::F64 && shared_.device.f64_atomic_add))) {
    module_.extension("SPV_EXT_shader_atomic_float_add");
    module_.capability(width == 64 ? spv::CapabilityAtomicFloat64AddEXT : spv::CapabilityAtomicFloat32AddEXT);
    const Id t = arithmetic_.type(type);
    if (op == AtomicOp::Sub) operand = code_.op(spv::OpFNegate, t, {operand});
    return code_.op(spv::OpAtomicFAddEXT, t,
                    {pointer(place, t, width / 8), arithmetic_.number(spv::ScopeDevice),
                     arithmetic_.number(spv::MemorySemanticsMaskNone), operand});
  }
  if (width >= 32 && !is_float) {
    switch (op) {
      case AtomicOp::Add: return atomic(spv::OpAtomicIAdd, place, width, operand);
      case AtomicOp::Sub: return atomic(spv::OpAtomicISub, place, width, operand);
      case AtomicOp::Min: return atomic(is_signed ? spv::OpAtomicSMin : spv::OpAtomicUMin, place, width, operand);
      case AtomicOp::Max: return atomic(is_signed ? spv::OpAtomicSMax : spv::OpAtomicUMax, place, width, operand);
      case AtomicOp::And: return atomic(spv::OpAtomicAnd, place, width, operand);
      case AtomicOp::Or: return atomic(spv::OpAtomicOr, place, width, operand);
      case AtomicOp::Xor: return atomic(spv::OpAtomicXor, place, width, operand);
      case AtomicOp::Mul:
      case AtomicOp::Exchange: break;
    }
  }
  return exchange_until_done(type, place, [&](Id old) { return arithmetic_.atomic_result(op, type, old, operand); });
}

template <class Change>
Id FunctionEmitter::exchange_until_done(Type type, const MemoryOperand& place, Change&& change) {
  const uint32_t size = static_cast<uint32_t>(ir::size_in_bytes(type));
  const uint32_t width = size == 8 ? 64 : 32;
  const Id word = module_.int_type(width);
  const Id scope = atomic_scope(place), relaxed = arithmetic_.number(spv::MemorySemanticsMaskNone);
  // A small number in the device's memory is some bits of an aligned word.
  const bool is_part = size < 4 && !place.is_shared;
  const Type bits_type = place.is_shared ? held(type) : type;
  Id shift = 0, mask = 0;
  MemoryOperand aligned = place;
  if (is_part) {
    Id byte = 0;
    if (place.address != 0) {
      aligned.address = arithmetic_.wide_integer(spv::OpBitwiseAnd, place.address, arithmetic_.wide(~uint64_t{3}));
      byte = arithmetic_.narrow(place.address);
    } else {
      byte = arithmetic_.integer(spv::OpIMul, place.element, arithmetic_.number(size));
      aligned.element = arithmetic_.integer(spv::OpShiftRightLogical, byte, arithmetic_.number(2));
    }
    byte = arithmetic_.integer(spv::OpBitwiseAnd, byte, arithmetic_.number(3));
    shift = arithmetic_.integer(spv::OpShiftLeftLogical, byte, arithmetic_.number(3));
    mask = arithmetic_.integer(spv::OpShiftLeftLogical, arithmetic_.number((1u << (8 * size)) - 1), shift);
  }
  const Id target = atomic_target(aligned, width);
  const Id first = code_.op(spv::OpAtomicLoad, word, {target, scope, relaxed});
  const Id before = code_.block(), header = code_.label(), body = code_.label(), next = code_.label(),
           done = code_.label(), found = module_.fresh();
  code_.branch(header);
  code_.begin(header);
  const Id seen = code_.op(spv::OpPhi, word, {first, before, found, next});
  code_.loop(done, next, body);
  code_.begin(body);
  const Id own = is_part ? arithmetic_.integer(spv::OpShiftRightLogical, seen, shift) : seen;
  const Id old = arithmetic_.from_bits(bits_type, own);
  Id desired = arithmetic_.bits(bits_type, change(old));
  if (is_part) {
    const Id moved = arithmetic_.integer(spv::OpShiftLeftLogical, desired, shift);
    const Id inside = arithmetic_.integer(spv::OpBitwiseAnd, moved, mask);
    const Id outside = arithmetic_.integer(spv::OpBitwiseAnd, seen, code_.op(spv::OpNot, arithmetic_.u32(), {mask}));
    desired = arithmetic_.integer(spv::OpBitwiseOr, inside, outside);
  }
  const Id exchange[] = {target, scope, relaxed, relaxed, desired, seen};
  code_.op_as(found, spv::OpAtomicCompareExchange, word, exchange);
  code_.leave_if(arithmetic_.test(spv::OpIEqual, found, seen), done, next);
  code_.begin(next);
  code_.branch(header);
  code_.begin(done);
  return old;
}

}  // namespace qd::codegen::spirv
