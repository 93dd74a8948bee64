// Emitter of iterations that run together, each in a lane of a vector (SPMD).
//
//   for i in x:                      # a strip of 8 iterations
//       while x[i] > limit[i]:       # runs until no lane is active: the mask loses a lane where its condition fails
//           x[i] *= 0.5              # a masked load and a masked store of 8 numbers
//
// A value is a number where it is uniform, or differs by a constant from lane to lane (then it is that of lane 0), and
// a vector where it varies (passes/divergence.h). Code runs only where a lane is active; so uniform code is emitted as
// ever. A variable that varies is a vector, and a local array one of vectors.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <llvm/ADT/STLFunctionalExtras.h>

#include "runtime/codegen/cpu/lane_choice.h"
#include "runtime/codegen/llvm/function_emitter.h"
#include "runtime/passes/divergence.h"

namespace qd::codegen {

/// Attribute of a function in which iterations are lanes.
inline constexpr const char* kLanesAttribute = "qd-lanes";

class LaneEmitter : public FunctionEmitter {
 protected:
  using FunctionEmitter::FunctionEmitter;
  ~LaneEmitter() = default;

  /// Gives each lane its own of the variables that gather a sum of the task's part, and adds them up behind the part.
  void begin_lane_sums(const passes::Divergence& divergence, unsigned lanes, const ir::Task& task);
  void end_lane_sums();

  /// Emits at most `lanes` iterations of a task along an axis, together. The divergence must be that of its body.
  void emit_lanes(const passes::Divergence& divergence, const LaneShape& shape, uint32_t axis, Range strip,
                  const ir::Task& task);

  /// Combines a counter with a number of 64 bits.
  virtual void combine_counter(ir::AtomicOp rule, uint32_t counter, llvm::Value* number) = 0;

  /// The states of random numbers with which iterations begin, whose numbers are in a vector. Null where none are
  /// drawn.
  virtual std::pair<llvm::Value*, llvm::Value*> iteration_stream(llvm::Value* iterations) = 0;

  /// Whether an atomic operation at a place goes to a reduction, which gathers its numbers first.
  virtual bool is_reduction(ir::InstId place) const = 0;

  /// Emits additions whose values nothing uses.
  virtual void emit_lane_additions(llvm::function_ref<void()> additions) = 0;

  // lanes.cpp
  void emit_block(ir::BlockId block) override;

 private:
  /// The places of an access, one for each lane.
  struct LanePlaces {
    enum class Kind : uint8_t {
      Uniform,   // one place, in operands_
      Slots,     // `address`: a vector, of a variable that varies
      Steps,     // `address`: that of lane 0; the next lanes' follow at `distance` bytes
      Records,   // as Steps, at a few numbers, of which the first `filled` are `record`, the element of lane 0
      Anywhere,  // `address`, and a vector of offsets from it
    };
    Kind kind = Kind::Uniform;
    llvm::Value* address = nullptr;
    int64_t distance = 0;
    MemoryOperand memory;            // for annotate(), without an address
    llvm::Value* offsets = nullptr;  // of accesses anywhere, in numbers of the type `unit`
    llvm::Type* unit = nullptr;
    llvm::Value* pair = nullptr;  // the address of the first one of two components, of which an access is one
    llvm::Value* record = nullptr;
    unsigned numbers = 0;    // from the record of a lane to the next one's
    unsigned filled = 0;     // numbers of a record
    unsigned component = 0;  // that is accessed, of these, or of a pair
  };

  /// Stores to components of the records of lanes, that are done together.
  struct RecordStores {
    ir::InstId element = ir::InstId::None;
    LanePlaces places;
    ir::Type type = ir::Type::Void;
    std::vector<ir::InstId> indices;       // of the elements
    std::vector<llvm::Value*> components;  // null: not stored
  };

  // lanes.cpp
  void emit_lane_inst(ir::InstId id);
  void emit_lane_count(const ir::Inst& inst);
  /// A value as a vector, whatever it is.
  llvm::Value* lanes_of(ir::InstId id);
  llvm::Value* splat(llvm::Value* number) { return b_.CreateVectorSplat(lanes_, number); }
  llvm::FixedVectorType* vector_of(llvm::Type* number) { return llvm::FixedVectorType::get(number, lanes_); }
  /// The vector (0, step, 2 * step, ...).
  llvm::Constant* steps(llvm::Type* integer, int64_t step);
  llvm::Value* mask();
  void set_mask(llvm::Value* mask) { b_.CreateStore(mask, mask_); }
  /// A mask of conditions, which are bits: where vectors of bits have no registers of their own, its numbers are as
  /// wide as most values, all bits of which say whether a lane is active.
  llvm::Value* as_mask(llvm::Value* conditions);
  /// The conditions of a mask.
  llvm::Value* holds(llvm::Value* mask);
  llvm::Value* active() { return holds(mask()); }
  bool has_mask_registers() const { return mask_->getAllocatedType()->getScalarSizeInBits() == 1; }
  /// Conditions as an integer, lane 0 in the lowest bit.
  llvm::Value* bits(llvm::Value* conditions) { return b_.CreateBitCast(conditions, b_.getIntNTy(lanes_)); }
  llvm::Value* any(llvm::Value* mask) { return b_.CreateIsNotNull(bits(holds(mask))); }

  // lane_calls.cpp
  void begin_lane_random();
  void emit_lane_random(ir::InstId id, const ir::Inst& inst);
  void emit_lane_call(ir::InstId id, const ir::Inst& inst);

  // lane_control_flow.cpp
  void emit_lane_if(const ir::Inst& inst);
  void emit_lane_loop(const ir::Inst& inst);
  void emit_lane_for(ir::InstId id, const ir::Inst& inst);
  void emit_lane_body(ir::BlockId body);
  void emit_lane_jump(const ir::Inst& inst);
  llvm::Value* emit_arm(ir::BlockId block, llvm::Value* mask);
  bool is_short(ir::BlockId block) const;

  // lane_memory.cpp
  void emit_variable(ir::InstId id, const ir::Inst& inst);
  void emit_lane_load(ir::InstId id, const ir::Inst& inst);
  void emit_lane_store(ir::InstId id, const ir::Inst& inst);
  void store_at(ir::InstId place, ir::Type type, const LanePlaces& places, llvm::Value* vector);
  llvm::Value* load_lanes(ir::Type type, const LanePlaces& places);
  void store_lanes(ir::Type type, const LanePlaces& places, llvm::Value* vector, bool all);
  LanePlaces element_places(ir::InstId id, const ir::Inst& inst);
  /// A sum of a value and a constant.
  struct ShiftedIndex {
    ir::InstId value;
    int64_t plus;
  };
  ShiftedIndex shifted(ir::InstId index) const;
  LanePlaces local_places(ir::InstId id, const ir::Inst& inst);
  void store_side_by_side(llvm::Value* numbers, llvm::Value* address, llvm::Align align, llvm::Value* conditions,
                          const MemoryOperand& memory, bool whole = true);
  /// Whether all lanes of the strip are active.
  bool has_all_of_strip() const { return partly_ == 0; }
  LanePlaces anywhere(const LanePlaces& places);
  bool is_contiguous(ir::Type type, const LanePlaces& places) const;
  llvm::Value* gathered(llvm::FixedVectorType* vector, llvm::Align align, const LanePlaces& places);
  void scatter(llvm::Value* numbers, llvm::Align align, const LanePlaces& places);

  // lane_records.cpp
  void find_components(ir::BlockId body);
  /// The even one of two components of 32 bits, side by side, of which lanes load both.
  std::optional<unsigned> pair_of(const ir::Inst& element) const;
  llvm::Value* load_of_pair(ir::Type type, const LanePlaces& places);
  std::optional<LanePlaces> record_places(ir::InstId id, const ir::Inst& inst, int64_t distance);
  llvm::Value* load_component(ir::Type type, const LanePlaces& places);
  void store_component(ir::InstId element, ir::Type type, const LanePlaces& places, llvm::Value* vector);
  /// Whether an instruction means the same in front of the stores that wait.
  bool passes_record_stores(ir::InstId id) const;
  void end_record_stores();
  llvm::Value* mask_of_records(const LanePlaces& places, unsigned part, llvm::ArrayRef<bool> components);
  /// The places of an instruction. Those from outside of the body are uniform.
  LanePlaces places_of(ir::InstId id) const;

  // lane_early_loads.cpp
  using OwnComponent = std::pair<uint32_t, uint64_t>;  // array and component
  std::optional<OwnComponent> own_component(ir::InstId load, const ir::Task& task) const;
  void find_early_loads(const ir::Task& task);
  void begin_early_loads();
  llvm::Value* early_value(ir::InstId load);

  // lane_atomics.cpp
  void emit_lane_atomic(ir::InstId id, const ir::Inst& inst);
  /// Combines the numbers of the active lanes.
  llvm::Value* reduced(ir::AtomicOp op, ir::Type type, llvm::Value* vector);
  void emit_lane_by_lane(ir::InstId id, const ir::Inst& inst);
  void end_lane_atomics(llvm::AllocaInst* results = nullptr);
  void emit_lane_turn(llvm::Value* lane, llvm::AllocaInst* results);
  bool passes_lane_atomics(ir::InstId id) const;
  bool may_meet(const ir::Inst& place, const ir::Inst& other) const;
  /// Memory of a vector, to read or change the element of a lane.
  llvm::AllocaInst* kept(llvm::Value* vector);
  llvm::Value* element(llvm::AllocaInst* kept, llvm::Value* lane);
  /// Emits code for each active lane, in order.
  void for_each_lane(llvm::function_ref<void(llvm::Value* lane)> body);
  /// The numbers of the first and the last active lane.
  llvm::Value* first_lane();
  llvm::Value* last_lane();

  /// An atomic operation of one lane after the other, with its operands in memory.
  struct LaneAtomic {
    ir::InstId id;
    LanePlaces places;
    llvm::AllocaInst* offsets;  // null: one place
    llvm::AllocaInst* numbers;
  };

  struct LaneSum {
    ir::InstId variable;
    ir::AtomicOp op;
    llvm::AllocaInst* lanes;
  };

  const passes::Divergence* divergence_ = nullptr;  // null: instructions are emitted for one iteration
  unsigned lanes_ = 0;
  llvm::AllocaInst* mask_ = nullptr;          // the active lanes
  int partly_ = 0;                            // blocks around that not all lanes of a strip may run
  ir::BlockId block_ = ir::BlockId::None;     // that is being emitted
  std::vector<llvm::AllocaInst*> continued_;  // of the divergent loops around: lanes that wait for the next iteration
  std::unordered_map<ir::InstId, llvm::Value*> vectors_;  // values that vary
  std::unordered_map<ir::InstId, LanePlaces> places_;
  std::unordered_map<ir::InstId, llvm::Value*> lane_indices_;               // of a For whose begin varies
  std::unordered_map<ir::InstId, std::vector<llvm::AllocaInst*>> results_;  // of a Call, by lanes
  ir::InstId loop_ = ir::InstId::None;                                      // whose iterations are lanes, along an axis
  uint32_t axis_ = 0;
  llvm::AllocaInst* streams_[2] = {};          // the two words of the states of random numbers; null: none are drawn
  std::optional<RecordStores> record_stores_;  // that wait
  std::map<std::pair<uint32_t, std::vector<ir::InstId>>, uint64_t> components_;  // by array and indices, as bits
  std::unordered_map<ir::InstId, OwnComponent> early_loads_;
  std::map<OwnComponent, llvm::Value*> early_values_;
  llvm::Instruction* early_ = nullptr;    // behind early loads
  std::vector<LaneAtomic> lane_atomics_;  // that wait
  std::vector<LaneSum> sums_;
  std::unordered_set<ir::InstId> used_;  // values that are operands
  /// Offsets, which many accesses have in common, by indices and what these are multiplied with.
  std::map<std::vector<int64_t>, llvm::Instruction*> offsets_;
};

}  // namespace qd::codegen
