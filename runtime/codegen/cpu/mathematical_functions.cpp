#include "runtime/codegen/cpu/mathematical_functions.h"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "runtime/codegen/llvm/arithmetic.h"
#include "runtime/codegen/llvm/formula.h"
#include "runtime/mathematics/mathematics.h"

namespace qd::codegen {
namespace {

using mathematics::Function;

std::string library_name(Function function, bool single) {
  return std::string(mathematics::name(function)) + (single ? "f" : "");
}

struct Names {
  std::deque<std::string> texts;  // names to which the descriptions point
  std::vector<llvm::VecDesc> descriptions;
  std::map<std::string, Function, std::less<>> functions;  // by the name in libm or of the vectors' function
};

const Names& names() {
  static const Names all = [] {
    Names out;
    auto keep = [&](std::string text) -> const std::string& { return out.texts.emplace_back(std::move(text)); };
    for (size_t i = 0; i < mathematics::kFunctions; ++i) {
      const auto function = static_cast<Function>(i);
      for (bool single : {true, false}) {
        const std::string& scalar = keep(library_name(function, single));
        const std::string& intrinsic =
            keep("llvm." + std::string(mathematics::name(function)) + (single ? ".f32" : ".f64"));
        out.functions[scalar] = function;
        for (unsigned lanes : {2U, 4U, 8U, 16U}) {
          const std::string& vector = keep(vector_function(scalar, lanes));
          const std::string& abi =
              keep("_ZGV_LLVM_N" + std::to_string(lanes) + (mathematics::arity(function) == 2 ? "vv" : "v"));
          out.functions[vector] = function;
          for (const std::string* name : {&scalar, &intrinsic})
            out.descriptions.emplace_back(*name, vector, llvm::ElementCount::getFixed(lanes), false, abi);
        }
      }
    }
    return out;
  }();
  return all;
}

std::optional<Function> of_intrinsic(llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::sin: return Function::Sin;
    case llvm::Intrinsic::cos: return Function::Cos;
    case llvm::Intrinsic::tan: return Function::Tan;
    case llvm::Intrinsic::asin: return Function::Asin;
    case llvm::Intrinsic::acos: return Function::Acos;
    case llvm::Intrinsic::atan: return Function::Atan;
    case llvm::Intrinsic::sinh: return Function::Sinh;
    case llvm::Intrinsic::cosh: return Function::Cosh;
    case llvm::Intrinsic::tanh: return Function::Tanh;
    case llvm::Intrinsic::exp: return Function::Exp;
    case llvm::Intrinsic::exp2: return Function::Exp2;
    case llvm::Intrinsic::log: return Function::Log;
    case llvm::Intrinsic::pow: return Function::Pow;
    default: return std::nullopt;
  }
}

/// The function that an instruction calls, if there is a formula for it.
std::optional<Function> called(const llvm::Instruction& inst) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&inst);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->isDeclaration()) return std::nullopt;
  llvm::Type* number = call->getType()->getScalarType();
  if (!number->isFloatTy() && !number->isDoubleTy()) return std::nullopt;
  if (callee->isIntrinsic()) return of_intrinsic(callee->getIntrinsicID());
  auto found = names().functions.find(std::string_view(callee->getName()));
  return found == names().functions.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

bool calls_mathematical_function(const llvm::Instruction& inst) { return called(inst).has_value(); }

void add_vector_functions(llvm::TargetLibraryInfoImpl& library) {
  library.addVectorizableFunctions(names().descriptions);
}

namespace {

unsigned lanes_of(const llvm::Value& value) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value.getType());
  return vector ? vector->getNumElements() : 1;
}

/// A number or a shorter vector in all lanes of a longer one, over and over.
llvm::Value* repeated(llvm::IRBuilder<>& b, llvm::Value* value, unsigned lanes) {
  const unsigned given = lanes_of(*value);
  if (given == lanes) return value;
  if (given == 1) return b.CreateVectorSplat(lanes, value);
  std::vector<int> order(lanes);
  for (unsigned i = 0; i < lanes; ++i) order[i] = static_cast<int>(i % given);
  return b.CreateShuffleVector(value, order);
}

/// The first lanes of a vector, or its first number.
llvm::Value* first_of(llvm::IRBuilder<>& b, llvm::Value* vector, unsigned lanes) {
  if (lanes_of(*vector) == lanes) return vector;
  if (lanes == 1) return b.CreateExtractElement(vector, uint64_t{0});
  std::vector<int> order(lanes);
  for (unsigned i = 0; i < lanes; ++i) order[i] = static_cast<int>(i);
  return b.CreateShuffleVector(vector, order);
}

/// Picks from a table of eight f64 by one instruction for eight lanes, if AVX-512 is there: the table fits a register.
/// A gather takes more than ten times as long.
void pick_from_registers(llvm::Function& function) {
  std::vector<llvm::IntrinsicInst*> gathers;
  for (llvm::Instruction& inst : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&inst);
    if (call && call->getIntrinsicID() == llvm::Intrinsic::masked_gather) gathers.push_back(call);
  }
  for (llvm::IntrinsicInst* gather : gathers) {
    auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(gather->getArgOperand(0));
    auto* table = address ? llvm::dyn_cast<llvm::GlobalVariable>(address->getPointerOperand()) : nullptr;
    auto* contents = table ? llvm::dyn_cast<llvm::ConstantDataArray>(table->getInitializer()) : nullptr;
    if (!contents || contents->getNumElements() != 8 || !contents->getElementType()->isDoubleTy() ||
        lanes_of(*gather) != 8)
      continue;
    llvm::IRBuilder<> b(gather);
    std::vector<llvm::Constant*> elements;
    for (unsigned i = 0; i < 8; ++i) elements.push_back(contents->getElementAsConstant(i));
    gather->replaceAllUsesWith(b.CreateIntrinsic(llvm::Intrinsic::x86_avx512_permvar_df_512, {},
                                                 {llvm::ConstantVector::get(elements), address->getOperand(1)}));
    gather->eraseFromParent();
    if (address->use_empty()) address->eraseFromParent();
    if (table->use_empty()) table->eraseFromParent();
  }
}

struct Called {
  Function function;
  ir::Type type;
  unsigned lanes = 1;  // of the longest vector
  std::vector<llvm::CallInst*> calls;
};

/// Registers for the integers of a formula: beside floats, for the formulas that go on from them with a float.
Integers integers_of(Function function) {
  const bool through = function == Function::Log || function == Function::Log1p || function == Function::Pow;
  return through ? Integers::BesideFloats : Integers::Apart;
}

/// A function of the module that computes the formula, under the same assumptions as the kernel's functions.
llvm::Function* define(const std::string& name, const Called& called, llvm::Module& llvm_module) {
  llvm::Type* type = called.calls.front()->getType()->getScalarType();
  if (called.lanes > 1) type = llvm::FixedVectorType::get(type, called.lanes);
  const std::vector<llvm::Type*> parameters(mathematics::arity(called.function), type);
  auto* function = llvm::Function::Create(llvm::FunctionType::get(type, parameters, false),
                                          llvm::Function::InternalLinkage, name + ".formula", llvm_module);
  const llvm::Function& caller = *called.calls.front()->getFunction();
  function->setAttributes(llvm::AttributeList::get(llvm_module.getContext(), caller.getAttributes().getFnAttrs(),
                                                   llvm::AttributeSet(), {}));
  emit_formula(mathematics::formula(called.function, called.type, called.lanes == 1), *function,
               integers_of(called.function));
  if (function->getFnAttribute("target-features").getValueAsString().contains("+avx512f"))
    pick_from_registers(*function);
  return function;
}

}  // namespace

llvm::PreservedAnalyses MathematicalFunctions::run(llvm::Module& llvm_module, llvm::ModuleAnalysisManager&) {
  std::map<std::string, Called> all;  // in an order that does not depend on addresses
  for (llvm::Function& function : llvm_module) {
    for (llvm::Instruction& inst : llvm::instructions(function)) {
      const std::optional<Function> found = called(inst);
      if (!found) continue;
      const bool single = inst.getType()->getScalarType()->isFloatTy();
      Called& entry =
          all.try_emplace(library_name(*found, single), Called{*found, single ? ir::Type::F32 : ir::Type::F64, 1, {}})
              .first->second;
      entry.lanes = std::max(entry.lanes, lanes_of(inst));
      entry.calls.push_back(llvm::cast<llvm::CallInst>(&inst));
    }
  }
  for (auto& [name, entry] : all) {
    llvm::Function* function = define(name, entry, llvm_module);
    llvm::CallInst* direct = nullptr;
    for (llvm::CallInst* call : entry.calls) {
      llvm::IRBuilder<> b(call);
      llvm::SmallVector<llvm::Value*, 2> arguments;
      for (llvm::Value* argument : call->args()) arguments.push_back(repeated(b, argument, entry.lanes));
      direct = b.CreateCall(function, arguments);
      call->replaceAllUsesWith(first_of(b, direct, lanes_of(*call)));
      call->eraseFromParent();
    }
    llvm::InlineFunctionInfo info;
    if (entry.calls.size() == 1 && llvm::InlineFunction(*direct, info).isSuccess()) function->eraseFromParent();
  }
  return all.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses ScalarFunctions::run(llvm::Module& llvm_module, llvm::ModuleAnalysisManager&) {
  bool changed = false;
  for (llvm::Function& function : llvm_module) {
    for (llvm::Instruction& inst : llvm::make_early_inc_range(llvm::instructions(function))) {
      const std::optional<Function> found = called(inst);
      auto* type = llvm::dyn_cast<llvm::FixedVectorType>(inst.getType());
      auto* call = llvm::dyn_cast<llvm::CallInst>(&inst);
      if (!found || !type || call->getCalledFunction()->isIntrinsic()) continue;
      llvm::Type* number = type->getElementType();
      const std::vector<llvm::Type*> parameters(call->arg_size(), number);
      const llvm::FunctionCallee scalar = llvm_module.getOrInsertFunction(
          library_name(*found, number->isFloatTy()), llvm::FunctionType::get(number, parameters, false),
          call->getCalledFunction()->getAttributes());
      llvm::IRBuilder<> b(call);
      llvm::Value* results = llvm::PoisonValue::get(type);
      for (uint64_t lane = 0; lane < type->getNumElements(); ++lane) {
        llvm::SmallVector<llvm::Value*, 2> arguments;
        for (llvm::Value* argument : call->args()) arguments.push_back(b.CreateExtractElement(argument, lane));
        results = b.CreateInsertElement(results, b.CreateCall(scalar, arguments), lane);
      }
      call->replaceAllUsesWith(results);
      call->eraseFromParent();
      changed = true;
    }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses UnrollLess::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto calls = [](llvm::BasicBlock* block) { return llvm::any_of(*block, called); };
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (llvm::any_of(loop->blocks(), calls)) llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.runtime.disable", 1);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace qd::codegen
