// Inputs of a task: the fields of DeviceLaunch, parameters, arrays and their shapes; and the state of a thread.
// Invariant ones are loaded once, in the function's first block.
#include <llvm/IR/MDBuilder.h>

#include "runtime/abi/array_slot.h"
#include "runtime/codegen/gpu/emitter.h"

namespace qd::codegen::gpu {

using ir::Type;
using llvm::Value;

namespace {

/// Reserve of a thread's stack, in bytes, for code that does not ask, such as functions that a recursive one calls.
constexpr uint32_t kStackReserve = 2048;

}  // namespace

Value* Emitter::beyond(llvm::IRBuilder<>& b, Value* address, uint64_t bytes) {
  return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), address, bytes);
}

Value* Emitter::word_at(llvm::IRBuilder<>& b, Value* address, Value* words) {
  return b.CreateInBoundsGEP(b.getInt64Ty(), address, words);
}

/// A load in the first block, of memory that does not change while the task runs.
Value* Emitter::constant_load(llvm::Type* type, Value* address, uint64_t align) {
  llvm::LoadInst* load = entry_.CreateAlignedLoad(type, address, llvm::Align(align));
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b_.getContext(), {}));
  return load;
}

/// A field of DeviceLaunch: an address.
Value* Emitter::launch_field(size_t offset) {
  Value*& field = launch_fields_[offset];
  if (!field) field = constant_load(global_pointer(), beyond(entry_, launch_, offset), 8);
  return field;
}

/// The same field at the end of a task, where most threads need none.
Value* Emitter::late_field(size_t offset) {
  return b_.CreateAlignedLoad(global_pointer(), beyond(b_, launch_, offset), llvm::Align(8));
}

Value* Emitter::parameter(uint32_t index) {
  Value*& parameter = parameters_[index];
  if (!parameter) {
    const Type type = kernel_.params[index].type;
    Value* address = beyond(entry_, launch_field(offsetof(DeviceLaunch, params)), 8 * uint64_t{index});
    Value* number = constant_load(arithmetic_.memory_type(type), address, 8);
    number->setName(kernel_.params[index].name);
    parameter = type == Type::U1 ? entry_.CreateICmpNE(number, b_.getInt8(0)) : number;
  }
  return parameter;
}

Value* Emitter::array_data(uint32_t array) {
  Value*& data = array_data_[array];
  if (!data) {
    Value* slots = launch_field(offsetof(DeviceLaunch, arrays));
    data = constant_load(global_pointer(), beyond(entry_, slots, array * sizeof(ArraySlot) + offsetof(ArraySlot, data)),
                         8);
    data->setName(kernel_.arrays[array].name);
  }
  return data;
}

Value* Emitter::array_shape(uint32_t array, uint32_t axis) {
  const ir::Array& info = kernel_.arrays[array];
  if (axis < info.shape.size()) return b_.getInt32(static_cast<uint32_t>(info.shape[axis]));
  Value*& shape = array_shapes_[{array, axis}];
  if (!shape) {
    Value* slots = launch_field(offsetof(DeviceLaunch, arrays));
    const uint64_t offset = array * sizeof(ArraySlot) + offsetof(ArraySlot, shape) + axis * sizeof(int32_t);
    shape = constant_load(b_.getInt32Ty(), beyond(entry_, slots, offset), 4);
    llvm::cast<llvm::LoadInst>(shape)->setMetadata(
        llvm::LLVMContext::MD_range,
        llvm::MDBuilder(b_.getContext()).createRange(llvm::APInt(32, 0), llvm::APInt::getSignedMinValue(32)));
  }
  return shape;
}

Value* Emitter::state_word(uint64_t word) { return b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), state_, word); }

/// Bytes of the stack that are left. The task keeps the state in its part of the stack. So the distance of a variable
/// of this function from it is the size of the calls between them, whichever way the stack grows.
Value* Emitter::stack_left() {
  llvm::Type* word = b_.getInt64Ty();
  Value* here = b_.CreatePtrToInt(local(word, "here"), word);
  Value* used = b_.CreateSub(b_.CreatePtrToInt(state_, word), here);
  return b_.CreateSub(b_.getInt64(uint64_t{hardware_.stack_bytes()} - kStackReserve),
                      b_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, used, b_.getFalse()));
}

}  // namespace qd::codegen::gpu
