// The loop of a GPU's thread over its iterations of a parallel task, as instructions of the kernel.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::passes {

/// The code of a thread for a task, between its prologue and its epilogue.
struct ThreadCode {
  ir::BlockId block = ir::BlockId::None;    // around the task's body; of a serial task the body itself
  ir::InstId iteration = ir::InstId::None;  // the number of the present iteration, an i64; None: no routine asks
};

/// Distributions of iterations whose number the launch does not know, as that of `range(1, x.shape[0] - 1)`.
enum class UnknownRange : uint8_t {
  Interleaved,  // as launched: neighbours run side by side
  InPieces,     // each group has iterations that follow each other: for processors, which have a cache for each group
};

/// Makes the code of each task of a kernel that is ready for a code generator. Afterwards it only serves for emission:
/// bodies name values of the code around them in place of LoopIndex and Iteration, so they do not verify by themselves.
std::vector<ThreadCode> thread_rounds(ir::Kernel& kernel, UnknownRange unknown = UnknownRange::Interleaved);

}  // namespace qd::passes
