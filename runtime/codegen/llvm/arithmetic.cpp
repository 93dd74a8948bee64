// Unary and binary operations, comparisons and casts. Integers wrap; no operation traps or is undefined behaviour,
// whatever its operands.
#include "runtime/codegen/llvm/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <llvm/IR/Intrinsics.h>

namespace qd::codegen {

using ir::BinaryOp;
using ir::CompareOp;
using ir::Type;
using ir::UnaryOp;
using llvm::Value;
using llvm::Intrinsic::ID;
namespace Intrinsic = llvm::Intrinsic;

namespace {

/// The value as a constant; null when it is none.
const llvm::ConstantInt* known(Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  if (constant && constant->getType()->isVectorTy()) constant = constant->getSplatValue();
  return llvm::dyn_cast_or_null<llvm::ConstantInt>(constant);
}

}  // namespace

llvm::Type* Arithmetic::type(Type type) {
  switch (type) {
    case Type::Void: return b_.getVoidTy();
    case Type::F16: return b_.getHalfTy();
    case Type::F32: return b_.getFloatTy();
    case Type::F64: return b_.getDoubleTy();
    case Type::U1:
    case Type::I8:
    case Type::I16:
    case Type::I32:
    case Type::I64:
    case Type::U8:
    case Type::U16:
    case Type::U32:
    case Type::U64: return b_.getIntNTy(ir::bit_width(type));
  }
  return nullptr;
}

llvm::Type* Arithmetic::like(const Value* x, llvm::Type* number) {
  auto* vector = llvm::dyn_cast<llvm::VectorType>(x->getType());
  return vector ? llvm::VectorType::get(number, vector->getElementCount()) : number;
}

Value* Arithmetic::no(const Value* x) { return llvm::Constant::getNullValue(like(x, b_.getInt1Ty())); }

llvm::Type* Arithmetic::memory_type(Type type) { return type == Type::U1 ? b_.getInt8Ty() : this->type(type); }

llvm::Constant* Arithmetic::constant(Type type, uint64_t bits) {
  llvm::APInt value(64, bits);
  if (type == Type::F16)
    return llvm::ConstantFP::get(b_.getContext(), llvm::APFloat(llvm::APFloat::IEEEhalf(), value.trunc(16)));
  if (type == Type::F32)
    return llvm::ConstantFP::get(b_.getContext(), llvm::APFloat(llvm::APFloat::IEEEsingle(), value.trunc(32)));
  if (type == Type::F64)
    return llvm::ConstantFP::get(b_.getContext(), llvm::APFloat(llvm::APFloat::IEEEdouble(), value));
  return b_.getInt(value.trunc(ir::bit_width(type)));
}

Value* Arithmetic::to_memory(Type type, Value* value) {
  return type == Type::U1 ? b_.CreateZExt(value, like(value, b_.getInt8Ty())) : value;
}

Value* Arithmetic::from_memory(Type type, Value* value) {
  return type == Type::U1 ? b_.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType())) : value;
}

Value* Arithmetic::to_word(Type type, Value* value) {
  if (ir::is_float(type))
    return b_.CreateZExt(b_.CreateBitCast(value, b_.getIntNTy(ir::bit_width(type))), b_.getInt64Ty());
  return b_.CreateIntCast(value, b_.getInt64Ty(), ir::is_signed(type));
}

/// Calls a function of libm, or of vectors. It is declared pure, so that the vectoriser may replace it by one of
/// libmvec. libm has no functions of f16.
Value* Arithmetic::library(const char* name, Type type, std::initializer_list<Value*> arguments) {
  if (type == Type::F16) {
    Value* wide[2] = {};
    for (size_t i = 0; i < arguments.size(); ++i) wide[i] = widened(arguments.begin()[i]);
    return narrowed(arguments.size() == 1 ? library(name, Type::F32, {wide[0]})
                                          : library(name, Type::F32, {wide[0], wide[1]}));
  }
  std::string symbol = std::string(name) + (type == Type::F32 ? "f" : "");
  llvm::Type* t = like(*arguments.begin(), this->type(type));
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(t))
    symbol = vector_function(symbol, vector->getNumElements());
  std::vector<llvm::Type*> types(arguments.size(), t);
  llvm::Module* module = b_.GetInsertBlock()->getModule();
  llvm::FunctionCallee callee = module->getOrInsertFunction(symbol, llvm::FunctionType::get(t, types, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return b_.CreateCall(callee, llvm::ArrayRef<Value*>(arguments.begin(), arguments.size()));
}

std::string vector_function(std::string_view name, unsigned lanes) {
  return "qd." + std::string(name) + "." + std::to_string(lanes);
}

Value* Arithmetic::unary(UnaryOp op, Type operand_type, Type result_type, Value* x) {
  const bool is_float = ir::is_float(operand_type);
  auto intrinsic = [&](ID id) { return is_float ? b_.CreateUnaryIntrinsic(id, x) : x; };
  auto counted = [&](Value* count) { return b_.CreateIntCast(count, like(count, type(result_type)), false); };
  Value* zero = llvm::Constant::getNullValue(x->getType());
  switch (op) {
    case UnaryOp::Neg: return is_float ? b_.CreateFNeg(x) : b_.CreateNeg(x);
    case UnaryOp::BitNot: return b_.CreateNot(x);
    case UnaryOp::LogicalNot: return is_float ? b_.CreateFCmpOEQ(x, zero) : b_.CreateICmpEQ(x, zero);
    case UnaryOp::Abs:
      if (is_float) return b_.CreateUnaryIntrinsic(Intrinsic::fabs, x);
      return ir::is_signed(operand_type) ? b_.CreateBinaryIntrinsic(Intrinsic::abs, x, b_.getFalse()) : x;
    case UnaryOp::Sign: {
      Value* positive = compare(CompareOp::Gt, operand_type, x, zero);
      Value* negative = compare(CompareOp::Lt, operand_type, x, zero);
      if (!is_float) {
        Value* plus = b_.CreateZExtOrTrunc(positive, x->getType());
        return b_.CreateSub(plus, b_.CreateZExtOrTrunc(negative, x->getType()));
      }
      // Zeros and NaN are their own sign.
      Value* one = llvm::ConstantFP::get(x->getType(), 1.0);
      return b_.CreateSelect(positive, one, b_.CreateSelect(negative, b_.CreateFNeg(one), x));
    }
    case UnaryOp::Sqrt: return intrinsic(Intrinsic::sqrt);
    case UnaryOp::Rsqrt: return b_.CreateFDiv(llvm::ConstantFP::get(x->getType(), 1.0), intrinsic(Intrinsic::sqrt));
#define QD_FUNCTION(name, function, derivative) \
  case UnaryOp::name: return library(#function, operand_type, {x});
#include "runtime/ir/operators.def"
    case UnaryOp::Floor: return intrinsic(Intrinsic::floor);
    case UnaryOp::Ceil: return intrinsic(Intrinsic::ceil);
    case UnaryOp::Round: return intrinsic(Intrinsic::roundeven);
    case UnaryOp::IsNan: return is_float ? b_.CreateFCmpUNO(x, x) : no(x);
    case UnaryOp::IsInf:
      return is_float ? b_.CreateFCmpOEQ(b_.CreateUnaryIntrinsic(Intrinsic::fabs, x),
                                         llvm::ConstantFP::getInfinity(x->getType()))
                      : no(x);
    case UnaryOp::Popcnt: return counted(b_.CreateUnaryIntrinsic(Intrinsic::ctpop, x));
    case UnaryOp::Clz: return counted(b_.CreateBinaryIntrinsic(Intrinsic::ctlz, x, b_.getFalse()));
    case UnaryOp::Ffs: {
      Value* trailing = counted(b_.CreateBinaryIntrinsic(Intrinsic::cttz, x, b_.getFalse()));
      llvm::Type* result = like(x, type(result_type));
      Value* none = b_.CreateICmpEQ(x, zero);
      return b_.CreateSelect(none, llvm::ConstantInt::get(result, 0),
                             b_.CreateAdd(trailing, llvm::ConstantInt::get(result, 1)));
    }
  }
  return nullptr;
}

/// Quotient or remainder, towards zero or with Python's signs. A division by zero gives 0, as numpy's does.
Value* Arithmetic::integer_division(Type type, Value* x, Value* y, bool remainder, bool floor) {
  llvm::Type* t = x->getType();
  Value* zero = llvm::ConstantInt::get(t, 0);
  Value* one = llvm::ConstantInt::get(t, 1);
  Value* by_zero = b_.CreateICmpEQ(y, zero);
  if (type == Type::U1) return remainder ? no(x) : b_.CreateAnd(x, y);
  if (!ir::is_signed(type)) {
    Value* divisor = b_.CreateSelect(by_zero, one, y);
    if (remainder) return b_.CreateURem(x, divisor);
    return b_.CreateSelect(by_zero, zero, b_.CreateUDiv(x, divisor));
  }
  Value* minus_one = llvm::ConstantInt::getAllOnesValue(t);
  Value* smallest = llvm::ConstantInt::get(t, llvm::APInt::getSignedMinValue(ir::bit_width(type)));
  Value* negation = b_.CreateICmpEQ(y, minus_one);
  Value* overflow = b_.CreateAnd(negation, b_.CreateICmpEQ(x, smallest));
  Value* divisor = b_.CreateSelect(b_.CreateOr(by_zero, overflow), one, y);
  Value* rest = b_.CreateSRem(x, divisor);
  // When the signs differ and the division is not exact, the floor is one lower.
  Value* step = nullptr;
  if (floor) {
    Value* inexact = b_.CreateICmpNE(rest, zero);
    step = b_.CreateAnd(inexact, b_.CreateICmpSLT(b_.CreateXor(rest, divisor), zero));
  }
  if (remainder) return floor ? b_.CreateSelect(step, b_.CreateAdd(rest, divisor), rest) : rest;
  Value* quotient = b_.CreateSDiv(x, divisor);
  if (floor) quotient = b_.CreateSub(quotient, b_.CreateZExt(step, t));
  return b_.CreateSelect(by_zero, zero, quotient);
}

Value* Arithmetic::float_floor_division(Value* x, Value* y) {
  if (x->getType()->getScalarType()->isHalfTy())
    return narrowed(float_floor_division(widened(x), widened(y)));  // the quotient is not rounded to f16
  // With a reciprocal, 6 // 3 might come out just below 2.
  llvm::IRBuilder<>::FastMathFlagGuard guard(b_);
  b_.clearFastMathFlags();
  return b_.CreateUnaryIntrinsic(Intrinsic::floor, b_.CreateFDiv(x, y));
}

Value* Arithmetic::float_mod(Value* x, Value* y) {
  if (x->getType()->getScalarType()->isHalfTy()) return narrowed(float_mod(widened(x), widened(y)));
  if (fast_math_) return b_.CreateFSub(x, b_.CreateFMul(float_floor_division(x, y), y));
  Value* rest = b_.CreateFRem(x, y);
  Value* zero = llvm::Constant::getNullValue(x->getType());
  Value* rest_negative = b_.CreateFCmpOLT(rest, zero);
  Value* signs_differ = b_.CreateXor(rest_negative, b_.CreateFCmpOLT(y, zero));
  Value* step = b_.CreateAnd(b_.CreateFCmpUNE(rest, zero), signs_differ);
  return b_.CreateSelect(step, b_.CreateFAdd(rest, y), rest);
}

/// An integer power, by repeated squaring, in a function of its own. A negative exponent gives the integer part of the
/// result: 0, or 1 or -1 when the base is 1 or -1.
Value* Arithmetic::integer_power(Type type, Value* x, Value* y) {
  if (const auto* exponent = known(y); exponent && exponent->getValue().ule(64)) {
    uint64_t rest = exponent->getZExtValue();
    Value* result = llvm::ConstantInt::get(x->getType(), 1);
    for (Value* square = x; rest != 0; rest >>= 1, square = b_.CreateMul(square, square)) {
      if (rest & 1) result = b_.CreateMul(result, square);
    }
    return result;
  }
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType())) {
    Value* all = llvm::PoisonValue::get(vector);
    for (uint64_t lane = 0; lane < vector->getNumElements(); ++lane) {
      Value* power = integer_power(type, b_.CreateExtractElement(x, lane), b_.CreateExtractElement(y, lane));
      all = b_.CreateInsertElement(all, power, lane);
    }
    return all;
  }
  llvm::Module* module = b_.GetInsertBlock()->getModule();
  std::string name = "qd.power." + std::string(ir::name(type));
  llvm::Function* function = module->getFunction(name);
  if (!function) {
    llvm::Type* t = this->type(type);
    function = llvm::Function::Create(llvm::FunctionType::get(t, {t, t}, false), llvm::Function::InternalLinkage, name,
                                      module);
    auto* entry = llvm::BasicBlock::Create(b_.getContext(), "entry", function);
    auto* loop = llvm::BasicBlock::Create(b_.getContext(), "loop", function);
    auto* done = llvm::BasicBlock::Create(b_.getContext(), "done", function);
    llvm::IRBuilder<> b(entry);
    Value* base = function->getArg(0);
    Value* exponent = function->getArg(1);
    Value* one = llvm::ConstantInt::get(t, 1);
    Value* zero = llvm::ConstantInt::get(t, 0);
    Value* inverse = zero;
    Value* negative = b.getFalse();
    if (ir::is_signed(type)) {
      Value* minus_one = llvm::ConstantInt::getAllOnesValue(t);
      negative = b.CreateICmpSLT(exponent, zero);
      Value* odd = b.CreateTrunc(exponent, b.getInt1Ty());
      Value* sign = b.CreateSelect(odd, minus_one, one);
      Value* is_one = b.CreateICmpEQ(base, one);
      Value* is_minus_one = b.CreateICmpEQ(base, minus_one);
      inverse = b.CreateSelect(is_one, one, b.CreateSelect(is_minus_one, sign, zero));
    }
    b.CreateCondBr(negative, done, loop);
    b.SetInsertPoint(loop);
    auto* result = b.CreatePHI(t, 2);
    auto* square = b.CreatePHI(t, 2);
    auto* rest = b.CreatePHI(t, 2);
    Value* odd = b.CreateTrunc(rest, b.getInt1Ty());
    Value* next = b.CreateSelect(odd, b.CreateMul(result, square), result);
    Value* halved = type == Type::U1 ? zero : b.CreateLShr(rest, one);
    result->addIncoming(one, entry);
    result->addIncoming(next, loop);
    square->addIncoming(base, entry);
    square->addIncoming(b.CreateMul(square, square), loop);
    rest->addIncoming(exponent, entry);
    rest->addIncoming(halved, loop);
    b.CreateCondBr(b.CreateICmpEQ(halved, zero), done, loop);
    b.SetInsertPoint(done);
    auto* value = b.CreatePHI(t, 2);
    value->addIncoming(inverse, entry);
    value->addIncoming(next, loop);
    b.CreateRet(value);
  }
  return b_.CreateCall(function, {x, y});
}

/// Shift. A count of the width or more shifts everything out, as in Python on numbers of this width.
Value* Arithmetic::shift(BinaryOp op, Type type, Value* x, Value* y) {
  Value* zero = llvm::ConstantInt::get(x->getType(), 0);
  if (type == Type::U1) return b_.CreateAnd(x, b_.CreateNot(y));
  Value* width = llvm::ConstantInt::get(x->getType(), ir::bit_width(type));
  Value* last = llvm::ConstantInt::get(x->getType(), ir::bit_width(type) - 1);
  if (op == BinaryOp::Shr && ir::is_signed(type))
    return b_.CreateAShr(x, b_.CreateBinaryIntrinsic(Intrinsic::umin, y, last));
  Value* shifted = op == BinaryOp::Shl ? b_.CreateShl(x, y) : b_.CreateLShr(x, y);
  return b_.CreateSelect(b_.CreateICmpULT(y, width), shifted, zero);
}

Value* Arithmetic::binary(BinaryOp op, Type type, Value* x, Value* y) {
  const bool is_float = ir::is_float(type);
  switch (op) {
    case BinaryOp::Add: return is_float ? b_.CreateFAdd(x, y) : b_.CreateAdd(x, y);
    case BinaryOp::Sub: return is_float ? b_.CreateFSub(x, y) : b_.CreateSub(x, y);
    case BinaryOp::Mul: return is_float ? b_.CreateFMul(x, y) : b_.CreateMul(x, y);
    case BinaryOp::Div: return is_float ? b_.CreateFDiv(x, y) : integer_division(type, x, y, false, false);
    case BinaryOp::FloorDiv: return is_float ? float_floor_division(x, y) : integer_division(type, x, y, false, true);
    case BinaryOp::Mod: return is_float ? float_mod(x, y) : integer_division(type, x, y, true, true);
    case BinaryOp::RawDiv: return is_float ? b_.CreateFDiv(x, y) : integer_division(type, x, y, false, false);
    case BinaryOp::RawMod:
      if (type == Type::F16) return narrowed(b_.CreateFRem(widened(x), widened(y)));
      return is_float ? b_.CreateFRem(x, y) : integer_division(type, x, y, true, false);
    case BinaryOp::Pow:
      if (type == Type::F16) return narrowed(b_.CreateBinaryIntrinsic(Intrinsic::pow, widened(x), widened(y)));
      return is_float ? b_.CreateBinaryIntrinsic(Intrinsic::pow, x, y) : integer_power(type, x, y);
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::LogicalShr: return shift(op, type, x, y);
    case BinaryOp::BitAnd: return b_.CreateAnd(x, y);
    case BinaryOp::BitOr: return b_.CreateOr(x, y);
    case BinaryOp::BitXor: return b_.CreateXor(x, y);
    // Integers use a selection: LLVM's builder folds it when both are constants, and the optimiser turns it into a
    // minimum again.
    case BinaryOp::Min:
      return is_float ? float_extremum(Intrinsic::minnum, x, y)
                      : b_.CreateSelect(compare(CompareOp::Lt, type, x, y), x, y);
    case BinaryOp::Max:
      return is_float ? float_extremum(Intrinsic::maxnum, x, y)
                      : b_.CreateSelect(compare(CompareOp::Gt, type, x, y), x, y);
    case BinaryOp::Atan2: return library("atan2", type, {x, y});
  }
  return nullptr;
}

Value* Arithmetic::float_extremum(ID id, Value* x, Value* y) {
  if (!chooses_extrema_) return b_.CreateBinaryIntrinsic(id, x, y);
  Value* first = id == Intrinsic::minnum ? b_.CreateFCmpOLT(x, y) : b_.CreateFCmpOGT(x, y);
  return b_.CreateSelect(b_.CreateFCmpUNO(y, y), x, b_.CreateSelect(first, x, y));
}

Value* Arithmetic::compare(CompareOp op, Type operand_type, Value* x, Value* y) {
  if (op >= CompareOp::AddOverflows) {
    const bool is_signed = ir::is_signed(operand_type);
    ID id = is_signed ? Intrinsic::smul_with_overflow : Intrinsic::umul_with_overflow;
    if (op == CompareOp::AddOverflows) id = is_signed ? Intrinsic::sadd_with_overflow : Intrinsic::uadd_with_overflow;
    if (op == CompareOp::SubOverflows) id = is_signed ? Intrinsic::ssub_with_overflow : Intrinsic::usub_with_overflow;
    return b_.CreateExtractValue(b_.CreateBinaryIntrinsic(id, x, y), 1);
  }
  if (ir::is_float(operand_type)) {
    switch (op) {
      case CompareOp::Lt: return b_.CreateFCmpOLT(x, y);
      case CompareOp::Le: return b_.CreateFCmpOLE(x, y);
      case CompareOp::Gt: return b_.CreateFCmpOGT(x, y);
      case CompareOp::Ge: return b_.CreateFCmpOGE(x, y);
      case CompareOp::Eq: return b_.CreateFCmpOEQ(x, y);
      case CompareOp::Ne: return b_.CreateFCmpUNE(x, y);
      case CompareOp::AddOverflows:
      case CompareOp::SubOverflows:
      case CompareOp::MulOverflows: break;
    }
  }
  const bool is_signed = ir::is_signed(operand_type);
  switch (op) {
    case CompareOp::Lt: return is_signed ? b_.CreateICmpSLT(x, y) : b_.CreateICmpULT(x, y);
    case CompareOp::Le: return is_signed ? b_.CreateICmpSLE(x, y) : b_.CreateICmpULE(x, y);
    case CompareOp::Gt: return is_signed ? b_.CreateICmpSGT(x, y) : b_.CreateICmpUGT(x, y);
    case CompareOp::Ge: return is_signed ? b_.CreateICmpSGE(x, y) : b_.CreateICmpUGE(x, y);
    case CompareOp::Eq: return b_.CreateICmpEQ(x, y);
    case CompareOp::Ne: return b_.CreateICmpNE(x, y);
    case CompareOp::AddOverflows:
    case CompareOp::SubOverflows:
    case CompareOp::MulOverflows: break;
  }
  return nullptr;
}

Value* Arithmetic::fma(Value* a, Value* b, Value* c) {
  llvm::IRBuilder<>::FastMathFlagGuard guard(b_);
  b_.clearFastMathFlags();
  return b_.CreateIntrinsic(Intrinsic::fma, {a->getType()}, {a, b, c});
}

Value* Arithmetic::pick(Value* number, llvm::ArrayRef<Value*> choices) {
  llvm::Type* index = number->getType();
  llvm::Type* type = choices[0]->getType();
  Value* last = llvm::ConstantInt::get(index, choices.size() - 1);
  std::vector<llvm::Constant*> table;
  for (Value* choice : choices) {
    auto* constant = llvm::dyn_cast<llvm::Constant>(choice);
    if (constant && type->isVectorTy()) constant = constant->getSplatValue();
    if (constant) table.push_back(constant);
  }
  if (table.size() < choices.size()) {
    Value* result = choices.back();
    for (size_t i = choices.size() - 1; i-- > 0;)
      result = b_.CreateSelect(b_.CreateICmpEQ(number, llvm::ConstantInt::get(index, i)), choices[i], result);
    return result;
  }
  llvm::Type* element = type->getScalarType();
  auto* array = llvm::ArrayType::get(element, table.size());
  llvm::Constant* contents = llvm::ConstantArray::get(array, table);
  llvm::Module* module = b_.GetInsertBlock()->getModule();
  llvm::GlobalVariable* global = nullptr;
  for (llvm::GlobalVariable& other : module->globals()) {
    if (other.isConstant() && other.hasInitializer() && other.getInitializer() == contents) global = &other;
  }
  if (!global)
    global = new llvm::GlobalVariable(*module, array, true, llvm::GlobalValue::PrivateLinkage, contents, "qd.table",
                                      nullptr, llvm::GlobalValue::NotThreadLocal,
                                      module->getDataLayout().getDefaultGlobalsAddressSpace());
  Value* inside = b_.CreateBinaryIntrinsic(Intrinsic::umin, number, last);
  const llvm::Align align(std::max<uint64_t>(element->getPrimitiveSizeInBits() / 8, 1));
  Value* address = b_.CreateInBoundsGEP(element, global, b_.CreateZExt(inside, index->getWithNewBitWidth(64)));
  if (auto* vector = llvm::dyn_cast<llvm::VectorType>(type)) return b_.CreateMaskedGather(vector, address, align);
  return b_.CreateAlignedLoad(element, address, align);
}

/// Turns a double into an f32 that rounds to the same f16 as the double does. If the f32 is not exact, it is cut off
/// and its last bit is set, so that rounding it to f16 never meets a tie.
Value* Arithmetic::odd_single(Value* x) {
  llvm::IRBuilder<>::FastMathFlagGuard guard(b_);
  b_.clearFastMathFlags();
  Value* single = b_.CreateFPTrunc(x, like(x, b_.getFloatTy()));
  Value* back = b_.CreateFPExt(single, x->getType());
  Value* inexact = b_.CreateFCmpONE(back, x);  // NaN is as it should be
  Value* larger =
      b_.CreateFCmpOGT(b_.CreateUnaryIntrinsic(Intrinsic::fabs, back), b_.CreateUnaryIntrinsic(Intrinsic::fabs, x));
  llvm::Type* word = like(x, b_.getInt32Ty());
  Value* bits = b_.CreateBitCast(single, word);
  Value* odd = b_.CreateOr(b_.CreateSub(bits, b_.CreateZExt(larger, word)), llvm::ConstantInt::get(word, 1));
  return b_.CreateBitCast(b_.CreateSelect(inexact, odd, bits), single->getType());
}

Value* Arithmetic::cast(Type from, Type to, Value* x) {
  if (from == to) return x;
  llvm::Type* t = like(x, type(to));
  Value* zero = llvm::Constant::getNullValue(x->getType());
  if (to == Type::U1) return ir::is_float(from) ? b_.CreateFCmpUNE(x, zero) : b_.CreateICmpNE(x, zero);
  // Through f32, which processors can convert. Every integer that fits an f16 fits an f32.
  if (to == Type::F16) return narrowed(from == Type::F64 ? odd_single(x) : cast(from, Type::F32, x));
  if (from == Type::F16) return cast(Type::F32, to, widened(x));
  if (ir::is_float(from) && ir::is_float(to)) return b_.CreateFPCast(x, t);
  if (ir::is_float(to)) return ir::is_signed(from) ? b_.CreateSIToFP(x, t) : b_.CreateUIToFP(x, t);
  if (!ir::is_float(from)) return b_.CreateIntCast(x, t, ir::is_signed(from));
  return nearest_integer(from, to, x);
}

/// Converts a float to the nearest integer that the type can hold; NaN gives 0. So do LLVM's fptosi.sat and
/// fptoui.sat, but LLVM does not vectorise those.
Value* Arithmetic::nearest_integer(Type from, Type to, Value* x) {
  llvm::Type* t = like(x, type(to));
  const bool is_signed = ir::is_signed(to);
  const unsigned width = static_cast<unsigned>(ir::bit_width(to)), bits = is_signed ? width - 1 : width;
  const double end = std::ldexp(1.0, static_cast<int>(bits)), low = is_signed ? -end : 0.0;
  auto real = [&](double value) { return llvm::ConstantFP::get(x->getType(), value); };
  Value* zero = llvm::ConstantInt::get(t, 0);
  if (bits <= (from == Type::F64 ? 53 : 24)) {
    // Every such integer is exact in the float's type. The processor's own conversions give at least 32 bits.
    Value* y = b_.CreateSelect(b_.CreateFCmpOLT(x, real(end - 1)), x, real(end - 1));
    y = b_.CreateSelect(b_.CreateFCmpOGT(y, real(low)), y, real(low));
    Value* integer = width < 32  ? b_.CreateTrunc(b_.CreateFPToSI(y, like(y, b_.getInt32Ty())), t)
                     : is_signed ? b_.CreateFPToSI(y, t)
                                 : b_.CreateFPToUI(y, t);
    return b_.CreateSelect(b_.CreateFCmpORD(x, x), integer, zero);
  }
  Value* integer = is_signed ? b_.CreateFPToSI(x, t) : b_.CreateFPToUI(x, t);
  // When x is out of range, the result of the conversion is poison; then the select takes its other arm.
  integer = is_signed ? b_.CreateSelect(b_.CreateFCmpOLT(x, real(low)),
                                        llvm::ConstantInt::get(t, llvm::APInt::getSignedMinValue(width)), integer)
                      : b_.CreateSelect(b_.CreateFCmpOGT(x, real(low)), integer, zero);
  const llvm::APInt largest = is_signed ? llvm::APInt::getSignedMaxValue(width) : llvm::APInt::getMaxValue(width);
  integer = b_.CreateSelect(b_.CreateFCmpOGE(x, real(end)), llvm::ConstantInt::get(t, largest), integer);
  return is_signed ? b_.CreateSelect(b_.CreateFCmpORD(x, x), integer, zero) : integer;
}

}  // namespace qd::codegen
