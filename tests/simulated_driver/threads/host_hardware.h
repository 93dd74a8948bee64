// This computer as the hardware of code for GPUs.
#pragma once

#include <map>
#include <string>

#include "runtime/codegen/gpu/hardware.h"

namespace qd::simulated {

/// Bytes of shared variables, by the name of a task's function.
using BlockBytes = std::map<std::string, uint64_t, std::less<>>;

/// The code calls functions_of_fibres() by their names, and finds shared variables in block_memory_of_fibre(). So it
/// holds no address, and no memory that it writes to.
class HostHardware final : public codegen::gpu::Hardware {
 public:
  /// In subgroups of one, threads do not meet, except at barriers of blocks. Stack_bytes is 0 where functions cannot
  /// call themselves, else kStackBytes at most.
  /// `checked`: the code also calls the functions of checked_code.h.
  HostHardware(uint32_t subgroup_size, uint32_t stack_bytes, BlockBytes& block_bytes, bool checked = false)
      : subgroup_size_(subgroup_size), stack_bytes_(stack_bytes), block_bytes_(block_bytes), checked_(checked) {}

  uint32_t subgroup_size() const override { return subgroup_size_; }
  uint32_t stack_bytes() const override { return stack_bytes_; }
  std::unique_ptr<llvm::TargetMachine> machine() const override;
  llvm::SyncScope::ID atomic_scope(llvm::LLVMContext&) const override { return llvm::SyncScope::System; }
  void prepare(llvm::Function& function) const override;
  void make_kernel(llvm::Function&, uint32_t) const override {}

  llvm::Value* thread(Builder& b) const override;
  llvm::Value* group(Builder& b) const override;
  llvm::Value* ballot(Builder& b, codegen::gpu::Lanes lanes, llvm::Value* condition) const override;
  llvm::Value* shuffle(Builder& b, llvm::Value* here, llvm::Value* word, llvm::Value* lane) const override;
  bool knows_lanes() const override { return true; }
  void barrier(Builder& b, codegen::gpu::Lanes lanes, ir::Scope scope) const override;
  void fence(Builder& b, ir::Scope scope) const override;
  void inst_begins(Builder& b, const ir::Kernel& kernel, const ir::Inst* inst) const override;

 private:
  uint32_t subgroup_size_, stack_bytes_;
  BlockBytes& block_bytes_;
  bool checked_;
};

/// The processor with its features: "znver3 +avx,...".
const std::string& host_processor();

}  // namespace qd::simulated
