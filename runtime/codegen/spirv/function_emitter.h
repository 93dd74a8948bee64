// The body of a task, of a routine or of a formula as a SPIR-V function.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "runtime/abi/device_launch.h"
#include "runtime/abi/task_arguments.h"
#include "runtime/codegen/spirv/arithmetic.h"
#include "runtime/ir/kernel.h"
#include "runtime/passes/thread_rounds.h"

namespace qd::codegen::spirv {

class FunctionEmitter {
 public:
  /// `parameters`: the types of the function's parameters.
  FunctionEmitter(Shared& shared, const ir::Kernel& kernel, std::span<const ir::Type> results,
                  std::span<const ir::Type> parameters, Arithmetic::Mode mode);

  /// Emits a function and adds it to the module. Gives its id.
  /// `code`: of passes::thread_rounds.
  Id emit_task(const ir::Task& task, const passes::ThreadCode& code);
  Id emit_routine(uint32_t index);
  /// The entry point of a task.
  Id emit_main(const ir::Task& task, Id function, bool draws, uint32_t local_size);

 private:
  /// The place of a number: in a variable of the function or of the block, or in the device's memory.
  struct MemoryOperand {
    Id pointer = 0;          // 0: in memory
    Id address = 0;          // 0: in a storage buffer
    bool is_word = false;    // elements of an array are words apart, whatever their type: a temp
    bool is_shared = false;  // the pointer is one to a word of the block
    uint32_t binding = 0;    // of the storage buffer
    Id element = 0;          // index of its element, in numbers of this size, in 32 bits
  };
  /// A loop around the current place.
  struct Loop {
    Id next = 0;    // Continue
    Id broken = 0;  // Break
    bool breaks = false;
  };

  // instructions.cpp
  void emit_block(ir::BlockId block);
  void emit_inst(ir::InstId id);
  Id value(ir::InstId id) const { return values_.at(id); }
  Id iteration();

  // control_flow.cpp
  void emit_if(const ir::Inst& inst);
  void emit_loop(const ir::Inst& inst);
  void emit_for(ir::InstId id, const ir::Inst& inst);

  // unchanging_loads.cpp
  bool loads_ahead(ir::InstId loop) const;
  void load_ahead(ir::InstId loop, Id has_rounds);

  // memory.cpp
  Id read(Id address, Id type, uint32_t size, uint32_t access = 0);
  void write(Id address, Id value, Id type, uint32_t size);
  Id pointer(Id address, Id type);
  /// A pointer to a number of `size` bytes, which is the size of the element.
  Id pointer(const MemoryOperand& place, Id type, uint32_t size);
  Id beyond(Id address, uint64_t bytes);
  /// A constant of a Pick from its table at this offset, in bytes.
  Id looked_up(const ir::Inst& pick, uint32_t offset);
  MemoryOperand temp(const ir::Inst& inst);
  MemoryOperand local_variable(const ir::Inst& inst);
  MemoryOperand local_element(const ir::Inst& inst);
  MemoryOperand element(const ir::Inst& inst);
  Id element_address(const ir::Inst& inst);
  Id message_address(const ir::Inst& inst);
  MemoryOperand bound_element(const ir::Inst& inst, uint32_t binding);
  std::optional<uint32_t> binding_of(uint32_t array, int64_t size);
  /// `access`: bits of MemoryAccessMask.
  Id load(ir::Type type, const MemoryOperand& place, uint32_t access = 0);
  void store(ir::Type type, const MemoryOperand& place, Id value);

  // atomics.cpp
  Id emit_atomic(const ir::Inst& inst);
  Id atomic_rmw(ir::AtomicOp op, ir::Type type, const MemoryOperand& place, Id operand);
  /// Changes a number in memory at once. `change` maps the old value to the new one. Gives the old one.
  template <class Change>
  Id exchange_until_done(ir::Type type, const MemoryOperand& place, Change&& change);
  Id atomic(spv::Op op, const MemoryOperand& place, uint32_t width, Id operand);
  /// A pointer to the integer of 32 bits or 64 at the place.
  Id atomic_target(const MemoryOperand& place, uint32_t width);
  Id atomic_scope(const MemoryOperand& place);

  // blocks.cpp
  /// The type of a number in words of the block: an f16 lies as the f32 that holds it.
  static ir::Type held(ir::Type type) { return type == ir::Type::F16 ? ir::Type::F32 : type; }
  Id word_type(ir::Type type);
  MemoryOperand shared_variable(const ir::Inst& inst);
  Id thread();
  Id lane();
  void emit_barrier(ir::Scope scope);
  void emit_fence(ir::Scope scope);
  Id lanes_where(Id condition);
  Id ballot(Id condition);
  Id shuffle(ir::Type type, Id value, Id from);
  Id together();

  // launch.cpp: inputs of the launch, loaded where the function begins
  Id push_constant(size_t offset);
  Id launch_field(size_t offset);
  Id parameter(uint32_t index);
  Id array_data(uint32_t array);
  Id array_shape(uint32_t array, uint32_t axis);
  Id component_of_input(spv::BuiltIn built_in);
  void begin_random();

  // calls.cpp
  void emit_call(ir::InstId id, const ir::Inst& inst);
  Id call_result(const ir::Inst& inst);
  void emit_return(const ir::Inst& inst);
  void leave(Id failure);
  Id routine_function(uint32_t index);

  // counts.cpp
  void emit_count(const ir::Inst& inst);
  void emit_hit(const ir::Inst& inst);
  void flush_counts(bool together);
  void change_counter(ir::AtomicOp rule, const MemoryOperand& place, Id word);

  // ended_loops.cpp
  void tell_ended_loops(uint32_t local_size);

  // reductions.cpp
  Id elected();
  Id over_subgroup(ir::AtomicOp op, ir::Type type, Id own);
  bool change_together(const ir::Inst& inst, const MemoryOperand& place);

  // task.cpp
  void emit_parallel(const ir::Task& task, const passes::ThreadCode& code);
  void look_at_block_loop(const ir::Task& task);
  Id dispatch(ir::Dispatch number);

  Shared& shared_;
  Module& module_;
  const ir::Kernel& kernel_;
  Code code_;
  Arithmetic arithmetic_;
  std::vector<ir::Type> results_;
  bool is_routine_ = false;

  std::unordered_map<ir::InstId, Id> values_;  // of a Call: the result of the function
  std::unordered_map<ir::InstId, MemoryOperand> operands_;
  std::set<ir::InstId> loaded_ahead_;
  std::unordered_map<ir::InstId, std::vector<Id>> indices_;  // of a loop's axes
  std::vector<Loop> loops_;
  ir::InstId iteration_ = ir::InstId::None;      // the number of the present one, for routines; None: none asks
  ir::BlockId body_of_all_ = ir::BlockId::None;  // the body of a block loop, if all threads of a subgroup come to it
  bool in_epilogue_ = false;
  bool all_threads_here_ = false;  // of the subgroup: none has ended, and none has taken another way
  bool threads_stay_ = false;      // subgroups are whole, and a thread that ends early has failed

  std::unordered_map<size_t, Id> launch_fields_;
  std::unordered_map<uint32_t, Id> parameters_, array_data_;
  std::unordered_map<uint64_t, Id> array_shapes_;
};

}  // namespace qd::codegen::spirv
