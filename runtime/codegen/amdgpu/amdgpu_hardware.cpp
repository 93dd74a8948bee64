#include "runtime/codegen/amdgpu/amdgpu_hardware.h"

#include <stdexcept>

#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>

namespace qd::codegen::amdgpu {

using gpu::Lanes;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

namespace {

constexpr const char* kTriple = "amdgcn-amd-amdhsa";
/// Code objects of version 4.
constexpr uint32_t kCodeObjectVersion = 400;

const llvm::Target& llvm_target() {
  static const bool initialised = [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    return true;
  }();
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(kTriple, error);
  if (!initialised || !target) throw std::runtime_error("LLVM has no code generator for AMD's GPUs: " + error);
  return *target;
}

const char* scope_name(ir::Scope scope) {
  switch (scope) {
    case ir::Scope::Subgroup: return "wavefront";
    case ir::Scope::Block: return "workgroup";
    case ir::Scope::Device: return "agent";
  }
  return "agent";
}

}  // namespace

bool knows(const std::string& processor) {
  const std::unique_ptr<llvm::MCSubtargetInfo> info(llvm_target().createMCSubtargetInfo(kTriple, "", ""));
  return processor.starts_with("gfx") && info->isCPUStringValid(processor);
}

Hardware::Hardware(std::string processor) : processor_(std::move(processor)) {
  // The last two digits are not of the version: gfx906 is of version 9, gfx1030 of version 10.
  subgroup_size_ = processor_.size() >= 7 ? 32 : 64;
}

std::unique_ptr<llvm::TargetMachine> Hardware::machine() const {
  const char* features = subgroup_size_ == 32 ? "+wavefrontsize32" : "";
  return std::unique_ptr<llvm::TargetMachine>(
      llvm_target().createTargetMachine(kTriple, processor_, features, llvm::TargetOptions(), llvm::Reloc::PIC_,
                                        std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

llvm::SyncScope::ID Hardware::atomic_scope(llvm::LLVMContext& llvm_context) const {
  return llvm_context.getOrInsertSyncScopeID("agent");
}

/// Allows atomic additions of floats by the hardware: memory of arrays is the device's own.
void Hardware::prepare(llvm::Function& function) const { function.addFnAttr("amdgpu-unsafe-fp-atomics", "true"); }

void Hardware::make_kernel(llvm::Function& function, uint32_t group_size) const {
  llvm::Module& llvm_module = *function.getParent();
  if (!llvm_module.getModuleFlag("amdhsa_code_object_version"))
    llvm_module.addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version", kCodeObjectVersion);
  function.setCallingConv(llvm::CallingConv::AMDGPU_KERNEL);
  const std::string size = std::to_string(group_size);
  function.addFnAttr("amdgpu-flat-work-group-size", size + "," + size);
  function.addFnAttr("uniform-work-group-size", "true");
  function.addFnAttr("amdgpu-implicitarg-num-bytes", "0");  // there are no arguments but ours
}

Value* Hardware::thread(Builder& b) const { return b.CreateIntrinsic(Intrinsic::amdgcn_workitem_id_x, {}, {}); }

Value* Hardware::group(Builder& b) const { return b.CreateIntrinsic(Intrinsic::amdgcn_workgroup_id_x, {}, {}); }

/// Ballot of the lanes that are here. They run in step, so the hardware knows them without a mask.
Value* Hardware::ballot(Builder& b, Lanes, Value* condition) const {
  Value* found = b.CreateIntrinsic(Intrinsic::amdgcn_ballot, {b.getIntNTy(subgroup_size_)}, {condition});
  return b.CreateZExt(found, b.getInt64Ty());
}

/// Shuffle by ds_bpermute, whose operand is an offset in bytes.
Value* Hardware::shuffle(Builder& b, Value*, Value* word, Value* lane) const {
  return b.CreateIntrinsic(Intrinsic::amdgcn_ds_bpermute, {}, {b.CreateShl(lane, 2), word});
}

void Hardware::barrier(Builder& b, Lanes, ir::Scope scope) const {
  const bool alone = scope == ir::Scope::Subgroup;
  const llvm::SyncScope::ID threads =
      b.getContext().getOrInsertSyncScopeID(scope_name(alone ? scope : ir::Scope::Block));
  b.CreateFence(llvm::AtomicOrdering::Release, threads);
  b.CreateIntrinsic(alone ? Intrinsic::amdgcn_wave_barrier : Intrinsic::amdgcn_s_barrier, {}, {});
  b.CreateFence(llvm::AtomicOrdering::Acquire, threads);
}

void Hardware::fence(Builder& b, ir::Scope scope) const {
  b.CreateFence(llvm::AtomicOrdering::AcquireRelease, b.getContext().getOrInsertSyncScopeID(scope_name(scope)));
}

void Hardware::fence_for_host(Builder& b) const {
  b.CreateFence(llvm::AtomicOrdering::AcquireRelease, llvm::SyncScope::System);
}

}  // namespace qd::codegen::amdgpu
