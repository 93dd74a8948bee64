#include "runtime/codegen/gpu/gpu_module.h"

#include <map>
#include <optional>
#include <string>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "runtime/codegen/gpu/emitter.h"
#include "runtime/codegen/llvm/formula.h"
#include "runtime/mathematics/mathematics.h"
#include "runtime/mathematics/software.h"

namespace qd::codegen::gpu {
namespace {

using mathematics::Function;

/// Functions by their names in libm, of f32 and f64. Of LLVM's intrinsics only the power is emitted.
const std::map<std::string, Function, std::less<>>& functions() {
  static const std::map<std::string, Function, std::less<>> all = [] {
    std::map<std::string, Function, std::less<>> names;
    for (size_t i = 0; i < mathematics::kFunctions; ++i) {
      const auto function = static_cast<Function>(i);
      const std::string name(mathematics::name(function));
      names[name] = names[name + "f"] = function;
    }
    names["llvm.pow.f32"] = names["llvm.pow.f64"] = Function::Pow;
    return names;
  }();
  return all;
}

std::optional<Function> called(const llvm::Instruction& inst) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&inst);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->isDeclaration()) return std::nullopt;
  auto found = functions().find(std::string_view(callee->getName()));
  return found == functions().end() ? std::nullopt : std::optional(found->second);
}

llvm::Function* formula_function(llvm::Module& llvm_module, Function function, llvm::Type* number) {
  const ir::Type type = number->isFloatTy() ? ir::Type::F32 : ir::Type::F64;
  const std::string name = "qd." + std::string(mathematics::name(function)) + "." + std::string(ir::name(type));
  if (llvm::Function* known = llvm_module.getFunction(name)) return known;
  const std::vector<llvm::Type*> parameters(mathematics::arity(function), number);
  auto* made = llvm::Function::Create(llvm::FunctionType::get(number, parameters, false),
                                      llvm::Function::InternalLinkage, name, llvm_module);
  made->setDoesNotThrow();
  emit_formula(mathematics::formula(function, type), *made);
  return made;
}

/// Function of the remainder of floats. It has a loop, so it is emitted as a routine of a kernel of its own.
llvm::Function* remainder_function(llvm::Module& llvm_module, const Hardware& hardware, llvm::Type* number) {
  const ir::Type type = number->isFloatTy() ? ir::Type::F32 : ir::Type::F64;
  const std::string name = "qd.remainder." + std::string(ir::name(type));
  if (llvm::Function* known = llvm_module.getFunction(name)) return known;
  const ir::Kernel kernel = software::formula(software::Function::Remainder, type);
  const Options options;
  Shared shared(kernel, options, hardware, llvm_module);
  Emitter(shared, shared.routines.functions[0]).emit_routine(0);
  shared.routines.functions[0]->setName(name);
  return shared.routines.functions[0];
}

}  // namespace

void link_library(llvm::Module& llvm_module, const Hardware& hardware) {
  std::vector<std::pair<llvm::Instruction*, std::optional<Function>>> all;
  for (llvm::Function& function : llvm_module) {
    for (llvm::Instruction& inst : llvm::instructions(function)) {
      const std::optional<Function> function_called = called(inst);
      if (function_called || inst.getOpcode() == llvm::Instruction::FRem) all.emplace_back(&inst, function_called);
    }
  }
  for (auto [inst, function] : all) {
    llvm::IRBuilder<> b(inst);
    llvm::Value* result = nullptr;
    if (function) {
      std::vector<llvm::Value*> arguments;
      for (llvm::Value* argument : llvm::cast<llvm::CallInst>(inst)->args()) arguments.push_back(argument);
      result = b.CreateCall(formula_function(llvm_module, *function, inst->getType()), arguments);
    } else {
      llvm::Function* remainder = remainder_function(llvm_module, hardware, inst->getType());
      // It uses neither a launch nor a thread's state.
      auto none = [&](unsigned i) { return llvm::Constant::getNullValue(remainder->getArg(i)->getType()); };
      result = b.CreateExtractValue(
          b.CreateCall(remainder, {none(0), none(1), inst->getOperand(0), inst->getOperand(1)}), 0);
    }
    inst->replaceAllUsesWith(result);
    inst->eraseFromParent();
  }
}

}  // namespace qd::codegen::gpu
