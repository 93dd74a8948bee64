// Normal form of a kernel for reverse mode.
#pragma once

#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::autodiff {

/// A kernel's loops that end early, in normal form.
struct CountedLoop {
  ir::InstId loop;
  ir::InstId count;       // behind the loop, in its block: the number of iterations that have begun, as i64
  ir::InstId last_break;  // the If around the only Break, last in the loop's body
};

/// Puts the bodies of routines in the place of their calls, but for those that call themselves.
void inline_calls(ir::Kernel& kernel);

inline bool is_loop(const ir::Inst& inst) { return inst.op == ir::Op::For || inst.op == ir::Op::Loop; }

/// Rewrites a kernel before split_tasks, so that a reverse sweep can follow its blocks backwards:
///
/// - Calls of routines are inlined. A call that is left throws NoDerivative.
/// - Probes, prints, warnings and results are gone.
/// - Each block runs to its end: a Continue, or a Break in the middle, becomes an If around the rest.
/// - A loop with a Break has it at the end of its body, and counts its iterations.
/// - Atomics on a thread's own variables are loads and stores, and loads whose value is known in their block, or in a
///   block around it, are that value.
std::vector<CountedLoop> normalize(ir::Kernel& kernel);

/// Does the last of these again: for new accesses of variables.
void follow_variables(ir::Kernel& kernel);

/// Place of a block in a kernel before split_tasks.
enum class Level : uint8_t {
  Top,     // a For here is a parallel loop, unless it is serialized
  Region,  // the block of a Region, with one Loop or If, whose blocks are at the top
  Inside,  // other blocks
};
/// The place of the blocks of an instruction in a block at this place.
Level level_in(const ir::Kernel& kernel, ir::InstId inst, Level level);
bool is_parallel(const ir::Kernel& kernel, ir::InstId inst, Level level);

}  // namespace qd::autodiff
