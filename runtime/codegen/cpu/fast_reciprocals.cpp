// Divisions by powers of a root, in fast-math code: the processor's approximation, made exact to some 2 ulp
// by a step of Newton's method.
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/Transforms/Utils/Local.h>

#include "runtime/codegen/cpu/passes.h"

namespace qd::codegen {
namespace {

using llvm::Instruction;
using llvm::Value;

bool is_product(const Value& value) {
  const auto* inst = llvm::dyn_cast<Instruction>(&value);
  return inst && inst->getOpcode() == Instruction::FMul && inst->hasAllowReassoc();
}

bool is_fast_division(const Instruction& inst) {
  return inst.getOpcode() == Instruction::FDiv && inst.hasAllowReciprocal() && inst.hasApproxFunc();
}

/// The approximation of 1 / sqrt(x) for a type; nothing where there is none.
std::optional<llvm::Intrinsic::ID> approximation(llvm::Type* type) {
  if (type->isFloatTy()) return llvm::Intrinsic::x86_avx512_rsqrt14_ps_128;
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector || !vector->getElementType()->isFloatTy()) return std::nullopt;
  switch (vector->getNumElements()) {
    case 4: return llvm::Intrinsic::x86_avx512_rsqrt14_ps_128;
    case 8: return llvm::Intrinsic::x86_avx512_rsqrt14_ps_256;
    case 16: return llvm::Intrinsic::x86_avx512_rsqrt14_ps_512;
    default: return std::nullopt;
  }
}

/// Whether a value serves as a divisor alone, or as a factor of divisors.
bool only_divides(const Value& value) {
  for (const llvm::User* user : value.users()) {
    const auto& inst = *llvm::cast<Instruction>(user);
    const bool divides = is_fast_division(inst) && inst.getOperand(1) == &value && inst.getOperand(0) != &value;
    if (!divides && !(is_product(inst) && only_divides(inst))) return false;
  }
  return true;
}

/// A power of a root: sqrt(x) to this exponent.
struct Power {
  Value* x;
  unsigned exponent;
};

std::optional<Power> power_of_root(Value* value) {
  if (const auto* root = llvm::dyn_cast<llvm::IntrinsicInst>(value)) {
    if (root->getIntrinsicID() != llvm::Intrinsic::sqrt || !root->hasApproxFunc() || !only_divides(*root))
      return std::nullopt;
    return Power{root->getArgOperand(0), 1};
  }
  if (!is_product(*value)) return std::nullopt;
  const auto* product = llvm::cast<Instruction>(value);
  Value *one = product->getOperand(0), *other = product->getOperand(1);
  std::optional<Power> power = power_of_root(one), more = power_of_root(other);
  if (!power) std::swap(power, more), std::swap(one, other);
  if (!power) return std::nullopt;
  if (more && more->x == power->x) return Power{power->x, power->exponent + more->exponent};
  return other == power->x ? std::optional(Power{power->x, power->exponent + 2}) : std::nullopt;
}

/// 1 / sqrt(x). That of 0, of infinity and of NaN are the processor's own: there the step would compute 0 * infinity.
Value* reciprocal_root(llvm::IRBuilder<>& b, Value* x) {
  llvm::Type* type = x->getType();
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  const unsigned lanes = vector ? vector->getNumElements() : 4;
  const auto number = [&](double n) { return llvm::ConstantFP::get(type, n); };
  const auto fma = [&](Value* f, Value* g, Value* h) {
    return b.CreateIntrinsic(llvm::Intrinsic::fma, {type}, {f, g, h});
  };
  llvm::Constant* zeros = llvm::Constant::getNullValue(llvm::FixedVectorType::get(b.getFloatTy(), lanes));
  llvm::Constant* all = llvm::Constant::getAllOnesValue(b.getIntNTy(std::max(lanes, 8U)));
  Value* numbers = vector ? x : b.CreateInsertElement(zeros, x, uint64_t{0});
  Value* guess = b.CreateIntrinsic(*approximation(type), {}, {numbers, zeros, all});
  if (!vector) guess = b.CreateExtractElement(guess, uint64_t{0});
  Value* error = fma(b.CreateFNeg(b.CreateFMul(x, guess)), guess, number(1.0));
  Value* better = fma(b.CreateFMul(guess, number(0.5)), error, guess);
  return b.CreateSelect(b.CreateFCmpORD(error, error), better, guess);
}

Value* to_power(llvm::IRBuilder<>& b, Value* x, unsigned exponent) {
  Value* result = x;
  for (unsigned i = 1; i < exponent; ++i) result = b.CreateFMul(result, x);
  return result;
}

}  // namespace

llvm::PreservedAnalyses FastReciprocals::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  std::vector<Instruction*> divisions;
  for (Instruction& inst : llvm::instructions(function)) {
    if (is_fast_division(inst) && approximation(inst.getType())) divisions.push_back(&inst);
  }
  bool changed = false;
  std::map<std::tuple<llvm::BasicBlock*, Value*, unsigned>, Value*> reciprocals;
  for (Instruction* division : divisions) {
    Value* divisor = division->getOperand(1);
    const std::optional<Power> power = power_of_root(divisor);
    if (!power) continue;
    llvm::IRBuilder<> b(division);
    const auto reciprocal = [&](unsigned exponent) -> Value*& {  // the block's first one is in front of the others
      return reciprocals[{division->getParent(), power->x, exponent}];
    };
    if (!reciprocal(1)) reciprocal(1) = reciprocal_root(b, power->x);
    if (!reciprocal(power->exponent)) reciprocal(power->exponent) = to_power(b, reciprocal(1), power->exponent);
    b.setFastMathFlags(division->getFastMathFlags());
    division->replaceAllUsesWith(b.CreateFMul(division->getOperand(0), reciprocal(power->exponent)));
    division->eraseFromParent();
    llvm::RecursivelyDeleteTriviallyDeadInstructions(divisor);
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace qd::codegen
