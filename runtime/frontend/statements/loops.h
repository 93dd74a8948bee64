// Loops: at run time, unrolled while the kernel is compiled, run by the schedule, and over threads of blocks.
#pragma once

#include <optional>

#include "runtime/frontend/memory/axes.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

// Loops at run time: `for` and `while`.

/// Lowers a `for`. `next`: the line that control goes to behind the loop, here and below.
Flow for_statement(Compilation& c, const syntax::For& s, const Stmt& stmt, int32_t next);
Flow while_statement(Compilation& c, const syntax::While& s, const Stmt& stmt, int32_t next);

/// The axes of the iterable of a `for`.
std::optional<Axes> axes_of(Compilation& c, const Expr& iter);

// Loops that are unrolled while the kernel is compiled: `for x in qd.static(...)`.

/// Unrolls a loop. `e`: the call of qd.static. `next`: the line behind the loop.
Flow static_for(Compilation& c, const syntax::For& s, const syntax::Call& e, const Stmt& stmt, int32_t next);

// Do-while loops that the schedule runs: `while qd.graph.do_while(flag):`.

/// The call when the test of a `while` is qd.graph.do_while(...); else null.
const syntax::Call* do_while_call(Compilation& c, const syntax::While& s);
/// Lowers the loop. `next`: the line that control goes to behind it.
Flow do_while_statement(Compilation& c, const syntax::While& s, const syntax::Call& call, const Stmt& stmt,
                        int32_t next);

// Loops whose iterations are threads of blocks.

/// Finishes a parallel loop after its body: when that uses qd.simt, gives it a block_dim, and checks that the number of
/// its iterations is a multiple of that if threads meet.
void finish_block_loop(Compilation& c, ir::InstId loop, const Range& range);

}  // namespace qd::frontend
