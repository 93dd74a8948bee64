// Histograms and their kin, without an atomic for each addition.
//
//   for i in x:
//       bins[x[i] // 10] += 1
//
// Iterations meet at the same elements, so the addition is atomic, and all threads wait for each other. But the task
// does nothing to bins except to add, and the order of additions does not matter. So a part of the task's range works
// on an array of its own, on its stack and without atomics, which device/cpu/combine_arrays.cpp adds to bins at its
// end. Minima, maxima and the bit operations are done in the same way, each beginning with its neutral element
// (`ir::neutral`).
//
// That pays only where the array is small (kBytes) and the part has more additions than the array has elements
// (kAdditionsANumber), and it is right only where nothing else that the task touches is the same memory. Both are known
// only at run time, so the loop is emitted twice, and each part chooses one at its start. late_additions.cpp needs
// less.
#include <algorithm>
#include <set>
#include <unordered_map>

#include "runtime/codegen/cpu/task_emitter.h"
#include "runtime/ir/calls.h"
#include "runtime/ir/same_memory.h"

namespace qd::codegen {

using ir::AtomicOp;
using ir::InstId;
using ir::Op;
using ir::Type;
using llvm::Value;

namespace {

constexpr int64_t kBytes = 512 << 10;         // that a part keeps on its stack, of all its arrays
constexpr int64_t kUnknownBytes = 128 << 10;  // of these for an array whose shape is known at run time alone
constexpr int64_t kManyNumbers = 32 << 10;    // an array of more is beyond the first cache
constexpr size_t kMaxArrays = 4;
constexpr int kMaxInstructions = 1500;    // the largest loop that is emitted twice
constexpr int64_t kAdditionsANumber = 1;  // with fewer, clearing and adding up the array costs more than atomics
constexpr int64_t kAdditionsOfMany = 4;   // the same, for an array of many numbers
constexpr int64_t kLoopIterations = 16;   // of a serial loop in the task whose bounds are no constants

/// Whether the numbers of an array lie one behind the other.
bool is_dense(const ir::Layout& layout) { return layout.stride == 0 && layout.component_stride == 0; }

/// Iterations of a serial loop, as an estimate.
int64_t iterations_of(const ir::Kernel& kernel, const ir::Inst& loop) {
  const auto bounds = kernel.operands_of(loop);
  int64_t product = bounds.empty() ? kLoopIterations : 1;
  for (size_t axis = 0; axis < bounds.size() / 2; ++axis) {
    const ir::Inst &begin = kernel[bounds[2 * axis]], &end = kernel[bounds[2 * axis + 1]];
    const bool constant = begin.op == Op::Const && end.op == Op::Const;
    const int64_t extent = constant ? std::clamp<int64_t>(end.integer() - begin.integer(), 0, kBytes) : kLoopIterations;
    product = std::min(product * extent, kBytes);
  }
  return product;
}

}  // namespace

void TaskEmitter::find_private_arrays() {
  std::map<uint32_t, PrivateArray> found;
  std::set<uint32_t> spoiled;
  std::set<InstId> used;
  std::unordered_map<InstId, int64_t> repeats;  // of an instruction in an iteration, as an estimate
  int size = 0;
  auto visit = [&](auto&& each) {
    for (ir::BlockId block : {task_.prologue, task_.body, task_.epilogue}) {
      if (block != ir::BlockId::None) ir::walk(kernel_, block, each);
    }
  };
  visit([&](InstId id) {
    ++size;
    repeats[id] = 1;
    for (InstId operand : kernel_.operands_of(id)) used.insert(operand);
  });
  if (size > kMaxInstructions && !lane_divergence_) return;
  visit([&](InstId id) {
    const ir::Inst& inst = kernel_[id];
    if (inst.op == Op::For || inst.op == Op::Loop) {
      const int64_t iterations = iterations_of(kernel_, inst);
      for (ir::BlockId block : inst.blocks) {
        if (block == ir::BlockId::None) continue;
        ir::walk(kernel_, block, [&](InstId inner) { repeats[inner] = std::min(repeats[inner] * iterations, kBytes); });
      }
    }
    if (!ir::accesses_memory(inst.op)) return;
    const ir::Inst& place = kernel_[kernel_.operands_of(inst)[0]];
    if (place.op != Op::ElementPtr) return;
    touched_arrays_.insert(place.aux);
    std::optional<AtomicOp> op = inst.op == Op::AtomicRmw ? passes::gathered(inst.atomic_op()) : std::nullopt;
    if (!op || used.contains(id) || ir::bit_width(inst.type) < 32 || !is_dense(kernel_.arrays[place.aux].layout)) {
      spoiled.insert(place.aux);
      return;
    }
    auto [array, is_new] = found.try_emplace(place.aux, PrivateArray{*op, inst.type, 0, 0, nullptr, nullptr});
    if (array->second.op != *op) spoiled.insert(place.aux);
    array->second.additions += repeats[id];
  });
  ir::walk_reached(kernel_, task_, [&](InstId id) {
    if (kernel_[id].op != Op::ElementPtr) return;
    touched_arrays_.insert(kernel_[id].aux);
    spoiled.insert(kernel_[id].aux);
  });
  for (const auto& [key, reduction] : reductions_) {
    if (key.op == Op::ElementPtr) spoiled.insert(key.slot);
  }
  int64_t left = kBytes;
  for (auto& [index, array] : found) {
    const ir::Array& info = kernel_.arrays[index];
    if (spoiled.contains(index) || info.rank == 0 || private_arrays_.size() == kMaxArrays) continue;
    const int64_t size = ir::size_in_bytes(array.type);
    array.capacity = kUnknownBytes / size;
    if (!info.shape.empty()) {
      array.capacity = info.layout.components;
      for (int32_t extent : info.shape) array.capacity = std::min(array.capacity * extent, kBytes + 1);
    }
    if (array.capacity * size > left) continue;
    left -= array.capacity * size;
    private_arrays_.emplace(index, array);
  }
  if (!lane_divergence_) find_late_additions();
}

/// Number of numbers in an array.
Value* TaskEmitter::elements_of(uint32_t array) {
  Value* elements = b_.getInt64(static_cast<uint64_t>(kernel_.arrays[array].layout.components));
  for (uint32_t axis = 0; axis < static_cast<uint32_t>(kernel_.arrays[array].rank); ++axis) {
    elements = b_.CreateMul(elements, b_.CreateZExt(array_shape(array, axis), b_.getInt64Ty()));
  }
  return elements;
}

/// Whether another array may be the same memory as one of the part.
bool TaskEmitter::may_meet(uint32_t array, uint32_t other) const {
  return array != other && ir::may_be_same_memory(kernel_, array, other);
}

/// Whether the part uses arrays of its own: they are small, the part is long, and no other array that it touches is the
/// same memory.
Value* TaskEmitter::worth_private_arrays() {
  Value* worth = b_.getTrue();
  Value* iterations = b_.CreateSub(function_->getArg(3), function_->getArg(2));
  auto end_of = [&](uint32_t array, Value* elements) {
    Value* bytes =
        b_.CreateMul(elements, b_.getInt64(static_cast<uint64_t>(ir::size_in_bytes(kernel_.arrays[array].type))));
    return b_.CreateInBoundsGEP(b_.getInt8Ty(), array_data(array), bytes);
  };
  for (auto& [index, array] : private_arrays_) {
    array.elements = elements_of(index);
    Value* additions = b_.CreateMul(iterations, b_.getInt64(static_cast<uint64_t>(array.additions)));
    Value* many = b_.CreateICmpUGT(array.elements, b_.getInt64(kManyNumbers));
    Value* a_number = b_.CreateSelect(many, b_.getInt64(kAdditionsOfMany), b_.getInt64(kAdditionsANumber));
    Value* wanted = b_.CreateMul(array.elements, b_.CreateMul(a_number, b_.getInt64(private_arrays_.size())));
    worth = b_.CreateAnd(worth, b_.CreateICmpSGE(additions, wanted));
    worth = b_.CreateAnd(worth, b_.CreateICmpULE(array.elements, b_.getInt64(static_cast<uint64_t>(array.capacity))));
    for (uint32_t other : touched_arrays_) {
      if (!may_meet(index, other) || !is_dense(kernel_.arrays[other].layout)) continue;
      Value* before = b_.CreateICmpULE(end_of(index, array.elements), array_data(other));
      Value* behind = b_.CreateICmpULE(end_of(other, elements_of(other)), array_data(index));
      worth = b_.CreateAnd(worth, b_.CreateOr(before, behind));
    }
  }
  return worth;
}

/// Gives a part an array of its own, of neutral elements.
void TaskEmitter::begin_private_array(PrivateArray& array) {
  llvm::Type* type = arithmetic_.type(array.type);
  array.memory = local(llvm::ArrayType::get(type, static_cast<uint64_t>(array.capacity)), "own");
  llvm::Constant* neutral = arithmetic_.neutral(array.op, array.type);
  llvm::BranchInst* back = emit_loop({b_.getInt64(0), array.elements, Type::U64}, "element", [&](Value* index) {
    b_.CreateStore(neutral, b_.CreateInBoundsGEP(type, array.memory, index));
    return b_.CreateAdd(index, b_.getInt64(1));
  });
  // Unrolled, it would be long, and not faster: it goes once over a small array.
  llvm::LLVMContext& context = b_.getContext();
  llvm::MDNode* once = llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.disable"));
  llvm::MDNode* loop = llvm::MDNode::getDistinct(context, {nullptr, once});
  loop->replaceOperandWith(0, loop);
  back->setMetadata(llvm::LLVMContext::MD_loop, loop);
}

void TaskEmitter::emit_parallel_twice() {
  private_used_ = local(b_.getInt1Ty(), "private");
  entry_.CreateStore(b_.getFalse(), private_used_);
  llvm::BasicBlock* own = new_block("private");
  llvm::BasicBlock* shared = new_block("shared");
  llvm::BasicBlock* done = new_block("parallel.done");
  b_.CreateCondBr(worth_private_arrays(), own, shared);
  b_.SetInsertPoint(own);
  b_.CreateStore(b_.getTrue(), private_used_);
  for (auto& [_, array] : private_arrays_) begin_private_array(array);
  if (late_.always || lane_divergence_) {  // the loop is the same for both, but for the additions
    branch(shared);
    b_.SetInsertPoint(shared);
    emit_parallel();
    branch(done);
    b_.SetInsertPoint(done);
    return;
  }
  private_ = true;
  emit_parallel();
  private_ = false;
  branch(done);
  b_.SetInsertPoint(shared);
  emit_parallel();
  branch(done);
  b_.SetInsertPoint(done);
}

/// Emits additions of lanes, which go to the part's own arrays or to shared ones.
void TaskEmitter::emit_lane_additions(llvm::function_ref<void()> additions) {
  if (private_arrays_.empty()) return additions();
  llvm::BasicBlock* own = new_block("private");
  llvm::BasicBlock* shared = new_block("shared");
  llvm::BasicBlock* done = new_block("added");
  b_.CreateCondBr(b_.CreateLoad(b_.getInt1Ty(), private_used_), own, shared);
  for (llvm::BasicBlock* block : {own, shared}) {
    b_.SetInsertPoint(block);
    private_ = block == own;
    additions();
    b_.CreateBr(done);
  }
  private_ = false;
  b_.SetInsertPoint(done);
}

bool TaskEmitter::change_private(const ir::Inst& inst, const MemoryOperand& place) {
  if (!(private_ || late_.begin) || !is_private(kernel_.operands_of(inst)[0])) return false;
  if (late_.begin) {
    for (InstId operand : kernel_.operands_of(inst)) keep(operand);
    return true;
  }
  // Not annotated like other accesses: here the iterations of a part do depend on each other.
  llvm::Type* type = arithmetic_.type(inst.type);
  Value* address = place.address;
  if (lane_divergence_) {  // addresses of lanes are those of the shared array
    const auto number = [&](Value* pointer) { return b_.CreatePtrToInt(pointer, b_.getInt64Ty()); };
    Value* distance = b_.CreateSub(number(address), number(shared_data(place.array)));
    address = b_.CreateInBoundsGEP(b_.getInt8Ty(), array_data(place.array), distance);
  }
  Value* old = b_.CreateLoad(type, address);
  b_.CreateStore(arithmetic_.atomic_result(inst.atomic_op(), inst.type, old, value(kernel_.operands_of(inst)[1])),
                 address);
  return true;
}

void TaskEmitter::flush_private_arrays() {
  if (private_arrays_.empty()) return;
  llvm::BasicBlock* flush = new_block("flush");
  llvm::BasicBlock* done = new_block("flushed");
  b_.CreateCondBr(b_.CreateLoad(b_.getInt1Ty(), private_used_), flush, done);
  b_.SetInsertPoint(flush);
  llvm::Type *pointer = b_.getPtrTy(), *word = b_.getInt32Ty();
  auto* type = llvm::FunctionType::get(b_.getVoidTy(), {pointer, pointer, b_.getInt64Ty(), word, word}, false);
  Value* combine = context_field(offsetof(LaunchContext, combine), pointer);
  for (auto& [index, array] : private_arrays_) {
    llvm::CallInst* call =
        b_.CreateCall(type, combine,
                      {array_data(index), array.memory, elements_of(index),
                       b_.getInt32(static_cast<uint32_t>(array.op)), b_.getInt32(static_cast<uint32_t>(array.type))});
    // Otherwise any access in the loop might be one of the part's array.
    call->addParamAttr(1, llvm::Attribute::NoCapture);
    call->addParamAttr(1, llvm::Attribute::ReadOnly);
  }
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

}  // namespace qd::codegen
