#include "runtime/codegen/gpu/compile.h"

#include "runtime/abi/condition_arguments.h"
#include "runtime/codegen/compile_guard.h"
#include "runtime/codegen/gpu/gpu_module.h"

namespace qd::codegen::gpu {
namespace {

constexpr const char* kName = "qd_set_condition";
constexpr const char* kDriverFunction = "cudaGraphSetConditional";

void emit(llvm::Function& function) {
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(function.getContext(), "", &function));
  llvm::Value *launch = function.getArg(0), *handle = function.getArg(1), *when = function.getArg(4);
  auto load = [&](unsigned offset) {
    return b.CreateLoad(b.getInt32Ty(), b.CreateGEP(b.getInt8Ty(), launch, function.getArg(offset)));
  };
  auto is = [&](RunsWhen wanted) { return b.CreateICmpEQ(when, b.getInt32(static_cast<uint32_t>(wanted))); };
  llvm::Value* zero = b.CreateIsNull(load(2));
  llvm::Value* failed = b.CreateIsNotNull(load(3));
  llvm::Value* runs = b.CreateSelect(is(RunsWhen::Always), b.getTrue(), b.CreateICmpEQ(zero, is(RunsWhen::Zero)));
  llvm::Value* value = b.CreateZExt(b.CreateAnd(runs, b.CreateNot(failed)), b.getInt32Ty());
  llvm::FunctionCallee set = function.getParent()->getOrInsertFunction(
      kDriverFunction, llvm::FunctionType::get(b.getVoidTy(), {b.getInt64Ty(), b.getInt32Ty()}, false));
  llvm::cast<llvm::Function>(set.getCallee())->setDoesNotThrow();
  b.CreateCall(set, {handle, value});
  b.CreateRetVoid();
}

}  // namespace

Binary condition_setter(const Hardware& hardware, llvm::CodeGenFileType kind) {
  const CompileGuard not_over;
  GpuModule module(kName, hardware);
  emit(*module.declare_kernel(kName, 1));
  return module.code(kind, false);
}

}  // namespace qd::codegen::gpu
