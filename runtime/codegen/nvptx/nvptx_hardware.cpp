#include "runtime/codegen/nvptx/nvptx_hardware.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>

#include "runtime/codegen/nvptx/fast_reciprocals.h"

namespace qd::codegen::nvptx {

using gpu::Lanes;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

namespace {

/// Version of PTX that has all we use, on all of these.
constexpr const char* kPtxVersion = "+ptx78";
constexpr std::array kComputeCapabilities{75, 80, 86, 87, 89, 90};

const llvm::Target& llvm_target(const std::string& triple) {
  static const bool initialised = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!initialised || !target) throw std::runtime_error("LLVM has no code generator for " + triple + ": " + error);
  return *target;
}

/// The threads that an operation of a warp waits for.
Value* mask(gpu::Hardware::Builder& b, Lanes lanes) {
  return lanes == Lanes::All ? b.getInt32(UINT32_MAX)
                             : static_cast<Value*>(b.CreateIntrinsic(Intrinsic::nvvm_activemask, {}, {}));
}

}  // namespace

std::string processor_name(int compute_capability) {
  int found = 0;
  for (int known : kComputeCapabilities) {
    if (known <= compute_capability) found = known;
  }
  if (found == 0) throw std::runtime_error("GPUs of compute capability 7.5 and later are supported, no older ones");
  return "sm_" + std::to_string(found);
}

std::unique_ptr<llvm::TargetMachine> Hardware::machine() const {
  const std::string triple = "nvptx64-nvidia-cuda";
  return std::unique_ptr<llvm::TargetMachine>(llvm_target(triple).createTargetMachine(
      triple, processor_name(device_.compute_capability), kPtxVersion, llvm::TargetOptions(), std::nullopt,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

/// Scope of atomic operations. LLVM's code is the same for all scopes, and means the device.
llvm::SyncScope::ID Hardware::atomic_scope(llvm::LLVMContext&) const { return llvm::SyncScope::System; }

void Hardware::make_kernel(llvm::Function& function, uint32_t group_size) const {
  llvm::LLVMContext& llvm_context = function.getContext();
  auto number = [&](uint32_t value) {
    return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(llvm_context), value));
  };
  llvm::NamedMDNode* annotations = function.getParent()->getOrInsertNamedMetadata("nvvm.annotations");
  auto annotate = [&](const char* what, uint32_t value) {
    llvm::Metadata* row[] = {llvm::ConstantAsMetadata::get(&function), llvm::MDString::get(llvm_context, what),
                             number(value)};
    annotations->addOperand(llvm::MDNode::get(llvm_context, row));
  };
  annotate("kernel", 1);
  annotate("reqntidx", group_size);
}

Value* Hardware::thread(Builder& b) const { return b.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {}); }

Value* Hardware::group(Builder& b) const { return b.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, {}, {}); }

Value* Hardware::ballot(Builder& b, Lanes lanes, Value* condition) const {
  Value* found = b.CreateIntrinsic(Intrinsic::nvvm_vote_ballot_sync, {}, {mask(b, lanes), condition});
  return b.CreateZExt(found, b.getInt64Ty());
}

Value* Hardware::shuffle(Builder& b, Value* here, Value* word, Value* lane) const {
  Value* threads = here ? b.CreateTrunc(here, b.getInt32Ty()) : mask(b, Lanes::All);
  // The last operand: lanes up to 31, of one segment of 32.
  return b.CreateIntrinsic(Intrinsic::nvvm_shfl_sync_idx_i32, {}, {threads, word, lane, b.getInt32(31)});
}

Value* Hardware::sum_of_lanes(Builder& b, Value* word) const {
  if (device_.compute_capability < 80) return nullptr;
  return b.CreateIntrinsic(Intrinsic::nvvm_redux_sync_add, {}, {word, mask(b, Lanes::All)});
}

void Hardware::barrier(Builder& b, Lanes lanes, ir::Scope scope) const {
  if (scope == ir::Scope::Subgroup) {
    b.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {}, {mask(b, lanes)});
  } else {
    b.CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
  }
}

void Hardware::fence(Builder& b, ir::Scope scope) const {
  const bool wide = scope == ir::Scope::Device;
  b.CreateIntrinsic(wide ? Intrinsic::nvvm_membar_gl : Intrinsic::nvvm_membar_cta, {}, {});
}

void Hardware::fence_for_host(Builder& b) const { b.CreateIntrinsic(Intrinsic::nvvm_membar_sys, {}, {}); }

void Hardware::choose_instructions(llvm::Module& llvm_module) const { use_fast_reciprocals(llvm_module); }

}  // namespace qd::codegen::nvptx
