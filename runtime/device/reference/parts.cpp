// Tasks, and the loops over their iterations.
#include <algorithm>

#include "runtime/device/reference/kernel_interpreter.h"
#include "runtime/device/reference/scalar.h"
#include "runtime/device/seeds.h"
#include "runtime/ir/calls.h"
#include "runtime/ir/iterations.h"

namespace qd::device::reference {

using ir::BlockId;
using ir::InstId;
using ir::Op;

namespace {

bool task_draws(const ir::Kernel& kernel, const ir::Task& task) {
  bool draws = false;
  auto look = [&](InstId id) { draws |= kernel[id].op == Op::Random; };
  for (BlockId block : {task.prologue, task.body, task.epilogue}) ir::walk(kernel, block, look);
  ir::walk_reached(kernel, task, look);
  return draws;
}

}  // namespace

KernelInterpreter::KernelInterpreter(const ir::Kernel& kernel, const Bindings& bindings, Options options)
    : kernel_(kernel),
      bindings_(bindings),
      options_(std::move(options)),
      checks_(options_.check),
      layout_(kernel),
      task_seed_(options_.seed),
      shared_(kernel.insts.size()) {
  for (const ir::Task& task : kernel.tasks) draws_.push_back(task_draws(kernel, task));
}

int64_t KernelInterpreter::bound(const ir::Bound& bound) const {
  switch (bound.kind) {
    case ir::Bound::Kind::Const: return bound.value;
    case ir::Bound::Kind::Temp: return ir::bound_in_word(bound, bindings_.temps[bound.value]);
    case ir::Bound::Kind::Shape: return extent(static_cast<uint32_t>(bound.value), static_cast<size_t>(bound.axis));
    case ir::Bound::Kind::Param: return ir::bound_in_word(bound, bindings_.params[bound.value]);
  }
  return 0;
}

int64_t KernelInterpreter::iterations(const ir::Task& task) const {
  return ir::iterations(task.bounds, [&](const ir::Bound& bound) { return this->bound(bound); });
}

void KernelInterpreter::enter(size_t depth, uint32_t words) {
  depth_ = depth;
  while (activations_.size() <= depth) activations_.emplace_back();
  Activation& activation = activations_[depth];
  if (activation.words.size() < words) activation.words.resize(words);
  if (checks_) activation.known.assign(activation.words.size(), 0);
  frame_ = activation.words.data();
  known_ = activation.known.data();
}

/// Makes all values unknown: no value of one task, or of one part, may be used in the next.
void KernelInterpreter::forget() {
  if (checks_) std::ranges::fill(activations_[depth_].known, uint8_t{0});
}

bool KernelInterpreter::run_body() {
  enter(0, layout_.kernel_size());
  start_random(0);
  top_ = true;
  block(kernel_.body);
  return over();
}

bool KernelInterpreter::run_task(size_t index, uint32_t section) {
  const ir::Task& task = kernel_.tasks[index];
  section_ = section;
  enter(0, layout_.kernel_size());
  iteration_ = 0;
  if (draws_[index]) {
    uint64_t seed = options_.seed + drawing_tasks_++;
    task_seed_ = next_seed(seed);
  }
  if (task.kind == ir::Task::Kind::Serial) {
    start_random(0);
    block(task.body);
    return over();
  }
  const size_t axes = task.bounds.size() / 2;
  uint64_t* words = frame_ + layout_.at(task.loop);
  for (size_t axis = 0; axis < axes; axis++) {
    words[axes + axis] = static_cast<uint64_t>(bound(task.bounds[2 * axis]));
    words[2 * axes + axis] = static_cast<uint64_t>(bound(task.bounds[2 * axis + 1]));
  }
  const int64_t all = iterations(task);
  ir::require_countable(all);
  if (all > 0) parallel(task.loop, axes, task.prologue, task.body, task.epilogue);
  return over();
}

/// Ends a task. Reports the assert that failed, if one did, now that the calls around it are known.
bool KernelInterpreter::over() {
  if (!failure_) return true;
  if (options_.tell)
    options_.tell({Message::Kind::Assert, failure_->format, failure_->iteration, failure_->values, failure_->calls});
  return false;
}

/// Sets the state of random numbers for an iteration.
void KernelInterpreter::start_random(int64_t iteration) { random_ = random_state(task_seed_, iteration); }

/// Runs all iterations, the last axis fastest. In a kernel that is not cut into tasks there is no prologue, and the
/// loop is a part of the body.
void KernelInterpreter::parallel(InstId loop, size_t axes, BlockId prologue, BlockId body, BlockId epilogue) {
  const bool is_task = kernel_.body == BlockId::None;
  races_.begin_loop();
  iteration_ = 0;
  run_through(loop, axes, [&] {
    if (is_task && (iteration_ == 0 || (options_.chunk > 0 && iteration_ % options_.chunk == 0))) {
      if (iteration_ > 0 && epilogue != BlockId::None) block(epilogue);
      forget();
      if (prologue != BlockId::None) block(prologue);
    }
    if (is_task) start_random(iteration_);
    inside_ = true;
    const Flow flow = block(body);
    inside_ = false;
    iteration_++;
    return flow;
  });
  if (iteration_ > 0 && epilogue != BlockId::None && !failure_) block(epilogue);
  iteration_ = 0;
  races_.end_loop();
}

/// Runs the body for each index between the bounds, which are in the words of the loop. No axis is empty.
template <class Body>
KernelInterpreter::Flow KernelInterpreter::run_through(InstId loop, size_t axes, Body&& body) {
  uint64_t* index = frame_ + layout_.at(loop);
  const uint64_t* begin = index + axes;
  const uint64_t* end = begin + axes;
  std::copy_n(begin, axes, index);
  while (true) {
    const Flow flow = body();
    if (flow == Flow::Stop || flow == Flow::Break) return flow;
    size_t axis = axes;
    while (axis > 0 && ++index[axis - 1] == end[axis - 1]) {
      index[axis - 1] = begin[axis - 1];
      axis--;
    }
    if (axis == 0) return Flow::Next;
  }
}

KernelInterpreter::Flow KernelInterpreter::counted_loop(InstId id, const ir::Inst& inst) {
  const auto bounds = kernel_.operands_of(inst);
  const size_t axes = bounds.size() / 2;
  uint64_t* words = frame_ + layout_.at(id);
  bool empty = false;
  for (size_t axis = 0; axis < axes; axis++) {
    const uint64_t begin = words[axes + axis] = get(bounds[2 * axis]);
    const uint64_t end = words[2 * axes + axis] = get(bounds[2 * axis + 1]);
    const ir::Type counts = kernel_[bounds[2 * axis]].type;
    empty |= ir::extent(counts, static_cast<int64_t>(begin), static_cast<int64_t>(end)) == 0;
  }
  if (!empty && top_ && kernel_.loops.at(inst.aux).parallel) {
    top_ = false;
    parallel(id, axes, BlockId::None, inst.blocks[0], BlockId::None);
    top_ = true;
    return failure_ ? Flow::Stop : Flow::Next;
  }
  const Flow flow = empty ? Flow::Next : run_through(id, axes, [&] { return inner(inst.blocks[0]); });
  if (flow == Flow::Next && inst.blocks[1] != BlockId::None) block(inst.blocks[1]);
  return flow == Flow::Stop ? flow : Flow::Next;
}

}  // namespace qd::device::reference
