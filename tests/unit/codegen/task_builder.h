// Kernels of one task, built instruction by instruction and run from the test.
#pragma once

#include <bit>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/abi/launch_context.h"
#include "runtime/codegen/cpu/compile.h"
#include "runtime/device/cpu/combine_arrays.h"
#include "runtime/device/cpu/loader.h"
#include "runtime/ir/builder.h"
#include "runtime/ir/counters.h"

namespace qd::codegen::testing {

template <class T>
constexpr ir::Type type_of() {
  if constexpr (std::is_same_v<T, bool>) return ir::Type::U1;
  if constexpr (std::is_same_v<T, float>) return ir::Type::F32;
  if constexpr (std::is_same_v<T, double>) return ir::Type::F64;
  constexpr ir::Type kSigned[] = {ir::Type::I8, ir::Type::I16, ir::Type::I32, ir::Type::I64};
  constexpr ir::Type kUnsigned[] = {ir::Type::U8, ir::Type::U16, ir::Type::U32, ir::Type::U64};
  return (std::is_signed_v<T> ? kSigned : kUnsigned)[std::countr_zero(sizeof(T))];
}

class TaskBuilder {
 public:
  /// Parallel over these bounds, begin and end of each axis; serial when there are none.
  explicit TaskBuilder(std::vector<int32_t> bounds) {
    kernel.name = "test";
    kernel.loops.emplace_back();
    task.body = kernel.add_block();
    block = task.body;
    if (!bounds.empty()) {
      task.kind = ir::Task::Kind::Parallel;
      task.prologue = kernel.add_block();
      task.loop = ir::Builder(kernel).inst(ir::Op::For, ir::Type::Void);
      for (int32_t bound : bounds) task.bounds.push_back({ir::Bound::Kind::Const, bound, 0});
    }
  }

  ir::InstId inst(ir::Op op, ir::Type type, uint32_t aux, std::vector<ir::InstId> operands, uint64_t imm = 0) {
    return ir::Builder(kernel, block).inst(op, type, operands, aux, imm);
  }
  ir::InstId constant(int32_t value) {
    return inst(ir::Op::Const, ir::Type::I32, 0, {}, static_cast<uint64_t>(int64_t{value}));
  }
  ir::InstId truth(bool value) { return inst(ir::Op::Const, ir::Type::U1, 0, {}, value); }
  ir::InstId index(uint64_t axis = 0) {
    return inst(ir::Op::LoopIndex, ir::Type::I32, static_cast<uint32_t>(task.loop), {}, axis);
  }
  ir::InstId index_of(ir::InstId loop, uint64_t axis = 0) {
    return inst(ir::Op::LoopIndex, ir::Type::I32, static_cast<uint32_t>(loop), {}, axis);
  }
  ir::InstId element(uint32_t array, std::vector<ir::InstId> indices) {
    return inst(ir::Op::ElementPtr, kernel.arrays[array].type, array, std::move(indices));
  }
  ir::InstId load(ir::InstId place) { return inst(ir::Op::Load, kernel[place].type, 0, {place}); }
  void store(ir::InstId place, ir::InstId value) { inst(ir::Op::Store, ir::Type::Void, 0, {place, value}); }
  ir::InstId binary(ir::BinaryOp op, ir::InstId a, ir::InstId b) {
    return inst(ir::Op::Binary, kernel[a].type, static_cast<uint32_t>(op), {a, b});
  }
  ir::InstId compare(ir::CompareOp op, ir::InstId a, ir::InstId b) {
    return inst(ir::Op::Compare, ir::Type::U1, static_cast<uint32_t>(op), {a, b});
  }
  ir::InstId cast(ir::Type type, ir::InstId a) { return inst(ir::Op::Cast, type, 0, {a}); }
  void count(uint32_t counter, ir::InstId amount) { inst(ir::Op::Count, ir::Type::Void, counter, {amount}); }

  /// An instruction with blocks; the body is what `fill` appends.
  template <class... Fill>
  ir::InstId nested(ir::Op op, std::vector<ir::InstId> operands, Fill&&... fill) {
    ir::InstId id = inst(op, ir::Type::Void, 0, std::move(operands));
    ir::BlockId outer = block;
    size_t i = 0;
    auto one = [&](auto&& body) {
      ir::BlockId inner = kernel.add_block();
      kernel[id].blocks[i++] = inner;
      block = inner;
      if constexpr (std::is_invocable_v<decltype(body), ir::InstId>) {
        body(id);
      } else {
        body();
      }
      block = outer;
    };
    (one(fill), ...);
    if (op == ir::Op::If && i == 1) kernel[id].blocks[1] = kernel.add_block();
    return id;
  }

  template <class T>
  uint32_t array(std::vector<T>& data, std::vector<int32_t> shape) {
    ArraySlot slot{data.data(), {}};
    std::copy(shape.begin(), shape.end(), slot.shape);
    return add_array(type_of<T>(), slot, shape.size());
  }
  uint32_t add_array(ir::Type type, ArraySlot slot, size_t rank) {
    kernel.arrays.push_back({ir::Array::Kind::Parameter,
                             "a" + std::to_string(kernel.arrays.size()),
                             type,
                             static_cast<int32_t>(rank),
                             {},
                             0});
    slots.push_back(slot);
    return static_cast<uint32_t>(slots.size() - 1);
  }

  /// Compiles on the first call; the task runs on the calling thread. False when an assert failed.
  bool run(int64_t begin, int64_t end, bool fast_math = false) {
    if (!code_) {
      kernel.tasks = {task};
      kernel.schedule = ir::in_order(1);
      kernel.counters = static_cast<uint32_t>(counters.size());
      std::vector<std::string> errors = ir::verify(kernel);
      if (!errors.empty()) throw std::runtime_error(errors[0]);
      Options options;
      options.fast_math = fast_math;
      Binary object = compile(kernel, options);
      code_ = device::load(object.code, object.symbols);
    }
    failures.clear();
    LaunchContext context{slots.data(),
                          params.data(),
                          results,
                          temps,
                          counters.data(),
                          note<&TaskBuilder::prints>,
                          note<&TaskBuilder::failures>,
                          this,
                          note<&TaskBuilder::failures>,
                          note_call,
                          nullptr,
                          device::combine_arrays};
    const ir::CounterRanges ranges = ir::counters_of(kernel, kernel.tasks[0]);
    std::vector<uint64_t> words(ranges.words());
    thread.counts = words.data();
    code_->functions()[0](&context, &thread, begin, end);
    for (const auto& [rule, first, size, word] : ranges)
      for (uint32_t i = 0; i < size; ++i)
        counters[first + i] = ir::combined(rule, counters[first + i], words[word + i]);
    return failures.empty();
  }

  struct Note {
    uint32_t format;
    std::vector<uint64_t> values;
  };
  ir::Kernel kernel;
  ir::Task task;
  ir::BlockId block;
  std::vector<ArraySlot> slots;
  std::vector<uint64_t> params;
  uint64_t results[8] = {};
  uint64_t temps[8] = {};
  std::vector<uint64_t> counters;
  ThreadState thread{{1, 2}};
  std::vector<Note> prints;
  std::vector<Note> failures;
  std::vector<uint64_t> calls;  // that a failure has come through

 private:
  static void note_call(LaunchContext* context, uint64_t place) {
    static_cast<TaskBuilder*>(context->launcher)->calls.push_back(place);
  }
  template <auto member>
  static void note(LaunchContext* context, uint32_t format, const uint64_t* values) {
    auto& self = *static_cast<TaskBuilder*>(context->launcher);
    (self.*member).push_back({format, {values, values + self.kernel.formats[format].types.size()}});
  }

  std::unique_ptr<device::LoadedObject> code_;
};

}  // namespace qd::codegen::testing
