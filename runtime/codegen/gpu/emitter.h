// The functions of tasks and routines for GPUs that LLVM compiles for.
//
// A task is a kernel of the device, whose parameters are the fields of TaskArguments (abi/task_arguments.h). A routine
// gets the launch, the state of its thread, and its own parameters, and gives its results.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "runtime/abi/device_launch.h"
#include "runtime/codegen/gpu/hardware.h"
#include "runtime/codegen/llvm/function_emitter.h"
#include "runtime/ir/counters.h"
#include "runtime/passes/thread_rounds.h"

namespace qd::codegen::gpu {

/// State that the functions of one module share.
struct Shared {
  /// Declares the functions of the kernel's routines.
  Shared(const ir::Kernel& kernel, const Options& options, const Hardware& hardware, llvm::Module& llvm_module);

  const ir::Kernel& kernel;
  const Options& options;
  const Hardware& hardware;
  llvm::Module& llvm_module;
  RoutineFunctions routines;
};

class Emitter final : FunctionEmitter {
 public:
  Emitter(Shared& shared, llvm::Function* function);
  /// `code`: of passes::thread_rounds.
  /// `hands_over`: whether it is the task_that_hands_over().
  void emit_task(const ir::Task& task, const passes::ThreadCode& code, bool hands_over);
  void emit_routine(uint32_t index);

 private:
  /// The parameters of a task, in this order.
  enum Argument : size_t { kLaunch, kSeed, kGroupStride, kStep, kRounds };
  /// Words of a thread's state.
  enum StateWord : uint32_t {
    kRandom,         // two words
    kIteration = 2,  // the number of the present iteration, for routines that ask for it
    kCounts,         // of routines: the value of each counter, in the order of Shared::counters
  };
  /// A reduction into a place that the epilogue names.
  struct Reduction {
    ir::AtomicOp op;
    ir::InstId place;
    llvm::AllocaInst* own;
  };

  /// A value that each thread has gathered.
  struct Gathered {
    ir::AtomicOp op;  // combines values
    ir::Type type;
    llvm::Value* own;      // may have 32 bits of a count
    llvm::Value* changes;  // whether the thread has gathered anything; null: unless it is 0
    std::function<void(llvm::Value* combined)> change;  // emits the change of memory, by one thread
  };
  /// Values of several threads together.
  struct Combined {
    llvm::Value *value, *changes;
  };

  // the part of a task that a thread runs (task.cpp)
  void emit_parallel(const ir::Task& task, const passes::ThreadCode& code);
  void look_at_block_loop(const ir::Task& task, ir::BlockId code);
  llvm::Value* launch_has_failed();
  void begin_random();
  llvm::Value* iteration() override;
  llvm::Value* argument(size_t field) { return function_->getArg(static_cast<unsigned>(field)); }

  void inst_begins(const ir::Inst& inst) override { hardware_.inst_begins(b_, kernel_, &inst); }

  // fields of the launch (launch.cpp)
  llvm::PointerType* global_pointer() { return b_.getPtrTy(kDeviceMemory); }
  /// An address that is so many bytes further, or words.
  static llvm::Value* beyond(llvm::IRBuilder<>& b, llvm::Value* address, uint64_t bytes);
  static llvm::Value* word_at(llvm::IRBuilder<>& b, llvm::Value* address, llvm::Value* words);
  llvm::Value* constant_load(llvm::Type* type, llvm::Value* address, uint64_t align);
  llvm::Value* launch_field(size_t offset);
  llvm::Value* late_field(size_t offset);
  llvm::Value* messages() { return launch_field(offsetof(DeviceLaunch, messages)); }
  llvm::Value* parameter(uint32_t index) override;
  llvm::Value* array_data(uint32_t array) override;
  llvm::Value* array_shape(uint32_t array, uint32_t axis) override;
  llvm::Value* temps() override { return launch_field(offsetof(DeviceLaunch, temps)); }
  llvm::Value* state_word(uint64_t word);
  llvm::Value* random_state() override { return state_word(kRandom); }
  llvm::Value* stack_left() override;

  llvm::Value* claim(const ir::Inst&, llvm::Value*) override { return b_.getInt32(0); }  // claims are not checked here

  // routines (calls.cpp)
  void emit_call(ir::InstId id, const ir::Inst& inst) override;
  llvm::Value* call_argument(uint32_t index) override { return argument(2 + index); }
  llvm::Value* results() override { return launch_field(offsetof(DeviceLaunch, results)); }

  // counts (counts.cpp)
  void emit_count(const ir::Inst& inst) override;
  void emit_hit(const ir::Inst& inst) override;
  std::vector<Gathered> gathered_counts();
  /// Combines a count with the counter in memory.
  void change_counter(ir::AtomicOp rule, llvm::Value* place, llvm::Value* sum);
  void loop_begins(ir::InstId, llvm::Instruction*) override {}
  void loop_ends(ir::InstId, llvm::BranchInst*) override {}
  void loop_left() override {}

  // reductions (reductions.cpp)
  bool emit_own_atomic(ir::InstId id, const ir::Inst& inst, const MemoryOperand& place) override;
  std::vector<Gathered> gathered_reductions();

  // atomics of a subgroup at one place (alike_atomics.cpp)
  bool emit_alike_atomic(ir::InstId id, const ir::Inst& inst, const MemoryOperand& place);
  bool is_alike(ir::InstId id);
  void note_used_atomics(ir::BlockId block);

  // gathered values at the exit (gathered.cpp)
  void write_gathered(const ir::Task& task);
  void write_over_group(std::span<const Gathered> all, uint32_t subgroups);
  Combined combined(const Gathered& gathered);
  llvm::Value* over_subgroup(ir::AtomicOp op, ir::Type type, llvm::Value* own);
  llvm::Value* count_over_subgroup(llvm::Value* own);
  llvm::Value* to_bits(llvm::Value* number);
  llvm::Value* from_bits(llvm::Value* word, llvm::Type* type);
  /// Whether this thread changes memory for its subgroup.
  llvm::Value* elected() { return b_.CreateICmpEQ(lane(), b_.getInt32(0)); }

  // output of the launch (hand_over.cpp)
  void hand_over(const ir::Task& task);
  void copy_output(llvm::Value* left);
  llvm::Value* is_last_group();

  // threads of a block, and of a dispatch (blocks.cpp)
  llvm::Value* in_block(ir::InstId id, const ir::Inst& inst) override;
  void emit_fence(ir::Scope scope) override { hardware_.fence(b_, scope); }
  llvm::Value* dispatch(ir::Dispatch number);
  llvm::GlobalVariable* shared_variable(llvm::Type* type);
  llvm::Value* lane();
  llvm::Value* lanes_of_subgroup();
  llvm::Value* shuffle(Lanes lanes, ir::Type type, llvm::Value* value, llvm::Value* from);
  llvm::Value* moved(llvm::Value* here, ir::Type type, llvm::Value* value, llvm::Value* from);

  /// Emits `then` for the threads for which the condition holds.
  template <class Then>
  void when(llvm::Value* condition, Then&& then) {
    llvm::BasicBlock* inside = new_block("when");
    llvm::BasicBlock* done = new_block("when.done");
    b_.CreateCondBr(condition, inside, done);
    b_.SetInsertPoint(inside);
    then();
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
  }

  Shared& shared_;
  const Hardware& hardware_;
  llvm::Value* launch_;
  llvm::Value* state_;  // words of the thread, in its own memory
  uint32_t group_size_ = 1;
  /// Whether all threads of a group come to the exit, at which a subgroup combines its gathered values.
  bool meet_at_exit_ = false;
  /// Whether, in a block loop, a thread that ends early has failed.
  bool threads_stay_ = false;
  bool in_epilogue_ = false;
  std::set<ir::InstId> by_all_;              // instructions to which all threads of a block come
  ir::InstId iteration_ = ir::InstId::None;  // the number of the present one, for routines; None: none asks
  std::map<ir::InstId, bool> alike_;         // values that were asked for
  std::set<ir::InstId> used_atomics_;        // those whose value is used
  std::vector<Reduction> reductions_;
  std::set<uint32_t> narrow_counters_;
  std::map<std::pair<ir::AtomicOp, uint32_t>, llvm::AllocaInst*>
      counters_;  // of the task itself, by combine rule and number

  std::map<size_t, llvm::Value*> launch_fields_;
  std::map<uint32_t, llvm::Value*> parameters_, array_data_;
  std::map<std::pair<uint32_t, uint32_t>, llvm::Value*> array_shapes_;
};

}  // namespace qd::codegen::gpu
