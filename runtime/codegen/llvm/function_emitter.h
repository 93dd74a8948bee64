// The body of a task or a routine as LLVM IR: the part that is the same for every device that LLVM compiles for.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include <llvm/IR/IRBuilder.h>

#include "runtime/codegen/llvm/arithmetic.h"
#include "runtime/codegen/target.h"
#include "runtime/ir/counters.h"

namespace qd::codegen {

/// The functions of a kernel's routines, with their properties, by the number of the routine.
struct RoutineFunctions {
  std::vector<llvm::Function*> functions;
  std::vector<bool> failing;  // the last of the results tells whether an assert failed
  ir::CounterRanges counters;
};

/// Declares a function for each routine. It takes parameters of these types in front of its own, and gives its results
/// as a struct, with one of the type `failure` behind them if an assert may fail in it; null: its own results tell.
RoutineFunctions declare_routines(const ir::Kernel& kernel, llvm::Module& llvm_module,
                                  std::span<llvm::Type* const> in_front, llvm::Type* failure);

/// Emits instructions, control flow and memory accesses at the current place of its function. Each kind of device
/// derives a class from it. The derived class gives the addresses of arguments and temporaries, keeps counts, calls
/// routines and sends messages to the host; it also emits the end of the function.
class FunctionEmitter {
 public:
  FunctionEmitter(const FunctionEmitter&) = delete;
  FunctionEmitter& operator=(const FunctionEmitter&) = delete;

 protected:
  /// Makes the blocks "entry", "start" and "exit". Afterwards the current place is "start".
  FunctionEmitter(const ir::Kernel& kernel, llvm::Function* function, const Options& options);
  ~FunctionEmitter() = default;

  struct MemoryOperand {
    llvm::Value* address = nullptr;
    ir::Op kind = ir::Op::Alloca;
    uint32_t array = 0;  // of an ElementPtr; slot of a GlobalTemp
  };
  /// The range of one axis, with bounds in 64 bits; the end is exclusive.
  struct Range {
    llvm::Value* begin = nullptr;
    llvm::Value* end = nullptr;
    ir::Type counts = ir::Type::I32;  // the type of the indices

    /// Whether bounds are compared as signed numbers. Those of a u32 are small enough for it.
    bool is_signed() const { return counts != ir::Type::U64; }
  };

  // Parts that differ between devices. Values of the launch are loaded at the end of the entry block, so that no such
  // load stands under a condition.
  virtual llvm::Value* parameter(uint32_t index) = 0;
  virtual llvm::Value* array_data(uint32_t array) = 0;
  virtual llvm::Value* array_shape(uint32_t array, uint32_t axis) = 0;
  /// The address of the launch's temporaries, 64 bits each.
  virtual llvm::Value* temps() = 0;
  /// The number of the present iteration of the parallel task.
  virtual llvm::Value* iteration() = 0;
  /// The address of the state of random numbers.
  virtual llvm::Value* random_state() = 0;
  /// Called before each instruction.
  virtual void inst_begins(const ir::Inst&) {}
  /// Emits an operation of blocks of threads (ir/blocks.h): the address of a Shared, the value of another one. For
  /// devices that have blocks.
  virtual llvm::Value* in_block(ir::InstId id, const ir::Inst& inst);
  virtual void emit_fence(ir::Scope scope);
  virtual llvm::Value* stack_left() = 0;
  virtual void emit_call(ir::InstId id, const ir::Inst& inst) = 0;
  virtual llvm::Value* call_argument(uint32_t index) = 0;
  /// The address of the kernel's results, 64 bits each.
  virtual llvm::Value* results() = 0;
  /// Emits the failure of an Assert or Warn: the code for a condition that does not hold. An Assert goes to failed(); a
  /// Warn goes on at `held`. For devices that take messages as they are (passes/messages.h).
  virtual void emit_wrong(const ir::Inst& inst, llvm::BasicBlock* held);
  virtual void emit_print(const ir::Inst& inst);
  /// Result of a Claim of the element at the address.
  virtual llvm::Value* claim(const ir::Inst& inst, llvm::Value* address) = 0;
  virtual void emit_count(const ir::Inst& inst) = 0;
  virtual void emit_hit(const ir::Inst& inst) = 0;
  /// Emits an AtomicRmw in the device's own way, when nothing uses its value. False: nothing was emitted.
  virtual bool emit_own_atomic(ir::InstId id, const ir::Inst& inst, const MemoryOperand& place) = 0;
  /// Called when a loop begins. `entry`: the branch into the innermost axis of a For; null for a Loop.
  virtual void loop_begins(ir::InstId loop, llvm::Instruction* entry) = 0;
  /// Called when the loop's body has been emitted. `back`: the branch to the next iteration.
  virtual void loop_ends(ir::InstId loop, llvm::BranchInst* back) = 0;
  /// Called at each exit of the For that ended last.
  virtual void loop_left() = 0;

  // instructions.cpp
  virtual void emit_block(ir::BlockId block);
  /// Emits an instruction. Its value takes the place of that of an earlier emission.
  void emit_inst(ir::InstId id);
  /// The value of an operation that computes with numbers, or with vectors of them; null for all others.
  llvm::Value* computed(const ir::Inst& inst, llvm::ArrayRef<llvm::Value*> operands);
  void emit_atomic(ir::InstId id, const ir::Inst& inst);
  /// Whether the block at the current place has its jump already.
  bool ended() { return b_.GetInsertBlock()->getTerminator() != nullptr; }
  /// Emits: for (index = range.begin; index < range.end; ++index) body. `broken`: target of a Break of the body; null:
  /// behind the loop.
  void emit_axis(ir::InstId loop, uint32_t axis, Range range, ir::BlockId body, llvm::BasicBlock* broken);

  /// Whether an index is below the end of its range.
  llvm::Value* below(const Range& range, llvm::Value* index);
  /// An index and a number of steps that do not lead beyond the end of its range.
  llvm::Value* plus(const Range& range, llvm::Value* index, llvm::Value* steps);
  /// The part of a range from index number `from` up to `to`.
  Range part_of(const Range& range, llvm::Value* from, llvm::Value* to);

  // calls.cpp
  /// Emits a call with the operands behind `arguments`. `when_failed` emits the work after an assert that failed in the
  /// routine, by whose additional result, `failure`, it is told; null: none may fail.
  void call(ir::InstId id, llvm::Function* routine, std::vector<llvm::Value*> arguments,
            const std::function<void(llvm::Value* failure)>& when_failed);
  /// Makes the variables of a routine's results, and `failure_` of the type; null: no assert may fail in it.
  void begin_routine(const ir::Routine& routine, llvm::Type* failure);
  /// Emits the end of a routine, which gives its results.
  void end_routine();

  // memory.cpp
  llvm::Value* place_address(const ir::Inst& inst);
  /// The address of an ElementPtr, or of the first component of its element.
  llvm::Value* element_address(const ir::Inst& inst, bool first_component = false);
  /// A uniform index in 64 bits.
  llvm::Value* wide_index(ir::InstId id, int depth = 0);
  /// Adds alias metadata of LLVM to an access.
  void annotate(llvm::Instruction* access, const MemoryOperand& place);
  /// The values of a format, stored in an array of words.
  llvm::Value* format_values(const ir::Inst& inst, size_t first);
  llvm::AllocaInst* local(llvm::Type* type, const char* name);

  llvm::BasicBlock* new_block(const char* name) { return llvm::BasicBlock::Create(b_.getContext(), name, function_); }
  /// Branches to the target, unless the block has ended already.
  void branch(llvm::BasicBlock* target);
  llvm::Value* value(ir::InstId id) { return values_.at(id); }
  /// Target of a failed assert.
  llvm::BasicBlock* failed() { return loops_.empty() ? exit_ : loops_.back().failed; }

  const ir::Kernel& kernel_;
  llvm::Function* function_;
  llvm::IRBuilder<> b_;
  llvm::IRBuilder<> entry_;  // before the end of the entry block: loads that hold for the whole function
  Arithmetic arithmetic_;
  llvm::BasicBlock* exit_;
  bool is_routine_ = false;
  llvm::AllocaInst* failure_ = nullptr;   // the result that tells of a failed assert, of a routine that has it
  llvm::MDNode* access_group_ = nullptr;  // of the loop whose iterations are independent; null: none
  std::unordered_map<ir::InstId, llvm::Value*> values_;
  std::unordered_map<ir::InstId, std::vector<llvm::Value*>> indices_;  // of a loop's axes, 64 bits wide
  std::unordered_map<ir::InstId, MemoryOperand> operands_;             // places
  std::unordered_map<ir::InstId, ir::InstId> single_stores_;           // Alloca to the value it always has

 private:
  /// A loop around the current place.
  struct LoopBlocks {
    llvm::BasicBlock* next = nullptr;    // Continue
    llvm::BasicBlock* broken = nullptr;  // Break
    llvm::BasicBlock* failed = nullptr;  // a failed assert: leaves the function
  };

  void emit_if(const ir::Inst& inst);
  void emit_loop(ir::InstId id, const ir::Inst& inst);
  void emit_for(ir::InstId id, const ir::Inst& inst);
  void emit_assert(const ir::Inst& inst);
  void emit_return(const ir::Inst& inst);

  llvm::Value* load(ir::Type type, const MemoryOperand& place, bool is_volatile = false);
  void store(ir::Type type, const MemoryOperand& place, llvm::Value* value);
  MemoryOperand local_element(const ir::Inst& inst);
  void find_single_stores();

  std::vector<LoopBlocks> loops_;
  std::vector<llvm::AllocaInst*> results_;  // of the routine
  llvm::MDNode* temp_scope_ = nullptr;
  std::vector<llvm::MDNode*> field_scopes_;  // by array; null for parameters
};

}  // namespace qd::codegen
