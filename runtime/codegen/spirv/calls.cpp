// Routines, which are functions of the module.
#include <stdexcept>

#include "runtime/codegen/spirv/function_emitter.h"

namespace qd::codegen::spirv {

namespace {

/// In place of the id of a routine that is being emitted.
constexpr Id kInProgress = UINT32_MAX;

}  // namespace

Id FunctionEmitter::routine_function(uint32_t index) {
  if (shared_.routines.size() <= index) shared_.routines.resize(kernel_.routines.size());
  if (shared_.routines[index] == kInProgress) throw std::runtime_error("SPIR-V functions cannot call themselves");
  if (shared_.routines[index] == 0) {
    shared_.routines[index] = kInProgress;
    const ir::Routine& routine = kernel_.routines[index];
    FunctionEmitter emitter(shared_, kernel_, routine.results, routine.params, arithmetic_.mode());
    shared_.routines[index] = emitter.emit_routine(index);
  }
  return shared_.routines[index];
}

Id FunctionEmitter::emit_routine(uint32_t index) {
  is_routine_ = true;
  emit_block(kernel_.routines[index].body);
  if (!code_.ended()) {
    if (results_.empty()) {
      code_.give_back();
    } else {
      code_.unreachable();
    }
  }
  code_.finish();
  return code_.id();
}

void FunctionEmitter::emit_call(ir::InstId id, const ir::Inst& inst) {
  const Id function = routine_function(inst.aux);
  if (shared_.iteration != 0 && !is_routine_) code_.store(shared_.iteration, iteration());
  Words operands{function};
  for (ir::InstId operand : kernel_.operands_of(inst)) operands.push_back(value(operand));
  const ir::Routine& routine = kernel_.routines[inst.aux];
  std::vector<Id> members;
  for (ir::Type type : routine.results) members.push_back(arithmetic_.type(type));
  const Id type = members.empty()       ? module_.void_type()
                  : members.size() == 1 ? members[0]
                                        : module_.struct_type(members);
  values_[id] = code_.op(spv::OpFunctionCall, type, operands);
}

Id FunctionEmitter::call_result(const ir::Inst& inst) {
  const Id call = values_.at(inst.aux_inst());
  const ir::Inst& callee = kernel_[inst.aux_inst()];
  if (kernel_.routines[callee.aux].results.size() == 1) return call;
  return code_.op(spv::OpCompositeExtract, arithmetic_.type(inst.type), {call, inst.result()});
}

void FunctionEmitter::emit_return(const ir::Inst& inst) {
  auto operands = kernel_.operands_of(inst);
  if (!is_routine_) {
    for (size_t i = 0; i < operands.size(); ++i) {
      const Id word = arithmetic_.to_word(kernel_[operands[i]].type, value(operands[i]));
      write(beyond(launch_field(offsetof(DeviceLaunch, results)), 8 * i), word, arithmetic_.u64(), 8);
    }
    return;
  }
  if (operands.empty()) return code_.give_back();
  if (operands.size() == 1) return code_.give_back(value(operands[0]));
  Words members;
  for (ir::InstId operand : operands) members.push_back(value(operand));
  code_.give_back(code_.op(spv::OpCompositeConstruct, code_.result_type(), members));
}

/// Ends the function after an assert has failed.
void FunctionEmitter::leave(Id failure) {
  if (!is_routine_) return code_.give_back();
  if (results_.size() == 1) return code_.give_back(failure);
  Words members;
  for (size_t i = 0; i + 1 < results_.size(); ++i) members.push_back(module_.null(arithmetic_.type(results_[i])));
  members.push_back(failure);
  code_.give_back(code_.op(spv::OpCompositeConstruct, code_.result_type(), members));
}

}  // namespace qd::codegen::spirv
