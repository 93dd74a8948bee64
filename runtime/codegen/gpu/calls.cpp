// Routines (functions that are called at run time, not inlined), and calls of them.
#include <array>

#include "runtime/codegen/gpu/emitter.h"

namespace qd::codegen::gpu {

using llvm::Value;

namespace {

RoutineFunctions declared(const ir::Kernel& kernel, llvm::Module& llvm_module) {
  llvm::LLVMContext& llvm_context = llvm_module.getContext();
  llvm::Type* launch = llvm::PointerType::get(llvm_context, kDeviceMemory);
  llvm::Type* state = llvm::PointerType::get(llvm_context, llvm_module.getDataLayout().getAllocaAddrSpace());
  return declare_routines(kernel, llvm_module, std::array{launch, state}, nullptr);
}

}  // namespace

Shared::Shared(const ir::Kernel& kernel, const Options& options, const Hardware& hardware, llvm::Module& llvm_module)
    : kernel(kernel),
      options(options),
      hardware(hardware),
      llvm_module(llvm_module),
      routines(declared(kernel, llvm_module)) {}

void Emitter::emit_call(ir::InstId id, const ir::Inst& inst) {
  if (!is_routine_) b_.CreateAlignedStore(iteration(), state_word(kIteration), llvm::Align(8));
  call(id, shared_.routines.functions[inst.aux], {launch_, state_}, nullptr);
}

void Emitter::emit_routine(uint32_t index) {
  const ir::Routine& routine = kernel_.routines[index];
  state_ = argument(1);
  begin_routine(routine, nullptr);
  emit_block(routine.body);
  branch(exit_);
  b_.SetInsertPoint(exit_);
  end_routine();
}

}  // namespace qd::codegen::gpu
