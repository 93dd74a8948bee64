// AMD's GPUs in LLVM's AMDGPU back end: properties and intrinsics.
#pragma once

#include <string>

#include "runtime/codegen/gpu/hardware.h"

namespace qd::codegen::amdgpu {

/// Whether LLVM has such a processor.
bool knows(const std::string& processor);

class Hardware final : public gpu::Hardware {
 public:
  explicit Hardware(std::string processor);

  /// Threads of a subgroup: 64 up to gfx9; 32 from gfx10 on, with which LLVM's code is faster there.
  uint32_t subgroup_size() const override { return subgroup_size_; }
  uint32_t stack_bytes() const override { return 0; }
  std::unique_ptr<llvm::TargetMachine> machine() const override;
  llvm::SyncScope::ID atomic_scope(llvm::LLVMContext& llvm_context) const override;
  void prepare(llvm::Function& function) const override;
  void make_kernel(llvm::Function& function, uint32_t group_size) const override;

  llvm::Value* thread(Builder& b) const override;
  llvm::Value* group(Builder& b) const override;
  llvm::Value* ballot(Builder& b, gpu::Lanes lanes, llvm::Value* condition) const override;
  llvm::Value* shuffle(Builder& b, llvm::Value* here, llvm::Value* word, llvm::Value* lane) const override;
  bool knows_lanes() const override { return true; }
  void barrier(Builder& b, gpu::Lanes lanes, ir::Scope scope) const override;
  void fence(Builder& b, ir::Scope scope) const override;
  void fence_for_host(Builder& b) const override;

 private:
  std::string processor_;
  uint32_t subgroup_size_;
};

}  // namespace qd::codegen::amdgpu
