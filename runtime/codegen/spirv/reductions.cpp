// Sums and other reductions into one place: an invocation gathers its own in a variable, a subgroup combines them, and
// one of its threads changes the place.
#include <bit>
#include <limits>

#include "runtime/codegen/spirv/function_emitter.h"

namespace qd::codegen::spirv {

using ir::AtomicOp;
using ir::Type;

namespace {

/// Neutral element of an operation, as a word.
uint64_t neutral_word(AtomicOp op, Type type) {
  auto real = [&](double value) {
    return type == Type::F64 ? std::bit_cast<uint64_t>(value)
                             : uint64_t{std::bit_cast<uint32_t>(static_cast<float>(value))};
  };
  const uint64_t sign = uint64_t{1} << (ir::bit_width(type) - 1);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (op) {
    case AtomicOp::Min: return ir::is_float(type) ? real(kInfinity) : ir::is_signed(type) ? sign - 1 : ~uint64_t{0};
    case AtomicOp::Max: return ir::is_float(type) ? real(-kInfinity) : ir::is_signed(type) ? sign : 0;
    case AtomicOp::And: return ~uint64_t{0};
    case AtomicOp::Add:
    case AtomicOp::Sub:
    case AtomicOp::Or:
    case AtomicOp::Xor:
    case AtomicOp::Mul:
    case AtomicOp::Exchange: return ir::is_float(type) ? real(-0.0) : 0;
  }
  return 0;
}

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

void FunctionEmitter::begin_reductions(const ir::Task& task) {
  for (const auto& [key, reduction] : fixed_reductions(kernel_, task)) {
    const Id own = code_.variable(arithmetic_.type(reduction.type));
    code_.store(own, arithmetic_.constant(reduction.type, neutral_word(reduction.op, reduction.type)));
    reductions_.emplace(key, Reduction{reduction, own});
  }
}

/// Emits an atomic that belongs to a reduction. False for other atomics, of which nothing is emitted.
bool FunctionEmitter::gather(const ir::Inst& inst) {
  const std::optional<ReductionKey> key = reduction_key(kernel_, kernel_[kernel_.operands_of(inst)[0]]);
  const auto found = key ? reductions_.find(*key) : reductions_.end();
  if (found == reductions_.end()) return false;
  const Id own = found->second.own;
  const Id sum = code_.load(arithmetic_.type(inst.type), own);
  code_.store(own, arithmetic_.atomic_result(inst.atomic_op(), inst.type, sum, value(kernel_.operands_of(inst)[1])));
  return true;
}

void FunctionEmitter::flush_reductions() {
  Arithmetic& a = arithmetic_;
  for (const auto& [key, reduction] : reductions_) {
    const Type type = reduction.type;
    const Id own = code_.load(a.type(type), reduction.own);
    const Id nothing = a.bits(type, a.constant(type, neutral_word(reduction.op, type)));
    // Without a gathered value, even a NaN has to stay as it is.
    const Id changes = a.test(spv::OpINotEqual, a.bits(type, own), nothing);
    const ir::Inst& where = kernel_[reduction.place];
    const MemoryOperand place = where.op == ir::Op::GlobalTemp ? temp(where) : element(where);
    if (!shared_.device.subgroup_sums) {
      code_.when(changes, [&] { atomic_rmw(reduction.op, type, place, own); });
      continue;
    }
    const Id flag = code_.op(spv::OpSelect, a.u32(), {changes, a.number(1), a.number(0)});
    const Id some = a.test(spv::OpINotEqual, over_subgroup(AtomicOp::Or, Type::U32, flag), a.number(0));
    const Id sum = over_subgroup(reduction.op, type, own);
    code_.when(code_.op(spv::OpLogicalAnd, a.truth(), {some, elected()}),
               [&] { atomic_rmw(reduction.op, type, place, sum); });
  }
}

/// Emits an atomic of an epilogue: each thread of the subgroup changes the same place.
bool FunctionEmitter::change_together(const ir::Inst& inst, const MemoryOperand& place) {
  const std::optional<AtomicOp> op = gathered(inst.atomic_op());
  if (!in_epilogue_ || !shared_.device.subgroup_sums || !op || ir::bit_width(inst.type) < 32) return false;
  const Id operand = value(kernel_.operands_of(inst)[1]);
  const Id sum = over_subgroup(*op, inst.type, operand);
  code_.when(elected(), [&] { atomic_rmw(inst.atomic_op(), inst.type, place, sum); });
  return true;
}

}  // namespace qd::codegen::spirv
