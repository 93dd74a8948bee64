#include "tests/simulated_driver/threads/host_hardware.h"

#include <stdexcept>
#include <vector>

#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>

#include "tests/simulated_driver/threads/checked_code.h"

namespace qd::simulated {

using codegen::gpu::Lanes;
using llvm::Value;

namespace {

/// Declares a function of the library. `same`: it always gives a thread the same.
llvm::FunctionCallee declare(llvm::Module& llvm_module, const char* name, llvm::Type* result,
                             const std::vector<llvm::Type*>& parameters, bool same) {
  llvm::FunctionCallee callee =
      llvm_module.getOrInsertFunction(name, llvm::FunctionType::get(result, parameters, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotThrow();
  if (!same) return function->setConvergent(), callee;
  function->setDoesNotAccessMemory();
  function->setWillReturn();
  return callee;
}

Value* call(codegen::gpu::Hardware::Builder& b, const char* name, llvm::Type* result,
            const std::vector<Value*>& arguments) {
  const std::vector<llvm::Type*> numbers(arguments.size(), b.getInt32Ty());
  llvm::CallInst* made =
      b.CreateCall(declare(*b.GetInsertBlock()->getModule(), name, result, numbers, arguments.empty()), arguments);
  if (!arguments.empty()) made->setConvergent();
  return made;
}

Value* all(codegen::gpu::Hardware::Builder& b, Lanes lanes) { return b.getInt32(lanes == Lanes::All); }

std::string features() {
  std::string text;
  for (const auto& [feature, present] : llvm::sys::getHostCPUFeatures())
    text += (text.empty() ? "" : ",") + std::string(present ? "+" : "-") + feature.str();
  return text;
}

bool is_used_in(const llvm::Function& function, const llvm::Use& use) {
  auto* inst = llvm::dyn_cast<llvm::Instruction>(use.getUser());
  return inst && inst->getFunction() == &function;
}

}  // namespace

const std::string& host_processor() {
  static const auto& name = *new std::string(llvm::sys::getHostCPUName().str() + " " + features());
  return name;
}

std::unique_ptr<llvm::TargetMachine> HostHardware::machine() const {
  static const bool initialised = !llvm::InitializeNativeTarget() && !llvm::InitializeNativeTargetAsmPrinter();
  const std::string triple = llvm::sys::getProcessTriple();
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!initialised || !target) throw std::runtime_error(error);
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, llvm::sys::getHostCPUName(), features(), llvm::TargetOptions(), llvm::Reloc::PIC_));
}

/// Shared variables are variables of the module so far, each of which one function uses. They become places in the
/// memory of the block.
void HostHardware::prepare(llvm::Function& function) const {
  // LLVM's approximations for this computer give NaN for 1 / sqrt(0), unlike a GPU's.
  function.addFnAttr("reciprocal-estimates", "none");
  llvm::Module& llvm_module = *function.getParent();
  const llvm::DataLayout& layout = llvm_module.getDataLayout();
  Value* memory = nullptr;
  uint64_t bytes = 0;
  for (llvm::GlobalVariable& shared : llvm_module.globals()) {
    if (shared.getAddressSpace() != codegen::gpu::kBlockMemory) continue;
    llvm::convertUsersOfConstantsToInstructions({&shared}, &function);
    auto in_function = [&](const llvm::Use& use) { return is_used_in(function, use); };
    if (llvm::none_of(shared.uses(), in_function)) continue;
    llvm::IRBuilder<> b(&*function.getEntryBlock().getFirstInsertionPt());
    if (memory) b.SetInsertPoint(llvm::cast<llvm::Instruction>(memory)->getNextNode());
    if (!memory) memory = call(b, "qd_simulated_block_memory", shared.getType(), {});
    shared.replaceUsesWithIf(b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), memory, bytes),
                             [&](llvm::Use& use) { return in_function(use); });
    bytes += llvm::alignTo(layout.getTypeAllocSize(shared.getValueType()), 8);
  }
  if (bytes > 0) block_bytes_[function.getName().str()] = bytes;
  if (checked_) check_accesses(function);
}

Value* HostHardware::thread(Builder& b) const { return call(b, "qd_simulated_thread", b.getInt32Ty(), {}); }

Value* HostHardware::group(Builder& b) const { return call(b, "qd_simulated_group", b.getInt32Ty(), {}); }

Value* HostHardware::ballot(Builder& b, Lanes lanes, Value* condition) const {
  if (subgroup_size_ == 1) return b.CreateZExt(condition, b.getInt64Ty());
  return call(b, "qd_simulated_ballot", b.getInt64Ty(), {all(b, lanes), b.CreateZExt(condition, b.getInt32Ty())});
}

Value* HostHardware::shuffle(Builder& b, Value* here, Value* word, Value* lane) const {
  if (subgroup_size_ == 1) return word;
  return call(b, "qd_simulated_shuffle", b.getInt32Ty(), {all(b, here ? Lanes::Some : Lanes::All), word, lane});
}

void HostHardware::barrier(Builder& b, Lanes lanes, ir::Scope scope) const {
  call(b, "qd_simulated_barrier", b.getVoidTy(), {all(b, lanes), b.getInt32(scope != ir::Scope::Subgroup)});
}

/// Threads take turns, so that there is nothing else to do.
void HostHardware::fence(Builder& b, ir::Scope scope) const {
  if (checked_) tell_fence(b, scope);
}

void HostHardware::inst_begins(Builder& b, const ir::Kernel& kernel, const ir::Inst* inst) const {
  if (checked_) tell_line(b, kernel, inst);
}

}  // namespace qd::simulated
