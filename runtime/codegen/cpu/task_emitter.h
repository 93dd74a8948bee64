// Emitter of the LLVM functions of tasks and routines, for this computer.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <llvm/ADT/STLFunctionalExtras.h>

#include "runtime/abi/launch_context.h"
#include "runtime/codegen/cpu/lane_emitter.h"
#include "runtime/ir/counters.h"
#include "runtime/passes/fixed_reductions.h"

namespace qd::codegen {

class TaskEmitter final : LaneEmitter {
 public:
  TaskEmitter(const ir::Kernel& kernel, const ir::Task& task, llvm::Function* function,
              const RoutineFunctions& routines, const Options& options);
  /// Makes lanes of the iterations. `divergence`: of the kernel and the task that the emitter has.
  void use_lanes(const LaneShape& shape, passes::Divergence divergence);
  /// Emits operations on floats that no pass may change (fixed_arithmetic.h).
  void use_fixed_arithmetic() { b_.clearFastMathFlags(); }
  void emit();
  /// Emits a task that is only the body of a routine.
  void emit_routine(uint32_t index);

 private:
  /// Counters of one loop around the current place. Counters to which an iteration adds little go to sums of 32 bits;
  /// these vectorise as cheaply as the data of the loop.
  struct LoopCounts {
    llvm::Instruction* entry = nullptr;  // null: counts go to the sums of the task
    uint32_t trips = 0;  // runs of the body in one iteration of the task, when that is a small, known number:
                         // then counts go to the sums of the task's loop
    std::map<uint32_t, llvm::AllocaInst*> narrow;
  };
  struct Reduction : passes::FixedReduction {
    llvm::AllocaInst* gathered;
  };
  struct PrivateArray {
    ir::AtomicOp op;
    ir::Type type;
    int64_t additions;  // of an iteration, as an estimate
    int64_t capacity;   // of its memory, in numbers
    llvm::AllocaInst* memory;
    llvm::Value* elements;
  };

  /// Additions to private arrays that follow a strip of iterations.
  struct LateAdditions {
    static constexpr int64_t kStrip = 64;
    std::set<ir::InstId> inside;    // the instructions of the body
    std::set<ir::InstId> repeated;  // computed again behind the strip: the places, and pure values for them
    std::map<ir::InstId, llvm::AllocaInst*> kept;  // values of the strip's iterations, with their memory
    bool always = false;                           // and not only where the part works on private arrays
    llvm::Value* begin = nullptr;  // of the strip whose iterations are being emitted; null: additions are not late

    bool any() const { return !repeated.empty(); }
  };

  // the part of a task (task_emitter.cpp)
  void emit_parallel();
  void emit_rows(const std::vector<Range>& axes);
  void emit_part(uint32_t axis, Range range);
  void emit_together(uint32_t axis, Range range);
  void emit_single(uint32_t axis, Range range);
  bool last_axis_may_be_short() const;
  /// Emits a loop over a range, and gives its branch back. `body` emits the code of an index, and gives the next one.
  llvm::BranchInst* emit_loop(const Range& range, const char* name,
                              llvm::function_ref<llvm::Value*(llvm::Value*)> body);
  /// Emits a loop over strips of a range, which have at most `length` indices.
  void emit_strips(const Range& range, int64_t length, llvm::function_ref<void(Range)> body);
  void finish();
  llvm::Value* bound(const ir::Bound& bound);
  llvm::Value* iteration() override;

  // fields of the launch (context.cpp)
  llvm::Value* context_field(size_t offset, llvm::Type* type);
  llvm::Value* thread_field(size_t offset);
  llvm::Value* parameter(uint32_t index) override;
  llvm::Value* array_data(uint32_t array) override;
  llvm::Value* shared_data(uint32_t array);
  llvm::Value* array_shape(uint32_t array, uint32_t axis) override;
  llvm::Value* temps() override;
  llvm::Value* stack_left() override;
  void emit_wrong(const ir::Inst& inst, llvm::BasicBlock* held) override;
  void emit_print(const ir::Inst& inst) override;
  llvm::Value* claim(const ir::Inst& inst, llvm::Value* address) override;

  // random numbers (random.cpp)
  void find_draws();
  void begin_random();
  llvm::Value* random_state() override { return random_ ? random_ : thread_; }
  std::pair<llvm::Value*, llvm::Value*> iteration_stream(llvm::Value* iterations) override;

  // counts (counts.cpp)
  void find_count_places();
  void emit_count(const ir::Inst& inst) override;
  void emit_addition(const ir::Inst& inst);
  llvm::AllocaInst* sum_of(ir::AtomicOp rule, uint32_t counter, llvm::Type* type);
  void emit_hit(const ir::Inst& inst) override;
  void combine_counter(ir::AtomicOp rule, uint32_t counter, llvm::Value* number) override;
  void loop_begins(ir::InstId loop, llvm::Instruction* entry) override;
  void loop_ends(ir::InstId loop, llvm::BranchInst* back) override;
  void loop_left() override;
  uint32_t known_trips(const ir::Inst& loop) const;
  bool needs_strips() const;

  // routines (calls.cpp)
  void emit_call(ir::InstId id, const ir::Inst& inst) override;
  llvm::Value* call_argument(uint32_t index) override { return function_->getArg(2 + index); }
  llvm::Value* results() override;
  void flush_routine_counts();
  void note_failure();

  // reductions (reductions.cpp)
  bool emit_own_atomic(ir::InstId, const ir::Inst& inst, const MemoryOperand& place) override {
    return gather(inst) || change_private(inst, place);
  }
  void find_reductions();
  bool gather(const ir::Inst& inst);
  bool is_reduction(ir::InstId place) const override;
  void flush_reductions();

  // private arrays of a part (private_arrays.cpp)
  void find_private_arrays();
  llvm::Value* elements_of(uint32_t array);
  llvm::Value* worth_private_arrays();
  void begin_private_array(PrivateArray& array);
  bool may_meet(uint32_t array, uint32_t other) const;
  void emit_parallel_twice();
  /// Emits an atomic on the part's own copy of an array. False for other atomics, of which nothing is emitted.
  bool change_private(const ir::Inst& inst, const MemoryOperand& place);
  bool is_private(ir::InstId place) const {
    return kernel_[place].op == ir::Op::ElementPtr && private_arrays_.contains(kernel_[place].aux);
  }
  void emit_lane_additions(llvm::function_ref<void()> additions) override;
  void flush_private_arrays();

  // additions behind a strip of iterations (late_additions.cpp)
  void find_late_additions();
  void emit_strip(uint32_t axis, Range strip);
  void keep(ir::InstId id);
  void add_late(uint32_t axis, Range strip);

  const ir::Task& task_;
  const RoutineFunctions& routines_;
  llvm::Value* context_;
  llvm::Value* thread_;
  std::map<size_t, llvm::Value*> context_fields_;
  std::map<uint32_t, llvm::Value*> parameters_;
  std::map<uint32_t, llvm::Value*> array_data_;
  std::map<std::pair<uint32_t, uint32_t>, llvm::Value*> array_shapes_;

  std::map<std::pair<ir::AtomicOp, uint32_t>, llvm::AllocaInst*> counters_;  // by combine rule and number
  std::map<uint32_t, uint32_t> count_places_;                                // Counts of each counter
  std::vector<LoopCounts> loops_;                                            // around the current place
  LoopCounts left_;                                                          // of the loop that ended last
  uint32_t task_trips_ = 0;                                                  // of the task's loop, see LoopCounts

  std::optional<passes::Divergence> lane_divergence_;  // of a task whose iterations are lanes
  LaneShape lane_shape_;

  bool tell_iteration_ = false;  // routines ask for the number of the iteration

  bool draws_ = false;  // random numbers, in the body or in routines
  bool draws_in_routines_ = false;
  llvm::Value* seed_ = nullptr;         // of random numbers of a parallel task
  llvm::AllocaInst* random_ = nullptr;  // the state of an iteration. null: that of the thread

  std::map<passes::ReductionKey, Reduction> reductions_;
  std::map<uint32_t, PrivateArray> private_arrays_;
  std::set<uint32_t> touched_arrays_;
  bool private_ = false;                      // the loop that is being emitted works on them
  llvm::AllocaInst* private_used_ = nullptr;  // u1: this part works on them
  LateAdditions late_;
};

}  // namespace qd::codegen
