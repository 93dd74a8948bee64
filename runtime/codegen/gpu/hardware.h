// Differences between GPUs of different makes that concern code generation.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "runtime/ir/kernel.h"

namespace qd::codegen::gpu {

/// Address spaces, the same in NVPTX and AMDGPU.
inline constexpr unsigned kDeviceMemory = 1;
inline constexpr unsigned kBlockMemory = 3;

/// The threads of a subgroup that come to an operation together.
enum class Lanes : uint8_t {
  All,   // all that there are
  Some,  // those that have taken the same way so far
};

class Hardware {
 public:
  using Builder = llvm::IRBuilder<>;

  virtual ~Hardware() = default;
  /// Threads of a subgroup: 32 or 64. Thread t of a group is lane t % subgroup_size().
  virtual uint32_t subgroup_size() const = 0;
  /// Size of a thread's stack for functions that call themselves, in bytes; 0: there can be none.
  virtual uint32_t stack_bytes() const = 0;
  virtual std::unique_ptr<llvm::TargetMachine> machine() const = 0;
  /// The threads to which atomic operations are atomic: those of the device.
  virtual llvm::SyncScope::ID atomic_scope(llvm::LLVMContext& llvm_context) const = 0;
  /// Sets the attributes of a function, of tasks or of routines, for this hardware.
  virtual void prepare(llvm::Function& function) const = 0;
  /// Makes a function the start of a task that runs in groups of so many threads.
  virtual void make_kernel(llvm::Function& function, uint32_t group_size) const = 0;

  /// The number of the thread in its group, and that of the group, 32 bits.
  virtual llvm::Value* thread(Builder& b) const = 0;
  virtual llvm::Value* group(Builder& b) const = 0;
  /// The lanes that are here and for which the condition holds: bit n of 64 for lane n.
  virtual llvm::Value* ballot(Builder& b, Lanes lanes, llvm::Value* condition) const = 0;
  /// A word of 32 bits from another lane. The lane must be here, or the result does not matter. `here`: the result of
  /// ballot() for true; null: all lanes are here.
  virtual llvm::Value* shuffle(Builder& b, llvm::Value* here, llvm::Value* word, llvm::Value* lane) const = 0;
  /// The sum of a word of 32 bits over all lanes, which are all here; null: the hardware has no instruction for it.
  virtual llvm::Value* sum_of_lanes(Builder&, llvm::Value* /*word*/) const { return nullptr; }
  /// Whether Lanes::Some follows the kernel's control flow. Else the hardware may have parted threads of the same path.
  virtual bool knows_lanes() const = 0;
  virtual void barrier(Builder& b, Lanes lanes, ir::Scope scope) const = 0;
  virtual void fence(Builder& b, ir::Scope scope) const = 0;
  /// A fence for the host, too, which reads its own memory while the task runs.
  virtual void fence_for_host(Builder& b) const { fence(b, ir::Scope::Device); }
  /// Chooses the hardware's own instructions in an optimised module, where LLVM does not.
  virtual void choose_instructions(llvm::Module&) const {}
  /// Called before the code of an instruction of the kernel is emitted. Null: the next code is of no instruction.
  virtual void inst_begins(Builder&, const ir::Kernel&, const ir::Inst*) const {}
};

}  // namespace qd::codegen::gpu
