// NVIDIA's GPUs in LLVM's NVPTX back end: properties and intrinsics.
#pragma once

#include <string>

#include "runtime/codegen/gpu/hardware.h"
#include "runtime/codegen/nvptx/nvptx_target.h"

namespace qd::codegen::nvptx {

/// The newest GPU of LLVM's list whose code runs on this compute capability: "sm_80" for 8.6.
std::string processor_name(int compute_capability);

class Hardware final : public gpu::Hardware {
 public:
  explicit Hardware(const NvptxDevice& device) : device_(device) {}

  uint32_t subgroup_size() const override { return 32; }
  uint32_t stack_bytes() const override { return device_.stack_bytes; }
  std::unique_ptr<llvm::TargetMachine> machine() const override;
  llvm::SyncScope::ID atomic_scope(llvm::LLVMContext& llvm_context) const override;
  void prepare(llvm::Function&) const override {}
  void make_kernel(llvm::Function& function, uint32_t group_size) const override;

  llvm::Value* thread(Builder& b) const override;
  llvm::Value* group(Builder& b) const override;
  llvm::Value* ballot(Builder& b, gpu::Lanes lanes, llvm::Value* condition) const override;
  llvm::Value* shuffle(Builder& b, llvm::Value* here, llvm::Value* word, llvm::Value* lane) const override;
  llvm::Value* sum_of_lanes(Builder& b, llvm::Value* word) const override;
  bool knows_lanes() const override { return false; }
  void barrier(Builder& b, gpu::Lanes lanes, ir::Scope scope) const override;
  void fence(Builder& b, ir::Scope scope) const override;
  void fence_for_host(Builder& b) const override;
  void choose_instructions(llvm::Module& llvm_module) const override;

 private:
  NvptxDevice device_;
};

}  // namespace qd::codegen::nvptx
