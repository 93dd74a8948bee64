// Calls of routines, which lanes make one after the other, and the random numbers of lanes.
#include <utility>

#include "runtime/codegen/cpu/lane_emitter.h"

namespace qd::codegen {

using ir::InstId;
using llvm::Value;

void LaneEmitter::begin_lane_random() {
  llvm::Type* word = b_.getInt64Ty();
  const auto [first, second] = iteration_stream(b_.CreateAdd(splat(iteration()), steps(word, 1)));
  streams_[0] = first ? kept(first) : nullptr;
  streams_[1] = second ? kept(second) : nullptr;
}

/// Draws a number for each lane. The state of a lane that is not active stays.
void LaneEmitter::emit_lane_random(InstId id, const ir::Inst& inst) {
  llvm::Type* type = streams_[0]->getAllocatedType();
  Value* const first = b_.CreateLoad(type, streams_[0]);
  Value* const second = b_.CreateLoad(type, streams_[1]);
  Value *next_first = first, *next_second = second;
  Value* bits = arithmetic_.random_bits(next_first, next_second);
  b_.CreateStore(b_.CreateSelect(active(), next_first, first), streams_[0]);
  b_.CreateStore(b_.CreateSelect(active(), next_second, second), streams_[1]);
  vectors_[id] = arithmetic_.random_number(inst.type, bits);
}

void LaneEmitter::emit_lane_call(InstId id, const ir::Inst& inst) {
  const auto operands = kernel_.operands_of(inst);
  const std::vector<ir::Type>& types = kernel_.routines[inst.aux].results;
  std::vector<llvm::AllocaInst*> arguments;
  for (InstId operand : operands)
    arguments.push_back(kept(arithmetic_.to_memory(kernel_[operand].type, lanes_of(operand))));
  std::vector<llvm::AllocaInst*>& results = results_[id];
  results.clear();
  for (ir::Type type : types)
    results.push_back(kept(llvm::Constant::getNullValue(vector_of(arithmetic_.memory_type(type)))));
  std::unordered_map<InstId, Value*> of_one;
  for (InstId operand : operands) of_one[operand] = values_[operand];
  Value*& index = indices_[loop_][axis_];
  Value* const first = index;
  llvm::Type* word = b_.getInt64Ty();
  for_each_lane([&](Value* lane) {
    for (size_t i = 0; i < operands.size(); ++i) {
      const ir::Type type = kernel_[operands[i]].type;
      Value* argument = b_.CreateLoad(arithmetic_.memory_type(type), element(arguments[i], lane));
      values_[operands[i]] = arithmetic_.from_memory(type, argument);
    }
    index = b_.CreateAdd(first, lane);
    const auto stream = [&](unsigned i) { return b_.CreateConstInBoundsGEP1_64(word, random_state(), i); };
    for (unsigned i = 0; i < 2 && streams_[i]; ++i)
      b_.CreateAlignedStore(b_.CreateLoad(word, element(streams_[i], lane)), stream(i), llvm::Align(8));
    emit_inst(id);
    for (unsigned i = 0; i < 2 && streams_[i]; ++i)
      b_.CreateStore(b_.CreateAlignedLoad(word, stream(i), llvm::Align(8)), element(streams_[i], lane));
    for (unsigned i = 0; i < types.size(); ++i) {
      Value* result = arithmetic_.to_memory(types[i], b_.CreateExtractValue(value(id), i));
      b_.CreateStore(result, element(results[i], lane));
    }
  });
  index = first;
  for (const auto& [operand, value] : of_one) values_[operand] = value;
}

}  // namespace qd::codegen
