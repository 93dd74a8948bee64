// The state of emitting one task or routine: its function, the values so far and the loops around the place where it stands.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include <llvm/IR/IRBuilder.h>

#include "runtime/codegen/llvm/arithmetic.h"
#include "runtime/abi/launch_context.h"
#include "runtime/codegen/target.h"

namespace qd::codegen {

/// The operation whose results may be gathered in any order; Sub adds the negative. Nothing for others.
std::optional<ir::AtomicOp> gathered(ir::AtomicOp op);
/// What leaves every value as it is.
llvm::Constant* identity(llvm::Type* type, ir::AtomicOp op, bool is_signed);

/// The functions that are called, by routine, and what is known of them.
struct RoutineFunctions {
  std::vector<llvm::Function*> functions;
  std::vector<bool> failing;  // the last of the results says whether an assert failed
  ir::CounterRange counters, records;
};

class TaskEmitter {
 public:
  TaskEmitter(const ir::Kernel& kernel, const ir::Task& task, llvm::Function* function, const RoutineFunctions& routines, const Options& options);
  void emit();
  /// The task is the body of a routine alone.
  void emit_routine(uint32_t index);

 private:
  /// A loop around the current place. Counts directly inside a For add to 32-bit accumulators, which vectorise as cheaply as the data of the loop.
  struct Frame {
    llvm::BasicBlock* next = nullptr;    // Continue
    llvm::BasicBlock* broken = nullptr;  // Break
    llvm::BasicBlock* failed = nullptr;  // a failed assert: leaves the task
    llvm::Instruction* entry = nullptr;  // null: counts go to the accumulators of the task
    std::map<uint32_t, llvm::AllocaInst*> narrow;
    uint32_t trips = 0;  // of this loop's body for an iteration of the task, when they are few and known: counts go to the accumulators of the task's loop
  };
  struct Place {
    llvm::Value* address = nullptr;
    ir::Op kind = ir::Op::Alloca;
    uint32_t array = 0;  // of an ElementPtr; slot of a GlobalTemp
  };
  /// A temp or an element that atomics of one kind alone touch.
  struct ReductionKey {
    ir::Op op;                     // GlobalTemp or ElementPtr
    uint32_t slot;                 // of the temp, or the array
    std::vector<int64_t> element;  // its indices
    auto operator<=>(const ReductionKey&) const = default;
  };
  struct Reduction {
    ir::AtomicOp op;
    ir::Type type;
    ir::InstId place;
    llvm::AllocaInst* gathered;
  };
  struct Range {
    llvm::Value* begin = nullptr;
    llvm::Value* end = nullptr;
  };

  // tasks (emit.cpp)
  void emit_parallel();
  void emit_rows(const std::vector<Range>& axes);
  /// for (index = range.begin; index < range.end; ++index) body
  void emit_axis(ir::InstId loop, uint32_t axis, Range range, ir::BlockId body, llvm::BasicBlock* broken, uint32_t trips);
  void emit_part(uint32_t axis, Range range);
  void finish();
  llvm::Value* bound(const ir::Bound& bound);

  // instructions (instructions.cpp)
  void emit_block(ir::BlockId block);
  void emit_inst(ir::InstId id);
  void emit_if(const ir::Inst& inst);
  void emit_loop(const ir::Inst& inst);
  void emit_for(ir::InstId id, const ir::Inst& inst);
  void emit_count(const ir::Inst& inst);
  void emit_record(const ir::Inst& inst);
  void emit_mark(const ir::Inst& inst);
  uint32_t known_trips(const ir::Inst& loop) const;
  bool needs_strips() const;
  void emit_assert(const ir::Inst& inst);
  void emit_print(const ir::Inst& inst);

  // calls (calls.cpp)
  void emit_call(ir::InstId id, const ir::Inst& inst);
  llvm::Value* call_result(const ir::Inst& inst);
  void emit_return(const ir::Inst& inst);
  void finish_routine(bool failing);
  void note_failure();
  llvm::Value* thread_field(size_t offset);
  llvm::Value* stack_left();
  void emit_atomic(ir::InstId id, const ir::Inst& inst);
  llvm::Value* load(ir::Type type, const Place& place);
  void store(ir::Type type, const Place& place, llvm::Value* value);
  void flush_narrow(const Frame& frame);

  // reductions (reductions.cpp)
  void find_reductions();
  std::optional<std::vector<int64_t>> fixed_element(const ir::Inst& place) const;
  bool gather(const ir::Inst& inst);
  void flush_reductions();

  // arrays of a part's own (private_arrays.cpp)
  struct PrivateArray {
    ir::AtomicOp op;
    ir::Type type;
    llvm::AllocaInst* memory;
    llvm::Value* elements;
  };
  void find_private_arrays();
  llvm::Value* elements_of(uint32_t array);
  llvm::Value* worth_private_arrays();
  template <class Body>
  void for_each_element(llvm::Value* elements, Body&& body);
  void emit_parallel_twice();
  /// True when an atomic goes to an array of the part's own, and is done.
  bool change_private(const ir::Inst& inst, const Place& place);
  void flush_private_arrays();

  // memory (memory.cpp)
  llvm::Value* context_field(size_t offset, llvm::Type* type);
  llvm::Value* parameter(uint32_t index);
  llvm::Value* array_data(uint32_t array);
  llvm::Value* array_shape(uint32_t array, uint32_t axis);
  llvm::Value* element_address(const ir::Inst& inst);
  llvm::Value* place_address(const ir::Inst& inst);
  Place local_element(const ir::Inst& inst);
  llvm::Value* iteration();
  llvm::Value* wide_index(ir::InstId id, int depth);
  llvm::Value* format_values(const ir::Inst& inst, size_t first);
  llvm::AllocaInst* local(llvm::Type* type, const char* name);
  void annotate(llvm::Instruction* access, const Place& place);
  void find_single_stores();

  llvm::BasicBlock* new_block(const char* name) { return llvm::BasicBlock::Create(b_.getContext(), name, function_); }
  void branch(llvm::BasicBlock* target);
  bool ended() { return b_.GetInsertBlock()->getTerminator() != nullptr; }
  llvm::Value* value(ir::InstId id) { return values_.at(id); }
  llvm::BasicBlock* failed() { return frames_.empty() ? exit_ : frames_.back().failed; }

  const ir::Kernel& kernel_;
  const ir::Task& task_;
  const RoutineFunctions& routines_;
  llvm::Function* function_;
  llvm::IRBuilder<> b_;
  llvm::IRBuilder<> entry_;  // before the end of the entry block: loads that hold for the whole task
  Arithmetic arithmetic_;
  llvm::BasicBlock* exit_;
  llvm::Value* context_;
  llvm::Value* thread_;
  llvm::MDNode* access_group_ = nullptr;
  llvm::MDNode* temp_scope_ = nullptr;
  std::vector<llvm::MDNode*> field_scopes_;  // by array; null for parameters
  std::vector<Frame> frames_;
  std::unordered_map<ir::InstId, llvm::Value*> values_;
  std::unordered_map<ir::InstId, Place> places_;
  std::unordered_map<ir::InstId, std::vector<llvm::Value*>> indices_;  // of a loop's axes, 64 bits wide
  std::unordered_map<ir::InstId, ir::InstId> single_stores_;           // Alloca to the value it always has
  std::map<uint32_t, llvm::AllocaInst*> counters_;
  std::map<uint32_t, uint32_t> count_places_;  // Counts of each counter
  std::map<uint32_t, llvm::AllocaInst*> records_;
  std::map<ReductionKey, Reduction> reductions_;
  std::map<uint32_t, PrivateArray> private_arrays_;
  std::unordered_map<ir::InstId, llvm::Value*> calls_;  // what they gave
  std::vector<llvm::AllocaInst*> results_;              // of the routine
  llvm::AllocaInst* failed_ = nullptr;                  // u1: an assert of the routine, or of what it called, has failed
  bool is_routine_ = false;
  bool tell_iteration_ = false;                         // routines ask for the number of the iteration
  std::set<uint32_t> touched_arrays_;
  bool private_ = false;                            // the loop that is being emitted works on them
  llvm::AllocaInst* private_used_ = nullptr;        // u1: this part does
  std::map<size_t, llvm::Value*> context_fields_;
  std::map<uint32_t, llvm::Value*> parameters_;
  std::map<uint32_t, llvm::Value*> array_data_;
  std::map<std::pair<uint32_t, uint32_t>, llvm::Value*> array_shapes_;
};

}  // namespace qd::codegen
