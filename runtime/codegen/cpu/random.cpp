// Random numbers of parallel tasks. Each iteration begins with a state of its own, so it draws the same numbers on any
// thread, alone or as a lane.
#include "runtime/codegen/cpu/task_emitter.h"
#include "runtime/ir/calls.h"
#include "runtime/ir/walk.h"

namespace qd::codegen {

using ir::Op;
using llvm::Value;

/// Finds out whether a parallel task draws random numbers, and makes the place of an iteration's state. Routines draw
/// from the thread's.
void TaskEmitter::find_draws() {
  if (task_.kind != ir::Task::Kind::Parallel) return;
  ir::walk_reached(kernel_, task_, [&](ir::InstId id) { draws_in_routines_ |= kernel_[id].op == Op::Random; });
  draws_ = draws_in_routines_;
  ir::walk(kernel_, task_.body, [&](ir::InstId id) { draws_ |= kernel_[id].op == Op::Random; });
  if (!draws_) return;
  llvm::Type* word = b_.getInt64Ty();
  seed_ = entry_.CreateAlignedLoad(word, thread_, llvm::Align(8), "seed");
  if (!draws_in_routines_) random_ = local(llvm::ArrayType::get(word, 2), "random");
}

/// Sets the state of the iteration that begins.
void TaskEmitter::begin_random() {
  if (!draws_) return;
  const auto [first, second] = iteration_stream(iteration());
  b_.CreateAlignedStore(first, random_state(), llvm::Align(8));
  b_.CreateAlignedStore(second, b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), random_state(), 1), llvm::Align(8));
}

/// The states with which iterations of these numbers begin, as device::random_state computes them.
std::pair<Value*, Value*> TaskEmitter::iteration_stream(Value* iterations) {
  if (!draws_) return {};
  llvm::Type* type = iterations->getType();
  constexpr uint64_t kStep = 0x9e3779b97f4a7c15u;
  const auto number = [&](uint64_t n) { return llvm::ConstantInt::get(type, n); };
  const auto mixed = [&](Value* z) {
    z = b_.CreateMul(b_.CreateXor(z, b_.CreateLShr(z, number(30))), number(0xbf58476d1ce4e5b9u));
    z = b_.CreateMul(b_.CreateXor(z, b_.CreateLShr(z, number(27))), number(0x94d049bb133111ebu));
    return b_.CreateXor(z, b_.CreateLShr(z, number(31)));
  };
  Value* seed = seed_;
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    seed = b_.CreateVectorSplat(vector->getNumElements(), seed);
  Value* before = b_.CreateAdd(seed, b_.CreateMul(iterations, number(2 * kStep)));
  return {mixed(b_.CreateAdd(before, number(kStep))), mixed(b_.CreateAdd(before, number(2 * kStep)))};
}

}  // namespace qd::codegen
