// Declarations by their words, so that each stands in the module once, as SPIR-V demands of types.
#include "runtime/codegen/spirv/module.h"

#include <cstring>

namespace qd::codegen::spirv {

void put(Words& out, spv::Op op, std::span<const uint32_t> operands) {
  out.push_back(static_cast<uint32_t>((operands.size() + 1) << 16) | static_cast<uint32_t>(op));
  out.insert(out.end(), operands.begin(), operands.end());
}

void append_text(Words& operands, std::string_view text) {
  const size_t first = operands.size();
  operands.resize(first + text.size() / 4 + 1);
  std::memcpy(operands.data() + first, text.data(), text.size());
}

Id Module::glsl() {
  if (glsl_ == 0) glsl_ = fresh();
  return glsl_;
}

/// A type: its words are op, id, operands.
Id Module::declared(spv::Op op, const Words& operands) {
  Id& id = known_[{op, operands}];
  if (id != 0) return id;
  id = fresh();
  Words words{id};
  words.insert(words.end(), operands.begin(), operands.end());
  put(declarations_, op, words);
  return id;
}

/// A constant: its words are op, type, id, operands.
Id Module::constant_of(spv::Op op, Id type, const Words& operands) {
  Words key{type};
  key.insert(key.end(), operands.begin(), operands.end());
  Id& id = known_[{op, key}];
  if (id != 0) return id;
  id = fresh();
  Words words{type, id};
  words.insert(words.end(), operands.begin(), operands.end());
  put(declarations_, op, words);
  if (op == spv::OpConstant) numbers_[id] = operands[0] | (operands.size() > 1 ? uint64_t{operands[1]} << 32 : 0);
  return id;
}

bool Module::known(Id id, uint64_t& bits) const {
  auto found = numbers_.find(id);
  if (found == numbers_.end()) return false;
  bits = found->second;
  return true;
}

Id Module::float_type(uint32_t width) {
  if (width == 64) capability(spv::CapabilityFloat64);
  return declared(spv::OpTypeFloat, {width});
}

Id Module::function_type(Id result, std::span<const Id> parameters) {
  Words operands{result};
  operands.insert(operands.end(), parameters.begin(), parameters.end());
  return declared(spv::OpTypeFunction, operands);
}

Id Module::global(spv::StorageClass storage, Id type, Id initial) {
  const Id pointer = pointer_type(storage, type);
  const Id id = fresh();
  Words words{pointer, id, static_cast<uint32_t>(storage)};
  if (initial != 0) words.push_back(initial);
  put(declarations_, spv::OpVariable, words);
  globals_.push_back(id);
  return id;
}

Id Module::private_variable(Id type) { return global(spv::StorageClassPrivate, type, null(type)); }

Id Module::input(spv::BuiltIn built_in, Id type) {
  Id& id = inputs_[built_in];
  if (id == 0) {
    id = global(spv::StorageClassInput, type, 0);
    decorate(id, spv::DecorationBuiltIn, {static_cast<uint32_t>(built_in)});
  }
  return id;
}

Id Module::storage_buffer(Id type, uint32_t size, uint32_t binding) {
  Id& block = buffer_types_[type];
  if (block == 0) {
    const Id numbers = declared(spv::OpTypeRuntimeArray, {type});
    decorate(numbers, spv::DecorationArrayStride, {size});
    block = declared(spv::OpTypeStruct, {numbers});
    decorate(block, spv::DecorationBlock);
    put(decorations_, spv::OpMemberDecorate, {block, 0, static_cast<uint32_t>(spv::DecorationOffset), 0});
  }
  const Id id = global(spv::StorageClassStorageBuffer, block, 0);
  decorate(id, spv::DecorationDescriptorSet, {0});
  decorate(id, spv::DecorationBinding, {binding});
  decorate(id, spv::DecorationAliased);
  return id;
}

Id Module::push_constants(uint32_t count) {
  const Id block = struct_type(std::vector<Id>(count, int_type(64)));
  decorate(block, spv::DecorationBlock);
  for (uint32_t i = 0; i < count; ++i)
    put(decorations_, spv::OpMemberDecorate, {block, i, static_cast<uint32_t>(spv::DecorationOffset), 8 * i});
  return global(spv::StorageClassPushConstant, block, 0);
}

void Module::decorate(Id target, spv::Decoration decoration, std::initializer_list<uint32_t> operands) {
  Words words{target, static_cast<uint32_t>(decoration)};
  words.insert(words.end(), operands.begin(), operands.end());
  put(decorations_, spv::OpDecorate, words);
}

Words Module::finish(Id main, uint32_t local_size,
                     std::span<const std::pair<spv::ExecutionMode, uint32_t>> modes) const {
  constexpr uint32_t kVersion = 0x00010500;
  Words out{spv::MagicNumber, kVersion, 0, next_, 0};
  for (spv::Capability capability : capabilities_) put(out, spv::OpCapability, {static_cast<uint32_t>(capability)});
  for (const std::string& extension : extensions_) {
    Words operands;
    append_text(operands, extension);
    put(out, spv::OpExtension, operands);
  }
  if (glsl_ != 0) {
    Words operands{glsl_};
    append_text(operands, "GLSL.std.450");
    put(out, spv::OpExtInstImport, operands);
  }
  put(out, spv::OpMemoryModel, {spv::AddressingModelPhysicalStorageBuffer64, spv::MemoryModelGLSL450});
  Words entry{spv::ExecutionModelGLCompute, main};
  append_text(entry, "main");
  entry.insert(entry.end(), globals_.begin(), globals_.end());
  put(out, spv::OpEntryPoint, entry);
  put(out, spv::OpExecutionMode, {main, spv::ExecutionModeLocalSize, local_size, 1, 1});
  for (auto [mode, operand] : modes) put(out, spv::OpExecutionMode, {main, static_cast<uint32_t>(mode), operand});
  for (const Words* section : {&decorations_, &declarations_, &functions_})
    out.insert(out.end(), section->begin(), section->end());
  return out;
}

}  // namespace qd::codegen::spirv
