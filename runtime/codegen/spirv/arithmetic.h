// Numbers of the kernel language in SPIR-V, and the operators on them.
#pragma once

#include "runtime/codegen/spirv/code.h"
#include "runtime/codegen/spirv/shared.h"
#include "runtime/ir/op.h"
#include "runtime/ir/type.h"

namespace qd::codegen::spirv {

/// The SPIR-V type that holds values of a type.
Id type_of(Module& module, ir::Type type);

/// Representation of values: u1 as a bool, integers of 8, 16 and 32 bits as 32 bits (sign- or zero-extended), an f16 as
/// the f32 that is equal, other numbers as themselves. So the code needs of a device only that it stores small numbers.
/// Integers wrap; no operation is undefined, whatever its operands.
class Arithmetic {
 public:
  /// Exact: operations on floats are rounded once. FastMath: the driver may fuse products and sums, and the remainder
  /// of floats may be inexact. Formula: exact, but for fused operations where the device has none.
  enum class Mode : uint8_t { Exact, FastMath, Formula };
  Arithmetic(Shared& shared, Code& code, Mode mode)
      : shared_(shared), module_(shared.module), code_(code), mode_(mode) {}
  Mode mode() const { return mode_; }

  Id type(ir::Type type) { return type_of(module_, type); }
  Id constant(ir::Type type, uint64_t bits);
  /// A constant of the type, for a number that it can hold.
  Id whole(ir::Type type, int64_t value);
  Id real(ir::Type type, double value);

  Id unary(ir::UnaryOp op, ir::Type operand, ir::Type result, Id x);
  Id binary(ir::BinaryOp op, ir::Type type, Id x, Id y);
  Id compare(ir::CompareOp op, ir::Type operand, Id x, Id y);
  Id cast(ir::Type from, ir::Type to, Id x);
  Id bit_cast(ir::Type from, ir::Type to, Id x);
  Id select(Id condition, ir::Type type, Id yes, Id no);
  /// A number of an element, in 32 bits: `last` for one beyond it.
  Id limited(ir::Type type, Id number, size_t last);
  /// The choice with this number, or the last one.
  Id pick(ir::Type index_type, Id index, ir::Type type, std::span<const Id> choices);
  Id fma(ir::Type type, Id a, Id b, Id c);
  Id random(ir::Type type);
  Id clock();
  Id atomic_result(ir::AtomicOp op, ir::Type type, Id old, Id operand);

  // Numbers in memory, and in words of 64 bits.
  Id memory_type(ir::Type type);
  Id to_memory(ir::Type type, Id value);
  Id from_memory(ir::Type type, Id raw);
  Id to_word(ir::Type type, Id value);
  Id from_word(ir::Type type, Id word);
  /// The bits of a number as an integer of 32 bits or 64.
  Id bits(ir::Type type, Id value);
  Id from_bits(ir::Type type, Id bits);

  // Arithmetic of the emitter itself, on integers of 32 or 64 bits.
  Id u32() { return module_.int_type(32); }
  Id u64() { return module_.int_type(64); }
  Id truth() { return module_.bool_type(); }
  Id number(uint32_t value) { return module_.number(value); }
  Id wide(uint64_t value) { return module_.wide_number(value); }
  Id integer(spv::Op op, Id x, Id y) { return code_.op(op, u32(), {x, y}); }
  Id wide_integer(spv::Op op, Id x, Id y) { return code_.op(op, u64(), {x, y}); }
  Id test(spv::Op op, Id x, Id y) { return code_.op(op, truth(), {x, y}); }
  Id widen(Id x, bool is_signed) { return code_.op(is_signed ? spv::OpSConvert : spv::OpUConvert, u64(), {x}); }
  Id narrow(Id x) { return code_.op(spv::OpUConvert, u32(), {x}); }
  /// A call of one of the module's own functions.
  Id software(Software function, ir::Type formula_type, ir::Type result, std::initializer_list<Id> arguments);

 private:
  // unary.cpp
  Id truth_unary(ir::UnaryOp op, ir::Type result, Id x);
  Id integer_unary(ir::UnaryOp op, ir::Type type, ir::Type result, Id x);
  Id float_unary(ir::UnaryOp op, ir::Type type, Id x);
  Id count_bits(ir::UnaryOp op, ir::Type type, Id x);
  /// Floor, Ceil or Round of a float.
  Id to_whole(ir::UnaryOp op, ir::Type type, Id x);
  // binary.cpp
  Id truth_binary(ir::BinaryOp op, Id x, Id y);
  Id integer_binary(ir::BinaryOp op, ir::Type type, Id x, Id y);
  Id division(ir::Type type, Id x, Id y, bool remainder, bool floor);
  Id power(ir::Type type, Id x, Id y);
  Id shift(ir::BinaryOp op, ir::Type type, Id x, Id y);
  Id float_binary(ir::BinaryOp op, ir::Type type, Id x, Id y);
  Id float_mod(ir::Type type, Id x, Id y);
  // compare.cpp
  Id overflows(ir::CompareOp op, ir::Type type, Id x, Id y);
  Id product_overflows(ir::Type type, Id x, Id y);
  // cast.cpp
  Id widened(Id x, bool is_signed);
  Id nearest_integer(ir::Type from, ir::Type to, Id x);

  /// The type that holds values of this type: F32 for F16, I32 for I8, and so on.
  static ir::Type holder(ir::Type type);
  /// Makes an integer of the type's width of the result of a wider operation.
  Id canonical(ir::Type type, Id x);
  /// Rounds the result of an operation on f16 that was computed in f32.
  Id rounded(ir::Type type, Id x);
  Id own_bits(ir::Type type, Id x);
  Id is_nan(ir::Type type, Id x);
  Id exact(spv::Op op, ir::Type type, std::initializer_list<uint32_t> operands);
  Id inexact(spv::Op op, ir::Type type, std::initializer_list<uint32_t> operands);
  Id mathematical(mathematics::Function function, ir::Type type, std::initializer_list<Id> arguments);
  Id call(Id function, ir::Type result, std::initializer_list<Id> arguments);

  Shared& shared_;
  Module& module_;
  Code& code_;
  Mode mode_;
};

}  // namespace qd::codegen::spirv
