// Sums and other reductions into one place: a subgroup combines the values that its invocations have gathered, and one
// of its threads changes the place.
#include "runtime/codegen/spirv/function_emitter.h"
#include "runtime/ir/neutral.h"
#include "runtime/passes/fixed_reductions.h"

namespace qd::codegen::spirv {

using ir::AtomicOp;
using ir::Type;

namespace {

spv::Op subgroup_op(AtomicOp op, Type type) {
  const bool is_float = ir::is_float(type), is_signed = ir::is_signed(type);
  switch (op) {
    case AtomicOp::Min:
      return is_float    ? spv::OpGroupNonUniformFMin
             : is_signed ? spv::OpGroupNonUniformSMin
                         : spv::OpGroupNonUniformUMin;
    case AtomicOp::Max:
      return is_float    ? spv::OpGroupNonUniformFMax
             : is_signed ? spv::OpGroupNonUniformSMax
                         : spv::OpGroupNonUniformUMax;
    case AtomicOp::And: return spv::OpGroupNonUniformBitwiseAnd;
    case AtomicOp::Or: return spv::OpGroupNonUniformBitwiseOr;
    case AtomicOp::Xor: return spv::OpGroupNonUniformBitwiseXor;
    case AtomicOp::Add:
    case AtomicOp::Sub:
    case AtomicOp::Mul:
    case AtomicOp::Exchange: return is_float ? spv::OpGroupNonUniformFAdd : spv::OpGroupNonUniformIAdd;
  }
  return spv::OpNop;
}

}  // namespace

Id FunctionEmitter::elected() {
  module_.capability(spv::CapabilityGroupNonUniform);
  return code_.op(spv::OpGroupNonUniformElect, arithmetic_.truth(), {arithmetic_.number(spv::ScopeSubgroup)});
}

Id FunctionEmitter::over_subgroup(AtomicOp op, Type type, Id own) {
  module_.capability(spv::CapabilityGroupNonUniformArithmetic);
  return code_.op(subgroup_op(op, type), arithmetic_.type(type),
                  {arithmetic_.number(spv::ScopeSubgroup), spv::GroupOperationReduce, own});
}

/// Emits an atomic of an epilogue: each thread of the subgroup changes the same place.
bool FunctionEmitter::change_together(const ir::Inst& inst, const MemoryOperand& place) {
  const AtomicOp op = inst.atomic_op();
  const Type type = inst.type;
  if (!in_epilogue_ || passes::gathered(op) != op || ir::bit_width(type) < 32) return false;
  Arithmetic& a = arithmetic_;
  const Id own = value(kernel_.operands_of(inst)[1]);
  const Id nothing = a.bits(type, a.constant(type, *ir::neutral(op, type)));
  // Without a gathered value, even a NaN has to stay as it is.
  const Id changes = a.test(spv::OpINotEqual, a.bits(type, own), nothing);
  if (!shared_.device.subgroup_sums) {
    code_.when(changes, [&] { atomic_rmw(op, type, place, own); });
    return true;
  }
  const Id flag = code_.op(spv::OpSelect, a.u32(), {changes, a.number(1), a.number(0)});
  const Id some = a.test(spv::OpINotEqual, over_subgroup(AtomicOp::Or, Type::U32, flag), a.number(0));
  const Id sum = over_subgroup(op, type, own);
  code_.when(code_.op(spv::OpLogicalAnd, a.truth(), {some, elected()}), [&] { atomic_rmw(op, type, place, sum); });
  return true;
}

}  // namespace qd::codegen::spirv
