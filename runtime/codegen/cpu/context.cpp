// The fields of LaunchContext and ThreadState: inputs of a task, and its messages and counts for the launch.
#include <llvm/IR/MDBuilder.h>

#include "runtime/codegen/cpu/task_emitter.h"

namespace qd::codegen {

using ir::Type;
using llvm::Value;

Value* TaskEmitter::context_field(size_t offset, llvm::Type* type) {
  Value*& field = context_fields_[offset];
  if (!field) {
    llvm::LoadInst* load = entry_.CreateAlignedLoad(
        type, entry_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), context_, offset), llvm::Align(8));
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b_.getContext(), {}));
    field = load;
  }
  return field;
}

Value* TaskEmitter::thread_field(size_t offset) {
  return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), thread_, offset);
}

Value* TaskEmitter::temps() { return context_field(offsetof(LaunchContext, temps), b_.getPtrTy()); }

/// A parameter, loaded once, at the start of the function: the vectoriser would have to guard a load under a condition.
Value* TaskEmitter::parameter(uint32_t index) {
  Value*& parameter = parameters_[index];
  if (!parameter) {
    const ir::Param& info = kernel_.params[index];
    Value* words = context_field(offsetof(LaunchContext, params), b_.getPtrTy());
    Value* address = entry_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), words, index);
    llvm::LoadInst* load =
        entry_.CreateAlignedLoad(arithmetic_.memory_type(info.type), address, llvm::Align(8), info.name);
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b_.getContext(), {}));
    parameter = info.type == Type::U1 ? entry_.CreateICmpNE(load, b_.getInt8(0)) : static_cast<Value*>(load);
  }
  return parameter;
}

Value* TaskEmitter::array_data(uint32_t array) {
  if (private_) {
    if (auto own = private_arrays_.find(array); own != private_arrays_.end()) return own->second.memory;
  }
  return shared_data(array);
}

Value* TaskEmitter::shared_data(uint32_t array) {
  Value*& data = array_data_[array];
  if (!data) {
    Value* slots = context_field(offsetof(LaunchContext, arrays), b_.getPtrTy());
    Value* address =
        entry_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), slots, array * sizeof(ArraySlot) + offsetof(ArraySlot, data));
    llvm::LoadInst* load = entry_.CreateAlignedLoad(b_.getPtrTy(), address, llvm::Align(8), kernel_.arrays[array].name);
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b_.getContext(), {}));
    data = load;
  }
  return data;
}

Value* TaskEmitter::array_shape(uint32_t array, uint32_t axis) {
  const ir::Array& info = kernel_.arrays[array];
  if (axis < info.shape.size()) return b_.getInt32(info.shape[axis]);
  Value*& shape = array_shapes_[{array, axis}];
  if (!shape) {
    Value* slots = context_field(offsetof(LaunchContext, arrays), b_.getPtrTy());
    Value* address = entry_.CreateConstInBoundsGEP1_64(
        b_.getInt8Ty(), slots, array * sizeof(ArraySlot) + offsetof(ArraySlot, shape) + axis * sizeof(int32_t));
    llvm::LoadInst* load = entry_.CreateAlignedLoad(b_.getInt32Ty(), address, llvm::Align(4));
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b_.getContext(), {}));
    load->setMetadata(
        llvm::LLVMContext::MD_range,
        llvm::MDBuilder(b_.getContext()).createRange(llvm::APInt(32, 0), llvm::APInt::getSignedMinValue(32)));
    shape = load;
  }
  return shape;
}

/// Bytes of the stack that are left below this function. (The stack pointer stands below everything that the function
/// keeps.)
Value* TaskEmitter::stack_left() {
  Value* here = b_.CreatePtrToInt(b_.CreateStackSave(), b_.getInt64Ty());
  return b_.CreateSub(
      here, b_.CreateAlignedLoad(b_.getInt64Ty(), thread_field(offsetof(ThreadState, stack_end)), llvm::Align(8)));
}

void TaskEmitter::emit_wrong(const ir::Inst& inst, llvm::BasicBlock* held) {
  llvm::Type* pointer = b_.getPtrTy();
  const bool goes_on = inst.op == ir::Op::Warn;
  Value* fail = context_field(goes_on ? offsetof(LaunchContext, warn) : offsetof(LaunchContext, fail), pointer);
  auto* type = llvm::FunctionType::get(b_.getVoidTy(), {pointer, b_.getInt32Ty(), pointer}, false);
  b_.CreateCall(type, fail, {context_, b_.getInt32(inst.aux), format_values(inst, 1)});
  if (!goes_on) note_failure();
  b_.CreateBr(goes_on ? held : failed());
}

void TaskEmitter::emit_print(const ir::Inst& inst) {
  llvm::Type* pointer = b_.getPtrTy();
  Value* print = context_field(offsetof(LaunchContext, print), pointer);
  auto* type = llvm::FunctionType::get(b_.getVoidTy(), {pointer, b_.getInt32Ty(), pointer}, false);
  b_.CreateCall(type, print, {context_, b_.getInt32(inst.aux), format_values(inst, 0)});
}

Value* TaskEmitter::claim(const ir::Inst& inst, Value* address) {
  llvm::Type* pointer = b_.getPtrTy();
  llvm::Type* number = b_.getInt32Ty();
  Value* claim = context_field(offsetof(LaunchContext, claim), pointer);
  auto* type = llvm::FunctionType::get(number, {pointer, pointer, pointer, number, number}, false);
  return b_.CreateCall(
      type, claim,
      {context_, thread_, address, b_.getInt32(inst.aux), b_.getInt32(static_cast<uint32_t>(inst.access()))});
}

}  // namespace qd::codegen
