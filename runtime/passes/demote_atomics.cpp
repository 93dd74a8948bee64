// Atomics on places that one thread alone can reach become plain loads and stores, which vectorise.
//
// `x[i] += 1` in a kernel is an atomic, because other iterations might change the same element. Often none can:
//
//   in a serial task         one thread runs it
//   on a local variable      each iteration has its own
//   on x[i], x[i, 0] ...     in a parallel loop over i, when every access of the task to x has i at the same position:
//                            two iterations never meet at one element. x[i] and x[i + 1] in one task: they might, and
//                            so might x[i] and y[i + 1] where x and y may be the same memory
//
// The atomic becomes the Load of the old value, so its users need no change. An operation and a Store are added behind
// it.
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <vector>

#include "runtime/ir/builder.h"
#include "runtime/ir/calls.h"
#include "runtime/ir/same_memory.h"
#include "runtime/passes/passes.h"

namespace qd::passes {
namespace {

using ir::BinaryOp;
using ir::BlockId;
using ir::InstId;
using ir::Op;

class Demoter {
 public:
  explicit Demoter(ir::Kernel& kernel) : kernel_(kernel) {}

  void run(const ir::Task& task) {
    alone_ = task.kind == ir::Task::Kind::Serial;
    if (!alone_) find_own_arrays(task);
    block(task.body);
  }
  /// `alone`: no parallel task calls the routine.
  void run(const ir::Routine& routine, bool alone) {
    alone_ = alone;
    block(routine.body);
  }

 private:
  /// Whether an index is the task's loop index of this axis. A conversion to an integer that is no narrower does not
  /// matter, because it keeps different indices different.
  bool is_axis(InstId index, uint64_t axis) const {
    const ir::Inst* inst = &kernel_[index];
    while (inst->op == Op::Cast) {
      const ir::Inst& from = kernel_[kernel_.operands_of(*inst)[0]];
      if (!ir::is_integer(inst->type) || ir::bit_width(inst->type) < std::max(32, ir::bit_width(from.type))) break;
      if (!ir::is_integer(from.type)) break;
      inst = &from;
    }
    return inst->op == Op::LoopIndex && inst->aux_inst() == loop_ && inst->axis() == axis;
  }

  /// Finds the arrays of which each iteration has its own elements. An array is private to an iteration if, for each
  /// axis of the loop, some index position holds that axis in every access of the task: then two iterations never meet
  /// at one element. An array that a routine uses is never private, nor one that may be the memory of another array of
  /// which iterations change each other's elements. (Those of their own in two arrays are taken not to meet.)
  void find_own_arrays(const ir::Task& task) {
    loop_ = task.loop;
    const size_t axes = task.bounds.size() / 2;
    positions_.resize(kernel_.arrays.size());
    for (size_t array = 0; array < kernel_.arrays.size(); array++) {
      positions_[array].assign(axes, std::vector<bool>(kernel_.arrays[array].indices(), true));
    }
    auto visit = [&](InstId id) {
      const ir::Inst& inst = kernel_[id];
      if (inst.op != Op::ElementPtr) return;
      for (size_t axis = 0; axis < axes; axis++) {
        for (size_t i = 0; i < inst.operand_count; i++) {
          if (!is_axis(kernel_.operands_of(inst)[i], axis)) positions_[inst.aux][axis][i] = false;
        }
      }
    };
    walk(kernel_, task.prologue, visit);
    walk(kernel_, task.body, visit);
    walk_reached(kernel_, task, visit);
    std::set<uint32_t> foreign;  // arrays of which iterations change each other's elements
    auto look = [&](InstId id) {
      const Op op = kernel_[id].op;
      if (op != Op::AtomicRmw && op != Op::AtomicCas) return;
      const InstId place = kernel_.operands_of(id)[0];
      if (kernel_[place].op == Op::ElementPtr && !is_own(place)) foreign.insert(kernel_[place].aux);
    };
    walk(kernel_, task.body, look);
    walk_reached(kernel_, task, look);
    for (uint32_t array = 0; array < kernel_.arrays.size(); array++) {
      const bool meets = std::ranges::any_of(foreign, [&](uint32_t other) {
        return kernel_.arrays[array].type == kernel_.arrays[other].type &&
               ir::may_be_same_memory(kernel_, array, other);
      });
      if (meets) positions_[array].assign(axes, {});
    }
  }

  bool is_own(InstId pointer) const {
    if (alone_) return true;
    const ir::Inst& inst = kernel_[pointer];
    if (inst.op == Op::Alloca) return true;
    if (inst.op == Op::LocalPtr) return is_own(kernel_.operands_of(inst)[0]);
    if (inst.op != Op::ElementPtr || positions_.empty()) return false;
    return std::ranges::all_of(positions_[inst.aux],
                               [](const std::vector<bool>& axis) { return std::ranges::count(axis, true) > 0; });
  }

  void block(BlockId id) {
    std::vector<InstId> out;
    const std::vector<InstId> insts = kernel_[id];  // a copy, because the kernel's list moves when blocks are added
    for (InstId inst : insts) {
      for (BlockId inner : std::array(kernel_[inst].blocks)) {
        if (inner != BlockId::None) block(inner);
      }
      const Op op = kernel_[inst].op;
      out.push_back(inst);
      if ((op == Op::AtomicRmw || op == Op::AtomicCas) && is_own(kernel_.operands_of(inst)[0])) demote(inst, out);
    }
    kernel_[id] = std::move(out);
  }

  /// The atomic becomes the load of the old value, so its users need no change.
  void demote(InstId atomic, std::vector<InstId>& out) {
    const ir::Inst was = kernel_[atomic];
    const std::vector<InstId> args(kernel_.operands_of(was).begin(), kernel_.operands_of(was).end());
    ir::Inst& load = kernel_[atomic];
    load.op = Op::Load;
    load.aux = 0;
    load.operand_count = 1;

    ir::Builder build(kernel_, out, was.location);
    InstId value = args[1];
    if (was.op == Op::AtomicCas) {
      value = build.select(build.compare(ir::CompareOp::Eq, atomic, args[1]), args[2], atomic);
    } else if (std::optional<BinaryOp> op = ir::binary_op(was.atomic_op())) {
      value = build.binary(*op, atomic, args[1]);
    }
    build.store(args[0], value);
  }

  ir::Kernel& kernel_;
  bool alone_ = false;          // one thread runs the code
  InstId loop_ = InstId::None;  // the For of a parallel task
  // Index positions that hold an axis of the loop in every access, by array and axis.
  std::vector<std::vector<std::vector<bool>>> positions_;
};

}  // namespace

void demote_atomics(ir::Kernel& kernel) {
  std::vector<bool> shared(kernel.routines.size());
  for (const ir::Task& task : kernel.tasks) {
    if (!shared.empty() && task.kind == ir::Task::Kind::Parallel) {
      const std::vector<bool> reached = ir::reached_routines(kernel, task);
      for (size_t i = 0; i < shared.size(); i++) shared[i] = shared[i] || reached[i];
    }
    Demoter(kernel).run(task);
  }
  for (size_t i = 0; i < kernel.routines.size(); i++) Demoter(kernel).run(kernel.routines[i], !shared[i]);
}

}  // namespace qd::passes
