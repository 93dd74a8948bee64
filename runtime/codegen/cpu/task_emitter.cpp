// The function of a task: the loop over a part of the iterations, and the exit that writes sums and counters to memory.
#include "runtime/codegen/cpu/emit.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/codegen/cpu/fixed_arithmetic.h"
#include "runtime/codegen/cpu/lane_choice.h"
#include "runtime/codegen/cpu/task_emitter.h"
#include "runtime/ir/calls.h"

namespace qd::codegen {

using llvm::Value;

namespace {

/// Largest number of iterations of a strip that counts. Times kMaxKnownTrips this stays below 2^32.
constexpr int64_t kStrip = int64_t{1} << 24;

llvm::Function* declare_task(const std::string& symbol, llvm::Module& llvm_module) {
  llvm::LLVMContext& context = llvm_module.getContext();
  llvm::Type* pointer = llvm::PointerType::getUnqual(context);
  llvm::Type* word = llvm::Type::getInt64Ty(context);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer, word, word}, false);
  auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, symbol, llvm_module);
  for (unsigned i = 0; i < 4; ++i) function->getArg(i)->setName(std::array{"context", "thread", "begin", "end"}[i]);
  return function;
}

/// The form of a task.
struct TaskForm {
  std::optional<passes::Divergence> divergence = {};  // of a parallel task
  LaneChoice choice = {};
};

std::vector<TaskForm> choose_forms(const ir::Kernel& kernel) {
  std::vector<TaskForm> forms(kernel.tasks.size());
  for (size_t i = 0; i < forms.size(); ++i) {
    const ir::Task& task = kernel.tasks[i];
    if (task.kind != ir::Task::Kind::Parallel) continue;
    forms[i].divergence.emplace(kernel, task);
    forms[i].choice = choose_lanes(kernel, task, *forms[i].divergence);
  }
  return forms;
}

}  // namespace

std::unique_ptr<llvm::Module> emit(const ir::Kernel& kernel, const Options& options, llvm::LLVMContext& llvm_context,
                                   Binary& binary) {
  auto llvm_module = std::make_unique<llvm::Module>(kernel.name, llvm_context);
  llvm::Type* pointer = llvm::PointerType::get(llvm_context, 0);
  const RoutineFunctions routines =  // which take the context and the thread
      declare_routines(kernel, *llvm_module, std::array{pointer, pointer}, llvm::Type::getInt1Ty(llvm_context));
  const std::vector<TaskForm> forms = choose_forms(kernel);
  for (uint32_t i = 0; i < forms.size(); ++i) {
    if (forms[i].choice.other) binary.unsure.push_back(i);
  }
  const std::optional<ir::Kernel> fixed = options.fast_math && !binary.unsure.empty()
                                              ? std::optional(with_fixed_arithmetic(kernel, binary.unsure))
                                              : std::nullopt;
  for (size_t i = 0; i < kernel.tasks.size(); ++i) {
    const std::optional<LaneShape>& other = forms[i].choice.other;
    if (options.other_forms && !other) continue;
    const LaneShape shape = options.other_forms ? *other : forms[i].choice.shape;
    binary.symbols.push_back(kernel.name + "." + std::to_string(i));
    binary.lanes.push_back(std::max(1U, shape.lanes));
    const ir::Kernel& from = other && fixed ? *fixed : kernel;
    TaskEmitter emitter(from, from.tasks[i], declare_task(binary.symbols.back(), *llvm_module), routines, options);
    if (&from != &kernel) emitter.use_fixed_arithmetic();
    if (shape.lanes > 0)
      emitter.use_lanes(shape, &from == &kernel ? *forms[i].divergence : passes::Divergence(from, from.tasks[i]));
    emitter.emit();
  }
  for (size_t i = 0; i < kernel.routines.size(); ++i) {
    ir::Task body;
    body.body = kernel.routines[i].body;
    TaskEmitter(kernel, body, routines.functions[i], routines, options).emit_routine(static_cast<uint32_t>(i));
  }
  return llvm_module;
}

TaskEmitter::TaskEmitter(const ir::Kernel& kernel, const ir::Task& task, llvm::Function* function,
                         const RoutineFunctions& routines, const Options& options)
    : LaneEmitter(kernel, function, options),
      task_(task),
      routines_(routines),
      context_(function->getArg(0)),
      thread_(function->getArg(1)) {
  function_->addParamAttr(1, llvm::Attribute::NoAlias);
}

void TaskEmitter::emit() {
  find_reductions();
  find_count_places();
  find_draws();
  ir::walk_reached(kernel_, task_, [&](ir::InstId id) { tell_iteration_ |= kernel_[id].op == ir::Op::Iteration; });
  if (task_.kind == ir::Task::Kind::Parallel) {
    find_private_arrays();
    if (private_arrays_.empty()) {
      emit_parallel();
    } else {
      emit_parallel_twice();
    }
  } else {
    emit_block(task_.body);
  }
  branch(exit_);
  finish();
}

Value* TaskEmitter::bound(const ir::Bound& bound) {
  Value* value = nullptr;
  switch (bound.kind) {
    case ir::Bound::Kind::Const: return b_.getInt64(static_cast<uint64_t>(bound.value));
    case ir::Bound::Kind::Shape: return entry_.CreateSExt(array_shape(bound.value, bound.axis), b_.getInt64Ty());
    case ir::Bound::Kind::Temp: value = entry_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), temps(), bound.value); break;
    case ir::Bound::Kind::Param:
      value = entry_.CreateConstInBoundsGEP1_64(
          b_.getInt64Ty(), context_field(offsetof(LaunchContext, params), b_.getPtrTy()), bound.value);
      break;
  }
  Value* word = entry_.CreateAlignedLoad(arithmetic_.type(bound.type), value, llvm::Align(8));
  return entry_.CreateIntCast(word, b_.getInt64Ty(), ir::is_signed(bound.type));
}

void TaskEmitter::use_lanes(const LaneShape& shape, passes::Divergence divergence) {
  lane_shape_ = shape;
  function_->addFnAttr(kLanesAttribute);
  lane_divergence_.emplace(std::move(divergence));
}

/// The number of the present iteration of a parallel task, over all axes.
Value* TaskEmitter::iteration() {
  if (is_routine_)
    return b_.CreateAlignedLoad(b_.getInt64Ty(), thread_field(offsetof(ThreadState, iteration)), llvm::Align(8));
  Value* number = b_.getInt64(0);
  for (size_t axis = 0; 2 * axis + 1 < task_.bounds.size(); ++axis) {
    Value* begin = bound(task_.bounds[2 * axis]);
    Value* extent = b_.CreateSub(bound(task_.bounds[2 * axis + 1]), begin);
    number = b_.CreateAdd(b_.CreateMul(number, extent), b_.CreateSub(indices_.at(task_.loop)[axis], begin));
  }
  return number;
}

void TaskEmitter::emit_parallel() {
  llvm::LLVMContext& context = b_.getContext();
  std::vector<Range> axes;
  for (size_t i = 0; i + 1 < task_.bounds.size(); i += 2)
    axes.push_back({bound(task_.bounds[i]), bound(task_.bounds[i + 1]), task_.bounds[i].type});
  if (task_.prologue != ir::BlockId::None) emit_block(task_.prologue);
  access_group_ = llvm::MDNode::getDistinct(context, {});
  indices_[task_.loop].resize(axes.size());
  if (lane_divergence_) begin_lane_sums(*lane_divergence_, lane_shape_.lanes, task_);
  if (axes.size() == 1) {
    emit_part(0, part_of(axes[0], function_->getArg(2), function_->getArg(3)));
  } else {
    emit_rows(axes);
  }
  if (lane_divergence_) end_lane_sums();
  if (task_.epilogue != ir::BlockId::None) {
    access_group_ = nullptr;
    emit_block(task_.epilogue);
  }
}

/// Emits the part [begin, end) of the iterations over several axes as rows of the last axis. So there is one division
/// for each row, and the inner loop is as simple as that of a single axis.
void TaskEmitter::emit_rows(const std::vector<Range>& axes) {
  llvm::Type* word = b_.getInt64Ty();
  const uint32_t last = static_cast<uint32_t>(axes.size()) - 1;
  std::vector<Value*> extents;
  for (const Range& axis : axes) extents.push_back(b_.CreateSub(axis.end, axis.begin, "", false, axis.is_signed()));
  Value* begin = function_->getArg(2);
  Value* end = function_->getArg(3);
  llvm::BasicBlock* divide = new_block("rows");
  llvm::BasicBlock* header = new_block("row");
  llvm::BasicBlock* next = new_block("row.next");
  llvm::BasicBlock* done = new_block("rows.done");
  // The extent of an empty axis is 0: the code must not divide by it.
  b_.CreateCondBr(b_.CreateICmpSLT(begin, end), divide, done);
  b_.SetInsertPoint(divide);
  Value* first_row = b_.CreateUDiv(begin, extents[last]);
  b_.CreateBr(header);

  b_.SetInsertPoint(header);
  llvm::PHINode* row = b_.CreatePHI(word, 2);
  row->addIncoming(first_row, divide);
  Value* row_begin = b_.CreateNSWMul(row, extents[last]);
  Value* rest = row;
  for (uint32_t axis = last; axis-- > 0;) {
    Value* index = rest;
    if (axis > 0) {
      Value* quotient = b_.CreateUDiv(rest, extents[axis]);
      index = b_.CreateNSWSub(rest, b_.CreateNSWMul(quotient, extents[axis]));
      rest = quotient;
    }
    indices_[task_.loop][axis] = plus(axes[axis], axes[axis].begin, index);
  }
  Value* from = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, b_.CreateNSWSub(begin, row_begin), b_.getInt64(0));
  Value* to = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, b_.CreateNSWSub(end, row_begin), extents[last]);
  emit_part(last, part_of(axes[last], from, to));
  b_.CreateBr(next);

  b_.SetInsertPoint(next);
  Value* following = b_.CreateNSWAdd(row, b_.getInt64(1));
  row->addIncoming(following, next);
  b_.CreateCondBr(b_.CreateICmpSLT(b_.CreateNSWMul(following, extents[last]), end), header, done);
  b_.SetInsertPoint(done);
}

/// Emits the innermost loop of a parallel task.
void TaskEmitter::emit_part(uint32_t axis, Range range) {
  if (!lane_divergence_) return emit_single(axis, range);
  if (!last_axis_may_be_short()) return emit_together(axis, range);
  llvm::BasicBlock* together = new_block("together");
  llvm::BasicBlock* single = new_block("single");
  llvm::BasicBlock* done = new_block("part.done");
  Value* extent = b_.CreateSub(bound(task_.bounds.back()), bound(task_.bounds[task_.bounds.size() - 2]));
  b_.CreateCondBr(b_.CreateICmpULT(extent, b_.getInt64(kFewestLanes)), single, together);
  b_.SetInsertPoint(together);
  emit_together(axis, range);
  b_.CreateBr(done);
  b_.SetInsertPoint(single);
  emit_single(axis, range);
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

/// Whether there are several axes, of which the last one may be too short for lanes.
bool TaskEmitter::last_axis_may_be_short() const {
  const ir::Bound &begin = task_.bounds[task_.bounds.size() - 2], &end = task_.bounds.back();
  const bool known = begin.kind == ir::Bound::Kind::Const && end.kind == ir::Bound::Kind::Const;
  return task_.bounds.size() > 2 && (!known || end.value - begin.value < kFewestLanes);
}

/// Emits a loop over strips of iterations that are lanes.
void TaskEmitter::emit_together(uint32_t axis, Range range) {
  // Such a loop is none whose accesses LLVM should take for independent.
  llvm::MDNode* group = std::exchange(access_group_, nullptr);
  emit_strips(range, lane_shape_.lanes,
              [&](Range strip) { emit_lanes(*lane_divergence_, lane_shape_, axis, strip, task_); });
  access_group_ = group;
}

/// Emits a loop over iterations that run one after the other. Where an iteration may add more than one to a counter,
/// the loop runs in strips that are too short for 32-bit sums to overflow.
void TaskEmitter::emit_single(uint32_t axis, Range range) {
  if (late_.any() && (private_ || late_.always)) {
    emit_strips(range, LateAdditions::kStrip, [&](Range strip) { emit_strip(axis, strip); });
  } else if (needs_strips()) {
    emit_strips(range, kStrip, [&](Range strip) {
      task_trips_ = 1;
      emit_axis(task_.loop, axis, strip, task_.body, nullptr);
    });
  } else {
    emit_axis(task_.loop, axis, range, task_.body, nullptr);
  }
}

llvm::BranchInst* TaskEmitter::emit_loop(const Range& range, const char* name,
                                         llvm::function_ref<Value*(Value*)> body) {
  llvm::BasicBlock* before = b_.GetInsertBlock();
  llvm::BasicBlock* header = new_block(name);
  llvm::BasicBlock* inside = llvm::BasicBlock::Create(b_.getContext(), llvm::Twine(name) + ".body", function_);
  llvm::BasicBlock* done = llvm::BasicBlock::Create(b_.getContext(), llvm::Twine(name) + ".done", function_);
  b_.CreateBr(header);
  b_.SetInsertPoint(header);
  llvm::PHINode* index = b_.CreatePHI(b_.getInt64Ty(), 2);
  index->addIncoming(range.begin, before);
  b_.CreateCondBr(below(range, index), inside, done);
  b_.SetInsertPoint(inside);
  Value* following = body(index);
  index->addIncoming(following, b_.GetInsertBlock());
  llvm::BranchInst* back = b_.CreateBr(header);
  b_.SetInsertPoint(done);
  return back;
}

void TaskEmitter::emit_strips(const Range& range, int64_t length, llvm::function_ref<void(Range)> body) {
  emit_loop(range, "strip", [&](Value* begin) {
    Value* end = nullptr;
    if (ir::bit_width(range.counts) == 64) {  // where begin + length might be too large
      Value* left = b_.CreateSub(range.end, begin);
      end = b_.CreateAdd(begin, b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, b_.getInt64(length)));
    } else {
      end = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, b_.CreateNSWAdd(begin, b_.getInt64(length)), range.end);
    }
    body(Range{begin, end, range.counts});
    return end;
  });
}

/// Ends a task: writes the results of reductions and counters to memory.
void TaskEmitter::finish() {
  llvm::Type* word = b_.getInt64Ty();
  b_.SetInsertPoint(exit_);
  flush_reductions();
  flush_private_arrays();
  const ir::CounterRanges counters = ir::counters_of(kernel_, task_);
  if (counters.words() > 0) {
    Value* words =
        b_.CreateAlignedLoad(b_.getPtrTy(), thread_field(offsetof(ThreadState, counts)), llvm::Align(8), "counts");
    for (const ir::CounterRange& range : counters) {
      for (uint32_t i = 0; i < range.size; ++i) {
        auto found = counters_.find({range.rule, range.first + i});  // not there: nothing leads to it
        Value* value = b_.getInt64(0);
        if (found != counters_.end())
          value = b_.CreateZExt(b_.CreateLoad(found->second->getAllocatedType(), found->second), word);
        b_.CreateAlignedStore(value, b_.CreateConstInBoundsGEP1_64(word, words, range.word + i), llvm::Align(8));
      }
    }
  }
  b_.CreateRetVoid();
}

}  // namespace qd::codegen
