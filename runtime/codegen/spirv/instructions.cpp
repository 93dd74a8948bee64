// SPIR-V code of each instruction.
#include <stdexcept>

#include "runtime/codegen/spirv/function_emitter.h"

namespace qd::codegen::spirv {

using ir::Op;
using ir::Type;

namespace {

std::vector<Id> type_list(Module& module, std::span<const Type> types) {
  std::vector<Id> list;
  for (Type type : types) list.push_back(type_of(module, type));
  return list;
}

/// Type of a function's results: several are a struct.
Id result_type(Module& module, std::span<const Type> results) {
  if (results.empty()) return module.void_type();
  return results.size() == 1 ? type_of(module, results[0]) : module.struct_type(type_list(module, results));
}

}  // namespace

FunctionEmitter::FunctionEmitter(Shared& shared, const ir::Kernel& kernel, std::span<const Type> results,
                                 std::span<const Type> parameters, Arithmetic::Mode mode)
    : shared_(shared),
      module_(shared.module),
      kernel_(kernel),
      code_(module_, result_type(module_, results), type_list(module_, parameters)),
      arithmetic_(shared, code_, mode),
      results_(results.begin(), results.end()) {}

void FunctionEmitter::emit_block(ir::BlockId block) {
  if (block == ir::BlockId::None) return;
  for (ir::InstId id : kernel_[block]) {
    if (code_.ended()) return;
    emit_inst(id);
  }
}

void FunctionEmitter::emit_inst(ir::InstId id) {
  const ir::Inst& inst = kernel_[id];
  auto operands = kernel_.operands_of(inst);
  auto operand = [&](size_t i) { return value(operands[i]); };
  auto operand_type = [&](size_t i) { return kernel_[operands[i]].type; };
  switch (inst.op) {
    case Op::Const: values_[id] = arithmetic_.constant(inst.type, inst.imm); return;
    case Op::Arg: values_[id] = parameter(inst.aux); return;
    case Op::Shape: values_[id] = array_shape(inst.aux, inst.axis()); return;
    case Op::LoopIndex: values_[id] = indices_.at(inst.aux_inst())[inst.axis()]; return;
    case Op::Iteration: values_[id] = iteration(); return;
    case Op::Dispatch: values_[id] = dispatch(inst.dispatch()); return;
    case Op::Unary: values_[id] = arithmetic_.unary(inst.unary_op(), operand_type(0), inst.type, operand(0)); return;
    case Op::Binary: values_[id] = arithmetic_.binary(inst.binary_op(), inst.type, operand(0), operand(1)); return;
    case Op::Compare:
      values_[id] = arithmetic_.compare(inst.compare_op(), operand_type(0), operand(0), operand(1));
      return;
    case Op::Cast: values_[id] = arithmetic_.cast(operand_type(0), inst.type, operand(0)); return;
    case Op::BitCast: values_[id] = arithmetic_.bit_cast(operand_type(0), inst.type, operand(0)); return;
    case Op::Select: values_[id] = arithmetic_.select(operand(0), inst.type, operand(1), operand(2)); return;
    case Op::Pick: {
      if (const auto table = shared_.tables.offset(kernel_, id)) {
        values_[id] = looked_up(inst, *table);
        return;
      }
      std::vector<Id> choices;
      for (size_t i = 1; i < operands.size(); ++i) choices.push_back(operand(i));
      values_[id] = arithmetic_.pick(operand_type(0), operand(0), inst.type, choices);
      return;
    }
    case Op::StopGrad: values_[id] = operand(0); return;
    case Op::Fma: values_[id] = arithmetic_.fma(inst.type, operand(0), operand(1), operand(2)); return;
    case Op::Random: values_[id] = arithmetic_.random(inst.type); return;
    case Op::Clock: values_[id] = arithmetic_.clock(); return;
    case Op::Alloca: operands_[id] = local_variable(inst); return;
    case Op::GlobalTemp: operands_[id] = temp(inst); return;
    case Op::LocalPtr: operands_[id] = local_element(inst); return;
    case Op::ElementPtr: operands_[id] = element(inst); return;
    case Op::Load:
      if (loaded_ahead_.contains(id)) return;
      values_[id] = load(inst.type, operands_.at(operands[0]));
      return;
    case Op::VolatileLoad:
      values_[id] = load(inst.type, operands_.at(operands[0]), spv::MemoryAccessVolatileMask);
      return;
    case Op::Store: store(operand_type(1), operands_.at(operands[0]), operand(1)); return;
    case Op::AtomicRmw:
    case Op::AtomicCas: values_[id] = emit_atomic(inst); return;
    case Op::Claim: values_[id] = arithmetic_.number(0); return;  // claims are not checked here
    case Op::If: emit_if(inst); return;
    case Op::Region: throw std::logic_error("a region is left in a task");
    case Op::Loop: emit_loop(inst); return;
    case Op::For: emit_for(id, inst); return;
    case Op::Break:
      loops_.back().breaks = true;
      code_.branch(loops_.back().broken);
      return;
    case Op::Continue: code_.branch(loops_.back().next); return;
    case Op::Return: emit_return(inst); return;
    case Op::Call: emit_call(id, inst); return;
    case Op::CallResult: values_[id] = call_result(inst); return;
    case Op::CallArg: values_[id] = code_.parameter(inst.aux); return;
    case Op::StackLeft: throw std::runtime_error("SPIR-V functions cannot call themselves");
    case Op::Shared: operands_[id] = shared_variable(inst); return;
    case Op::Thread: values_[id] = thread(); return;
    case Op::Lane: values_[id] = lane(); return;
    case Op::Barrier: emit_barrier(inst.scope()); return;
    case Op::Fence: emit_fence(inst.scope()); return;
    case Op::Shuffle: values_[id] = shuffle(inst.type, operand(0), operand(1)); return;
    case Op::Ballot: values_[id] = ballot(operand(0)); return;
    case Op::Together: values_[id] = together(); return;
    case Op::Message: operands_[id] = {.address = message_address(inst)}; return;
    case Op::Leave: leave(operand(0)); return;
    case Op::Assert:
    case Op::Warn:
    case Op::Print: throw std::logic_error("a message is left");
    case Op::Probe:
    case Op::Watch:
    case Op::Condition:
    case Op::Decide: return;  // lowered by now, or nothing measures
    case Op::Count:
    case Op::Record:
    case Op::Maximum: emit_count(inst); return;
    case Op::Hit: emit_hit(inst); return;
  }
}

/// The number of the present iteration of the parallel task, in 64 bits.
Id FunctionEmitter::iteration() {
  if (is_routine_) {
    if (shared_.iteration == 0) shared_.iteration = module_.private_variable(arithmetic_.u64());
    return code_.load(arithmetic_.u64(), shared_.iteration);
  }
  return iteration_ == ir::InstId::None ? arithmetic_.wide(0) : value(iteration_);
}

}  // namespace qd::codegen::spirv
