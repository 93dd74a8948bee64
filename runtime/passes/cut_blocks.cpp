// Cuts block loops at the operations in which threads meet, for devices that run one thread at a time.
//
//   task parallel loop %0 [0, 1024) block_dim 128      becomes   task parallel loop %30 [0, 8)
//     ...                                                          for [0, 128) { ... }      the first piece
//     barrier block
//     ...                                                          for [0, 128) { ... }      the second piece
//
// An iteration of the task is a block, and each piece (block_pieces.h) is a loop over its threads. Shared variables are
// variables of the block. Values and variables of a thread that live across pieces are arrays with an element for each
// thread.
//
//   if %c { ... barrier ... }    each thread notes whether it goes on: `off` is 0 for those. When any does, the code of
//                                the block follows, with pieces that only those threads run
//   loop { ... barrier ... }     the same, as long as a thread has not left it. A Break or Continue notes the
//                                place from which the thread goes on
//   for [%a, %b) with bounds     that are the same for all threads stands once, around the pieces; another one is a
//                                loop, with an index for each thread
//   shuffle %v, %lane            each thread stores %v; in the next piece it loads that of the lane
//   ballot %p                    each thread sets its bit in a word of its subgroup
//
// Probes lie in the pieces, so they count threads. When a decision (`a and b`) has parts in which threads meet, its
// conditions are kept for each thread, and told where the decision is.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "runtime/ir/blocks.h"
#include "runtime/ir/frames.h"
#include "runtime/ir/walk.h"
#include "runtime/passes/block_cutter.h"
#include "runtime/passes/passes.h"

namespace qd::passes {
namespace {

using ir::BlockId;
using ir::Builder;
using ir::InstId;
using ir::Op;
using ir::Type;

/// Takes shared variables out of a body, and makes them variables in front of it.
void hoist_shared(ir::Kernel& kernel, BlockId block, std::vector<InstId>& head) {
  if (block == BlockId::None) return;
  for (InstId id : kernel[block]) {
    if (kernel[id].op == Op::Shared) {
      kernel[id].op = Op::Alloca;
      head.push_back(id);
    }
    for (BlockId inner : kernel[id].blocks) hoist_shared(kernel, inner, head);
  }
  std::erase_if(kernel[block],
                [&](InstId id) { return kernel[id].op == Op::Alloca && std::ranges::find(head, id) != head.end(); });
}

/// Puts a task in front of another one, wherever the schedule runs that.
void insert_before(ir::Schedule& schedule, uint32_t task, uint32_t added) {
  for (size_t i = 0; i < schedule.size(); i++) {
    for (ir::Schedule& section : schedule[i].sections) insert_before(section, task, added);
    if (schedule[i].kind != ir::Step::Kind::Run || schedule[i].task != task) continue;
    schedule.insert(schedule.begin() + static_cast<ptrdiff_t>(i), ir::Step::run(added));
    i++;
  }
}

/// The number of blocks as a bound. Where it is not known, a task before computes it.
ir::Bound number_of_blocks(ir::Kernel& kernel, uint32_t index, const BlockRange& range) {
  const ir::Task& task = kernel.tasks[index];
  if (auto known = range.known_blocks(task.block_dim)) return {ir::Bound::Kind::Const, *known, 0, range.block_type()};
  ir::Task count;
  count.name = task.name + "_blocks";
  count.body = kernel.add_block();
  Builder build(kernel, count.body, 0);
  const InstId blocks = BlockRange(build, kernel, task).blocks(build, task.block_dim);
  const uint32_t slot = kernel.global_temps++;
  build.store(build.global_temp(range.block_type(), slot), blocks);
  kernel.tasks.push_back(std::move(count));
  insert_before(kernel.schedule, index, static_cast<uint32_t>(kernel.tasks.size() - 1));
  return {ir::Bound::Kind::Temp, slot, 0, range.block_type()};
}

/// The variables of a block lie on the stack of the thread that runs it.
void check_size(const ir::Kernel& kernel, const ir::Task& task, const std::vector<InstId>& head) {
  constexpr int64_t kMost = 2 << 20;
  int64_t bytes = 0;
  for (InstId id : head) {
    if (kernel[id].op == Op::Alloca)
      bytes += ir::size_in_bytes(kernel[id].type) * std::max<int64_t>(1, kernel[id].length());
  }
  if (bytes > kMost)
    throw std::runtime_error(
        fmt::format("a block of {} threads needs {} bytes for shared arrays and for variables that live across "
                    "barriers, more than {}: a smaller block_dim or smaller arrays are needed{}",
                    task.block_dim, bytes, kMost, ir::trace(kernel, kernel[task.loop].location)));
}

void cut_task(ir::Kernel& kernel, uint32_t index, int32_t subgroup_size) {
  const ir::Task before = kernel.tasks[index];
  std::vector<InstId> head;
  hoist_shared(kernel, before.body, head);
  Builder build(kernel, head, 0);
  const BlockRange range(build, kernel, before);
  const ir::Bound blocks = number_of_blocks(kernel, index, range);
  const InstId loop = Builder(kernel).inst(Op::For, Type::Void, {});
  const std::vector<InstId> body = kernel[before.body];
  BlockCutter cutter(kernel, before, subgroup_size, head);
  const BlockId cut = cutter.run(body, loop, range);
  check_size(kernel, before, head);
  ir::Task& task = kernel.tasks[index];
  std::vector<InstId>& front = kernel[task.prologue == BlockId::None ? cut : task.prologue];
  front.insert(task.prologue == BlockId::None ? front.begin() : front.end(), head.begin(), head.end());
  kernel[before.body].clear();
  task.body = cut;
  task.loop = loop;
  task.bounds = {{ir::Bound::Kind::Const, 0, 0, blocks.type}, blocks};
  task.block_dim = 0;
}

}  // namespace

void cut_blocks(ir::Kernel& kernel, int32_t subgroup_size) {
  const size_t tasks = kernel.tasks.size();  // those that are added run no blocks
  for (uint32_t i = 0; i < tasks; i++) {
    const ir::Task& task = kernel.tasks[i];
    if (task.kind == ir::Task::Kind::Parallel && ir::is_block_loop(kernel, task.body))
      cut_task(kernel, i, subgroup_size);
  }
}

}  // namespace qd::passes
