// Atomic operations and random numbers.
#include <cmath>

#include "runtime/codegen/llvm/arithmetic.h"

namespace qd::codegen {

using ir::AtomicOp;
using ir::BinaryOp;
using ir::Type;
using llvm::AtomicOrdering;
using llvm::AtomicRMWInst;
using llvm::Value;

Value* Arithmetic::atomic_result(AtomicOp op, Type type, Value* old, Value* operand) {
  const auto binary_op = ir::binary_op(op);
  return binary_op ? binary(*binary_op, type, old, operand) : operand;
}

Value* Arithmetic::atomic_rmw(AtomicOp op, Type type, Value* pointer, Value* operand) {
  const bool is_float = ir::is_float(type);
  const bool is_signed = ir::is_signed(type);
  if (type == Type::U1 && op != AtomicOp::Exchange) {
    // On one bit, arithmetic is the same as a bitwise operation, which also works on the byte in memory.
    if (op == AtomicOp::Add || op == AtomicOp::Sub) op = AtomicOp::Xor;
    if (op == AtomicOp::Mul || op == AtomicOp::Min) op = AtomicOp::And;
    if (op == AtomicOp::Max) op = AtomicOp::Or;
  }
  if (op == AtomicOp::Sub && is_float) {
    // GPUs add floats atomically, and do not subtract them.
    op = AtomicOp::Add;
    operand = b_.CreateFNeg(operand);
  }
  AtomicRMWInst::BinOp operation = AtomicRMWInst::BAD_BINOP;
  switch (op) {
    case AtomicOp::Add: operation = is_float ? AtomicRMWInst::FAdd : AtomicRMWInst::Add; break;
    case AtomicOp::Sub: operation = AtomicRMWInst::Sub; break;
    case AtomicOp::Mul: break;
    case AtomicOp::Min:
      operation = is_float ? AtomicRMWInst::FMin : is_signed ? AtomicRMWInst::Min : AtomicRMWInst::UMin;
      break;
    case AtomicOp::Max:
      operation = is_float ? AtomicRMWInst::FMax : is_signed ? AtomicRMWInst::Max : AtomicRMWInst::UMax;
      break;
    case AtomicOp::And: operation = AtomicRMWInst::And; break;
    case AtomicOp::Or: operation = AtomicRMWInst::Or; break;
    case AtomicOp::Xor: operation = AtomicRMWInst::Xor; break;
    case AtomicOp::Exchange: operation = AtomicRMWInst::Xchg; break;
  }
  // Processors have no atomics on f16, and no 16-bit numbers in registers.
  if (operation != AtomicRMWInst::BAD_BINOP && (type != Type::F16 || op == AtomicOp::Exchange)) {
    Value* old =
        b_.CreateAtomicRMW(operation, pointer, to_memory(type, operand), llvm::MaybeAlign(ir::size_in_bytes(type)),
                           AtomicOrdering::Monotonic, atomic_scope_);
    return from_memory(type, old);
  }
  llvm::Function* function = b_.GetInsertBlock()->getParent();
  llvm::BasicBlock* before = b_.GetInsertBlock();
  auto* loop = llvm::BasicBlock::Create(b_.getContext(), "cas", function);
  auto* done = llvm::BasicBlock::Create(b_.getContext(), "cas.done", function);
  llvm::Align align(ir::size_in_bytes(type));
  llvm::Type* word = b_.getIntNTy(8 * ir::size_in_bytes(type));
  llvm::LoadInst* first = b_.CreateAlignedLoad(word, pointer, align);
  first->setAtomic(AtomicOrdering::Monotonic, atomic_scope_);
  b_.CreateBr(loop);
  b_.SetInsertPoint(loop);
  llvm::PHINode* seen = b_.CreatePHI(word, 2);
  Value* old = b_.CreateBitCast(seen, this->type(type));
  Value* desired = b_.CreateBitCast(atomic_result(op, type, old, operand), word);
  Value* result = b_.CreateAtomicCmpXchg(pointer, seen, desired, align, AtomicOrdering::Monotonic,
                                         AtomicOrdering::Monotonic, atomic_scope_);
  seen->addIncoming(first, before);
  seen->addIncoming(b_.CreateExtractValue(result, 0), loop);
  b_.CreateCondBr(b_.CreateExtractValue(result, 1), done, loop);
  b_.SetInsertPoint(done);
  return old;
}

Value* Arithmetic::atomic_cas(Type type, Value* pointer, Value* expected, Value* desired) {
  llvm::Type* word = b_.getIntNTy(8 * ir::size_in_bytes(type));
  auto to_bits = [&](Value* value) { return b_.CreateBitCast(to_memory(type, value), word); };
  Value* result =
      b_.CreateAtomicCmpXchg(pointer, to_bits(expected), to_bits(desired), llvm::MaybeAlign(ir::size_in_bytes(type)),
                             AtomicOrdering::Monotonic, AtomicOrdering::Monotonic, atomic_scope_);
  Value* old = b_.CreateBitCast(b_.CreateExtractValue(result, 0), memory_type(type));
  return from_memory(type, old);
}

Value* Arithmetic::random_bits(Value*& first, Value*& second) {
  // xoroshiro128+ of Blackman and Vigna, https://prng.di.unimi.it/xoroshiro128plus.c
  llvm::Type* words = first->getType();
  const auto count = [&](uint64_t n) { return llvm::ConstantInt::get(words, n); };
  const auto rotate = [&](Value* x, uint64_t n) {
    return b_.CreateIntrinsic(llvm::Intrinsic::fshl, {words}, {x, x, count(n)});
  };
  Value* bits = b_.CreateAdd(first, second);
  Value* both = b_.CreateXor(second, first);
  first = b_.CreateXor(b_.CreateXor(rotate(first, 24), both), b_.CreateShl(both, count(16)));
  second = rotate(both, 37);
  return bits;
}

Value* Arithmetic::random_number(Type type, Value* bits) {
  // The high bits are the better ones.
  const int width = type == Type::F64 ? 53 : type == Type::F32 ? 24 : type == Type::F16 ? 11 : ir::bit_width(type);
  Value* high = b_.CreateLShr(bits, llvm::ConstantInt::get(bits->getType(), static_cast<uint64_t>(64 - width)));
  if (!ir::is_float(type)) return b_.CreateTrunc(high, like(bits, this->type(type)));
  llvm::Type* real = like(bits, type == Type::F64 ? b_.getDoubleTy() : b_.getFloatTy());
  if (type != Type::F64) high = b_.CreateTrunc(high, like(bits, b_.getInt32Ty()));
  Value* number = b_.CreateFMul(b_.CreateUIToFP(high, real), llvm::ConstantFP::get(real, std::ldexp(1.0, -width)));
  return type == Type::F16 ? narrowed(number) : number;
}

Value* Arithmetic::random(Type type, Value* state) {
  llvm::Type* word = b_.getInt64Ty();
  Value* behind = b_.CreateConstInBoundsGEP1_64(word, state, 1);
  Value* first = b_.CreateAlignedLoad(word, state, llvm::Align(8));
  Value* second = b_.CreateAlignedLoad(word, behind, llvm::Align(8));
  Value* bits = random_bits(first, second);
  b_.CreateAlignedStore(first, state, llvm::Align(8));
  b_.CreateAlignedStore(second, behind, llvm::Align(8));
  return random_number(type, bits);
}

}  // namespace qd::codegen
