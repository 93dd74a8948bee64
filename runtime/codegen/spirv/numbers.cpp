// Representation of numbers in values, and their layout in memory.
#include <bit>

#include "runtime/codegen/spirv/arithmetic.h"
#include "runtime/codegen/spirv/shared.h"
#include "runtime/ir/half.h"

namespace qd::codegen::spirv {

using ir::Type;

Type Arithmetic::holder(Type type) {
  if (type == Type::F16) return Type::F32;
  if (ir::is_integer(type) && type != Type::U1 && ir::bit_width(type) < 32)
    return ir::is_signed(type) ? Type::I32 : Type::U32;
  return type;
}

Id type_of(Module& module, Type type) {
  if (type == Type::Void) return module.void_type();
  if (type == Type::U1) return module.bool_type();
  if (ir::is_float(type)) return module.float_type(type == Type::F64 ? 64 : 32);
  return module.int_type(ir::bit_width(type) == 64 ? 64 : 32);
}

Id Arithmetic::constant(Type type, uint64_t bits) {
  if (type == Type::U1) return module_.truth(bits & 1);
  if (type == Type::F16) return real(Type::F32, ir::double_from_half(static_cast<uint16_t>(bits)));
  if (type == Type::F32) return module_.single(static_cast<uint32_t>(bits));
  if (type == Type::F64) return module_.real(bits);
  return ir::bit_width(type) == 64 ? module_.wide_number(bits) : module_.number(static_cast<uint32_t>(bits));
}

Id Arithmetic::whole(Type type, int64_t value) {
  return ir::is_float(type) ? real(type, static_cast<double>(value)) : constant(type, static_cast<uint64_t>(value));
}

Id Arithmetic::real(Type type, double value) {
  if (type == Type::F64) return module_.real(std::bit_cast<uint64_t>(value));
  return module_.single(std::bit_cast<uint32_t>(static_cast<float>(value)));
}

Id Arithmetic::canonical(Type type, Id x) {
  const uint32_t width = static_cast<uint32_t>(ir::bit_width(type));
  if (width >= 32) return x;
  if (ir::is_signed(type)) return code_.op(spv::OpBitFieldSExtract, u32(), {x, number(0), number(width)});
  return own_bits(type, x);
}

/// Sets the bits above those of the type to 0.
Id Arithmetic::own_bits(Type type, Id x) {
  const uint32_t width = static_cast<uint32_t>(ir::bit_width(type));
  return width >= 32 ? x : integer(spv::OpBitwiseAnd, x, number((1u << width) - 1));
}

Id Arithmetic::rounded(Type type, Id x) {
  return type == Type::F16 ? software(Software::RoundToHalf, Type::F32, Type::F32, {x}) : x;
}

Id Arithmetic::bits(Type type, Id value) {
  if (type == Type::U1) return code_.op(spv::OpSelect, u32(), {value, number(1), number(0)});
  if (type == Type::F16) return software(Software::HalfBits, Type::F32, Type::U32, {value});
  if (type == Type::F32) return code_.op(spv::OpBitcast, u32(), {value});
  if (type == Type::F64) return code_.op(spv::OpBitcast, u64(), {value});
  return value;
}

Id Arithmetic::from_bits(Type type, Id bits) {
  if (type == Type::U1) return test(spv::OpINotEqual, own_bits(Type::U8, bits), number(0));
  if (type == Type::F16) return software(Software::FromHalf, Type::U32, Type::F32, {own_bits(Type::U16, bits)});
  if (type == Type::F32 || type == Type::F64) return code_.op(spv::OpBitcast, this->type(type), {bits});
  return canonical(type, bits);
}

Id Arithmetic::memory_type(Type type) {
  const uint32_t width = 8 * static_cast<uint32_t>(ir::size_in_bytes(type));
  if (width == 8) module_.capability(spv::CapabilityStorageBuffer8BitAccess);
  if (width == 16) module_.capability(spv::CapabilityStorageBuffer16BitAccess);
  return width < 32 ? module_.int_type(width) : this->type(type);
}

Id Arithmetic::to_memory(Type type, Id value) {
  if (ir::size_in_bytes(type) >= 4) return value;
  return code_.op(spv::OpUConvert, memory_type(type), {bits(type, value)});
}

Id Arithmetic::from_memory(Type type, Id raw) {
  if (ir::size_in_bytes(type) >= 4) return raw;
  if (ir::is_signed(type)) return code_.op(spv::OpSConvert, u32(), {raw});
  const Id bits = code_.op(spv::OpUConvert, u32(), {raw});
  if (type == Type::U1) return test(spv::OpINotEqual, bits, number(0));
  return type == Type::F16 ? software(Software::FromHalf, Type::U32, Type::F32, {bits}) : bits;
}

Id Arithmetic::to_word(Type type, Id value) {
  const Id all = bits(type, value);
  return ir::bit_width(type) == 64 ? all : widen(all, ir::is_signed(type));
}

Id Arithmetic::from_word(Type type, Id word) {
  return from_bits(type, ir::bit_width(type) == 64 ? word : narrow(word));
}

Id Arithmetic::exact(spv::Op op, Type type, std::initializer_list<uint32_t> operands) {
  const Id id = code_.op(op, this->type(type), operands);
  module_.decorate(id, spv::DecorationNoContraction);
  return id;
}

Id Arithmetic::inexact(spv::Op op, Type type, std::initializer_list<uint32_t> operands) {
  return mode_ == Mode::FastMath ? code_.op(op, this->type(type), operands) : exact(op, type, operands);
}

Id Arithmetic::call(Id function, Type result, std::initializer_list<Id> arguments) {
  Words operands{function};
  operands.insert(operands.end(), arguments.begin(), arguments.end());
  return code_.op(spv::OpFunctionCall, type(result), operands);
}

Id Arithmetic::software(Software function, Type formula_type, Type result, std::initializer_list<Id> arguments) {
  return call(software_function(shared_, function, formula_type), result, arguments);
}

/// Calls a mathematical function. f16 computes in f32.
Id Arithmetic::mathematical(mathematics::Function function, Type type, std::initializer_list<Id> arguments) {
  return rounded(type, call(mathematical_function(shared_, function, holder(type)), holder(type), arguments));
}

}  // namespace qd::codegen::spirv
