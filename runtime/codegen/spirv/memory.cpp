// Addresses of elements, temporaries and locals; loads and stores.
#include <algorithm>

#include "runtime/codegen/spirv/function_emitter.h"
#include "runtime/codegen/spirv/repeat.h"

namespace qd::codegen::spirv {

using ir::Type;

namespace {

/// Length up to which a local array is made zero at once.
constexpr uint32_t kShortArray = 16;

/// Whether all offsets in an array fit 32 bits, because its shape is known and it is not too large.
bool is_short(const ir::Array& info) {
  if (info.shape.size() != static_cast<size_t>(info.rank)) return false;
  const ir::Layout& layout = info.layout;
  const int64_t size = ir::size_in_bytes(info.type);
  constexpr int64_t kEnd = INT32_MAX;
  int64_t bytes = layout.stride ? layout.stride : size * layout.components;
  for (int32_t extent : info.shape) {
    if (extent <= 0 || bytes > kEnd / extent) return false;
    bytes *= extent;
  }
  const int64_t components = (layout.component_stride ? layout.component_stride : size) * layout.components;
  return bytes > 0 && components >= 0 && components < kEnd - bytes;
}

}  // namespace

Id FunctionEmitter::pointer(Id address, Id type) {
  return code_.op(spv::OpConvertUToPtr, module_.pointer_type(spv::StorageClassPhysicalStorageBuffer, type), {address});
}

Id FunctionEmitter::pointer(const MemoryOperand& place, Id type, uint32_t size) {
  if (place.address != 0) return pointer(place.address, type);
  Id& buffer = shared_.buffers[{place.binding, type}];
  if (buffer == 0) buffer = module_.storage_buffer(type, size, place.binding);
  return code_.op(spv::OpAccessChain, module_.pointer_type(spv::StorageClassStorageBuffer, type),
                  {buffer, arithmetic_.number(0), place.element});
}

Id FunctionEmitter::read(Id address, Id type, uint32_t size, uint32_t access) {
  return code_.op(spv::OpLoad, type, {pointer(address, type), spv::MemoryAccessAlignedMask | access, size});
}

void FunctionEmitter::write(Id address, Id value, Id type, uint32_t size) {
  code_.act(spv::OpStore, {pointer(address, type), value, spv::MemoryAccessAlignedMask, size});
}

Id FunctionEmitter::beyond(Id address, uint64_t bytes) {
  return bytes == 0 ? address : arithmetic_.wide_integer(spv::OpIAdd, address, arithmetic_.wide(bytes));
}

Id FunctionEmitter::message_address(const ir::Inst& inst) {
  const Id messages = launch_field(offsetof(DeviceLaunch, messages));
  const ir::InstId number = kernel_.operands_of(inst)[0];
  const auto size = static_cast<uint64_t>(ir::size_in_bytes(inst.type));
  if (kernel_[number].op == ir::Op::Const) return beyond(messages, size * kernel_[number].imm);
  const Id offset = arithmetic_.wide_integer(spv::OpIMul, value(number), arithmetic_.wide(size));
  return arithmetic_.wide_integer(spv::OpIAdd, messages, offset);
}

Id FunctionEmitter::looked_up(const ir::Inst& pick, uint32_t offset) {
  const auto operands = kernel_.operands_of(pick);
  const Id place = arithmetic_.limited(kernel_[operands[0]].type, value(operands[0]), operands.size() - 2);
  const uint32_t size = ir::bit_width(pick.type) == 64 ? 8 : 4;
  const Id bytes = arithmetic_.integer(spv::OpIMul, place, arithmetic_.number(size));
  const Id table = beyond(launch_field(offsetof(DeviceLaunch, tables)), offset);
  const Id address = arithmetic_.wide_integer(spv::OpIAdd, table, arithmetic_.widen(bytes, false));
  return arithmetic_.from_bits(held(pick.type), read(address, word_type(pick.type), size));
}

FunctionEmitter::MemoryOperand FunctionEmitter::temp(const ir::Inst& inst) {
  return {.address = beyond(launch_field(offsetof(DeviceLaunch, temps)), 8 * uint64_t{inst.aux}), .is_word = true};
}

/// A local variable. It begins with zero wherever control comes to its declaration.
FunctionEmitter::MemoryOperand FunctionEmitter::local_variable(const ir::Inst& inst) {
  const Id element = arithmetic_.type(inst.type);
  const uint32_t length = inst.length();
  const Id type = length > 0 ? module_.array_type(element, length) : element;
  const Id variable = code_.variable(type);
  if (length <= kShortArray) {
    code_.store(variable, module_.null(type));
  } else {
    const Id pointer_type = module_.pointer_type(spv::StorageClassFunction, element);
    spirv::repeat(code_, arithmetic_.number(length), [&](Id index) {
      code_.store(code_.op(spv::OpAccessChain, pointer_type, {variable, index}), module_.null(element));
    });
  }
  return {.pointer = variable};
}

FunctionEmitter::MemoryOperand FunctionEmitter::local_element(const ir::Inst& inst) {
  auto operands = kernel_.operands_of(inst);
  const MemoryOperand& whole = operands_.at(operands[0]);
  const Id index = value(operands[1]);
  if (whole.pointer != 0) {
    const Id type = whole.is_shared ? module_.pointer_type(spv::StorageClassWorkgroup, word_type(inst.type))
                                    : module_.pointer_type(spv::StorageClassFunction, arithmetic_.type(inst.type));
    return {.pointer = code_.op(spv::OpAccessChain, type, {whole.pointer, index}), .is_shared = whole.is_shared};
  }
  // Each element has a word in the temps.
  const Id offset = arithmetic_.wide_integer(spv::OpIMul, arithmetic_.widen(index, true), arithmetic_.wide(8));
  return {.address = arithmetic_.wide_integer(spv::OpIAdd, whole.address, offset), .is_word = true};
}

/// The binding of an array. Nothing: the array is reached by its address, because there are no more bindings, or its
/// numbers do not lie at multiples of their size.
std::optional<uint32_t> FunctionEmitter::binding_of(uint32_t array, int64_t size) {
  const ir::Layout& layout = kernel_.arrays[array].layout;
  if (layout.stride % size != 0 || layout.component_stride % size != 0) return std::nullopt;
  std::vector<uint32_t>& bound = shared_.bound;
  const auto known = static_cast<uint32_t>(std::ranges::find(bound, array) - bound.begin());
  if (known < bound.size()) return known;
  if (bound.size() >= shared_.most_bound) return std::nullopt;
  bound.push_back(array);
  return known;
}

FunctionEmitter::MemoryOperand FunctionEmitter::element(const ir::Inst& inst) {
  const std::optional<uint32_t> binding = binding_of(inst.aux, ir::size_in_bytes(inst.type));
  if (binding) return bound_element(inst, *binding);
  return {.address = element_address(inst)};
}

/// An element of a storage buffer, which has at most 2^32 bytes, so its numbers are counted in 32 bits.
FunctionEmitter::MemoryOperand FunctionEmitter::bound_element(const ir::Inst& inst, uint32_t binding) {
  Arithmetic& a = arithmetic_;
  auto operands = kernel_.operands_of(inst);
  const ir::Array& info = kernel_.arrays[inst.aux];
  auto index = [&](ir::InstId id) { return ir::bit_width(kernel_[id].type) == 64 ? a.narrow(value(id)) : value(id); };
  auto times = [&](Id x, int64_t factor) {
    return factor == 1 ? x : a.integer(spv::OpIMul, x, a.number(static_cast<uint32_t>(factor)));
  };
  auto plus = [&](Id x, Id y) { return x == 0 ? y : a.integer(spv::OpIAdd, x, y); };
  Id element = 0;
  for (uint32_t i = 0; i < static_cast<uint32_t>(info.rank); ++i) {
    const uint32_t axis = info.layout.order.empty() ? i : static_cast<uint32_t>(info.layout.order[i]);
    if (element != 0) element = a.integer(spv::OpIMul, element, array_shape(inst.aux, axis));
    element = plus(element, index(operands[axis]));
  }
  const int64_t size = ir::size_in_bytes(inst.type), stride = info.layout.stride;
  if (element != 0) element = times(element, stride ? stride / size : info.layout.components);
  if (info.layout.components != 1) {
    const int64_t apart = info.layout.component_stride;
    element = plus(element, times(index(operands.back()), apart ? apart / size : 1));
  }
  return {.binding = binding, .element = element == 0 ? a.number(0) : element};
}

Id FunctionEmitter::element_address(const ir::Inst& inst) {
  auto operands = kernel_.operands_of(inst);
  const ir::Array& info = kernel_.arrays[inst.aux];
  const bool narrow = is_short(info);
  const Id type = narrow ? arithmetic_.u32() : arithmetic_.u64();
  auto constant = [&](int64_t number) {
    return narrow ? arithmetic_.number(static_cast<uint32_t>(number)) : arithmetic_.wide(static_cast<uint64_t>(number));
  };
  auto index = [&](ir::InstId id) {
    const bool is_wide = ir::bit_width(kernel_[id].type) == 64;
    if (narrow) return is_wide ? arithmetic_.narrow(value(id)) : value(id);
    return is_wide ? value(id) : arithmetic_.widen(value(id), true);
  };
  auto times = [&](Id a, int64_t factor) {
    return factor == 1 ? a : code_.op(spv::OpIMul, type, {a, constant(factor)});
  };
  auto plus = [&](Id a, Id b) { return a == 0 ? b : code_.op(spv::OpIAdd, type, {a, b}); };
  Id offset = 0;
  for (uint32_t i = 0; i < static_cast<uint32_t>(info.rank); ++i) {
    const uint32_t axis = info.layout.order.empty() ? i : static_cast<uint32_t>(info.layout.order[i]);
    if (offset != 0) {
      const Id extent = narrow ? constant(info.shape[axis]) : arithmetic_.widen(array_shape(inst.aux, axis), true);
      offset = code_.op(spv::OpIMul, type, {offset, extent});
    }
    offset = plus(offset, index(operands[axis]));
  }
  const int64_t size = ir::size_in_bytes(inst.type);
  if (offset != 0) offset = times(offset, info.layout.stride ? info.layout.stride : size * info.layout.components);
  if (info.layout.components != 1)
    offset =
        plus(offset, times(index(operands.back()), info.layout.component_stride ? info.layout.component_stride : size));
  const Id data = array_data(inst.aux);
  if (offset == 0) return data;
  return arithmetic_.wide_integer(spv::OpIAdd, data, narrow ? arithmetic_.widen(offset, true) : offset);
}

Id FunctionEmitter::load(Type type, const MemoryOperand& place, uint32_t access) {
  if (place.is_shared) return arithmetic_.from_bits(held(type), code_.load(word_type(type), place.pointer, access));
  if (place.pointer != 0) return code_.load(arithmetic_.type(type), place.pointer, access);
  const uint32_t size = static_cast<uint32_t>(ir::size_in_bytes(type));
  const Id memory_type = arithmetic_.memory_type(type);
  const Id raw = place.address != 0 ? read(place.address, memory_type, size, access)
                                    : code_.load(memory_type, pointer(place, memory_type, size), access);
  return arithmetic_.from_memory(type, raw);
}

void FunctionEmitter::store(Type type, const MemoryOperand& place, Id value) {
  if (place.is_shared) return code_.store(place.pointer, arithmetic_.bits(held(type), value));
  if (place.pointer != 0) return code_.store(place.pointer, value);
  const uint32_t size = static_cast<uint32_t>(ir::size_in_bytes(type));
  const Id raw = arithmetic_.to_memory(type, value), memory_type = arithmetic_.memory_type(type);
  if (place.address != 0) return write(place.address, raw, memory_type, size);
  code_.store(pointer(place, memory_type, size), raw);
}

}  // namespace qd::codegen::spirv
