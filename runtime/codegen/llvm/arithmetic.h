// The scalar operations of the kernel IR as LLVM instructions.
#pragma once

#include <string>
#include <string_view>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "runtime/ir/kernel.h"
#include "runtime/ir/neutral.h"

namespace qd::codegen {

/// Name of the function of vectors that does for each number what a function of libm does: "qd.sinf.8".
std::string vector_function(std::string_view name, unsigned lanes);

/// Emits operations at the insertion point of `builder`. A U1 is an i1 in registers and a byte in memory. Operands may
/// be vectors, all of one length: then each number is computed as if it were alone. Those of atomics may not.
class Arithmetic {
 public:
  Arithmetic(llvm::IRBuilder<>& builder, bool fast_math) : b_(builder), fast_math_(fast_math) {}

  /// Sets the threads to which atomic operations are atomic; without a call: those of the whole system.
  void set_atomic_scope(llvm::SyncScope::ID scope) { atomic_scope_ = scope; }

  /// Makes minima and maxima of floats of comparisons, instead of LLVM's own operations. LLVM 19 crashes on those in
  /// max(max(x, y), pow(x, y)): it takes every operation of the same two operands for a minimum or a maximum
  /// (getInverseMinMaxIntrinsic). So code with powers needs it.
  void choose_extrema() { chooses_extrema_ = true; }

  llvm::Type* type(ir::Type type);
  /// The type of a number, or of a vector of as many as x has.
  static llvm::Type* like(const llvm::Value* x, llvm::Type* number);
  llvm::Type* memory_type(ir::Type type);
  llvm::Constant* constant(ir::Type type, uint64_t bits);
  /// The neutral element of an operation that has one.
  llvm::Constant* neutral(ir::AtomicOp op, ir::Type type) { return constant(type, ir::neutral(op, type).value()); }
  llvm::Value* to_memory(ir::Type type, llvm::Value* value);
  llvm::Value* from_memory(ir::Type type, llvm::Value* value);
  /// The value in 8 bytes, for the launcher: integers extended, floats as their own bits.
  llvm::Value* to_word(ir::Type type, llvm::Value* value);

  llvm::Value* unary(ir::UnaryOp op, ir::Type operand_type, ir::Type result_type, llvm::Value* x);
  llvm::Value* binary(ir::BinaryOp op, ir::Type type, llvm::Value* x, llvm::Value* y);
  llvm::Value* compare(ir::CompareOp op, ir::Type operand_type, llvm::Value* x, llvm::Value* y);
  /// a * b + c, rounded once whatever fast_math says.
  llvm::Value* fma(llvm::Value* a, llvm::Value* b, llvm::Value* c);
  /// The choice with this number; the last one if there is none. Constants come from a table in memory.
  llvm::Value* pick(llvm::Value* number, llvm::ArrayRef<llvm::Value*> choices);
  llvm::Value* cast(ir::Type from, ir::Type to, llvm::Value* x);
  /// The value that an atomic leaves in memory, when the memory held `old`.
  llvm::Value* atomic_result(ir::AtomicOp op, ir::Type type, llvm::Value* old, llvm::Value* operand);
  llvm::Value* atomic_rmw(ir::AtomicOp op, ir::Type type, llvm::Value* pointer, llvm::Value* operand);
  llvm::Value* atomic_cas(ir::Type type, llvm::Value* pointer, llvm::Value* expected, llvm::Value* desired);
  /// 64 random bits of a xoroshiro128+ state, which advances.
  llvm::Value* random_bits(llvm::Value*& first, llvm::Value*& second);
  /// A random number of the type, made of such bits.
  llvm::Value* random_number(ir::Type type, llvm::Value* bits);
  /// A random number of the state at `state`, which advances.
  llvm::Value* random(ir::Type type, llvm::Value* state);

 private:
  llvm::Value* widened(llvm::Value* half) { return b_.CreateFPExt(half, like(half, b_.getFloatTy())); }
  llvm::Value* narrowed(llvm::Value* single) { return b_.CreateFPTrunc(single, like(single, b_.getHalfTy())); }
  llvm::Value* no(const llvm::Value* x);  // false, or a vector of as many as x has
  llvm::Value* odd_single(llvm::Value* x);
  llvm::Value* nearest_integer(ir::Type from, ir::Type to, llvm::Value* x);
  llvm::Value* library(const char* name, ir::Type type, std::initializer_list<llvm::Value*> arguments);
  llvm::Value* integer_division(ir::Type type, llvm::Value* x, llvm::Value* y, bool remainder, bool floor);
  llvm::Value* float_extremum(llvm::Intrinsic::ID id, llvm::Value* x, llvm::Value* y);
  llvm::Value* float_floor_division(llvm::Value* x, llvm::Value* y);
  llvm::Value* float_mod(llvm::Value* x, llvm::Value* y);
  llvm::Value* integer_power(ir::Type type, llvm::Value* x, llvm::Value* y);
  llvm::Value* shift(ir::BinaryOp op, ir::Type type, llvm::Value* x, llvm::Value* y);

  llvm::IRBuilder<>& b_;
  bool fast_math_;
  bool chooses_extrema_ = false;
  llvm::SyncScope::ID atomic_scope_ = llvm::SyncScope::System;
};

}  // namespace qd::codegen
