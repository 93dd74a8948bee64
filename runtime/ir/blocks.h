// Block loops: parallel loops whose iterations are the threads of blocks.
//
//   task parallel sums loop %0 [0, 1024) block_dim 128 {
//     body {
//       %1 = shared f32 128               # one for all threads of a block
//       %2 = thread i32                   # 0 to 127
//       ...
//       barrier block                     # until all threads of the block are here
//
// Iteration i is thread i % block_dim of block i / block_dim. A thread whose iteration has ended is waited for no
// longer. The threads of a block are there at the same time, or take turns at the operations that meet (kConvergent);
// those of a subgroup, too. Subgroup n of a block has the threads from n times its size on.
#pragma once

#include "runtime/ir/kernel.h"

namespace qd::ir {

/// Whether an operation has a meaning only in a block. A Fence has one elsewhere, too.
constexpr bool needs_block(Op op) {
  return op != Op::Fence && (row(op).needs == Needs::Blocks || row(op).needs == Needs::Subgroups);
}

/// Whether one of the instructions in the block (the body of a task, or of a parallel For) needs blocks of threads.
bool is_block_loop(const Kernel& kernel, BlockId body);

/// Size of the shared variables of a block, in bytes. Each begins at a multiple of the size of its numbers.
int64_t shared_bytes(const Kernel& kernel, BlockId body);

}  // namespace qd::ir
