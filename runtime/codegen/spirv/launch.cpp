// Inputs of a task: the fields of DeviceLaunch, parameters, arrays and their shapes. Each is loaded once, in the
// function's first block.
#include "runtime/abi/array_slot.h"
#include "runtime/codegen/spirv/function_emitter.h"

namespace qd::codegen::spirv {

using ir::Type;

/// A word of TaskArguments.
Id FunctionEmitter::push_constant(size_t offset) {
  const Id u64 = arithmetic_.u64(), member = arithmetic_.number(static_cast<uint32_t>(offset / sizeof(uint64_t)));
  const Id pointer = module_.pointer_type(spv::StorageClassPushConstant, u64);
  return code_.load(u64, code_.op(spv::OpAccessChain, pointer, {shared_.push_constants, member}));
}

Id FunctionEmitter::launch_field(size_t offset) {
  Id& field = launch_fields_[offset];
  if (field == 0) {
    Code::AtEntry entry(code_);
    Id& launch = launch_fields_[SIZE_MAX];
    const Id u64 = arithmetic_.u64();
    if (launch == 0) launch = push_constant(offsetof(TaskArguments, launch));
    launch_fields_[offset] = read(beyond(launch, offset), u64, 8);
    return launch_fields_[offset];
  }
  return field;
}

Id FunctionEmitter::parameter(uint32_t index) {
  Id& parameter = parameters_[index];
  if (parameter == 0) {
    const Id words = launch_field(offsetof(DeviceLaunch, params));
    Code::AtEntry entry(code_);
    const Id word = read(beyond(words, 8 * uint64_t{index}), arithmetic_.u64(), 8);
    parameter = arithmetic_.from_word(kernel_.params[index].type, word);
  }
  return parameter;
}

Id FunctionEmitter::array_data(uint32_t array) {
  Id& data = array_data_[array];
  if (data == 0) {
    const Id slots = launch_field(offsetof(DeviceLaunch, arrays));
    Code::AtEntry entry(code_);
    data = read(beyond(slots, array * sizeof(ArraySlot) + offsetof(ArraySlot, data)), arithmetic_.u64(), 8);
  }
  return data;
}

Id FunctionEmitter::array_shape(uint32_t array, uint32_t axis) {
  const ir::Array& info = kernel_.arrays[array];
  if (axis < info.shape.size()) return arithmetic_.number(static_cast<uint32_t>(info.shape[axis]));
  Id& shape = array_shapes_[uint64_t{array} << 32 | axis];
  if (shape == 0) {
    const Id slots = launch_field(offsetof(DeviceLaunch, arrays));
    Code::AtEntry entry(code_);
    const uint64_t offset = array * sizeof(ArraySlot) + offsetof(ArraySlot, shape) + axis * sizeof(int32_t);
    shape = read(beyond(slots, offset), arithmetic_.u32(), 4);
  }
  return shape;
}

/// The first component of a built-in vector, such as the number of the invocation.
Id FunctionEmitter::component_of_input(spv::BuiltIn built_in) {
  const Id vector = module_.vector_type(arithmetic_.u32(), 3);
  const Id all = code_.load(vector, module_.input(built_in, vector));
  return code_.op(spv::OpCompositeExtract, arithmetic_.u32(), {all, 0});
}

}  // namespace qd::codegen::spirv
