// Statements: suites, ifs, assertions, assignments, jumps, and `with`. Loops are in loops.h.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Lowers the statements under a header; `next` is the line behind them.
Flow lower_suite(Compilation& c, Body statements, const Stmt& header, int32_t next);

// assert: a check in debug mode; else it is lowered for its errors alone.

/// Lowers `assert test, message`.
void lower_assert(Compilation& c, const syntax::Assert& s, const Stmt& stmt);

// Assignments: to names, elements and members; unpacking; `+=`.

/// Lowers `a = b = value`.
void lower_assign(Compilation& c, const syntax::Assign& s);
/// Lowers `name: type = value`.
void annotated_assign(Compilation& c, const syntax::AnnAssign& s, const Stmt& stmt);
/// Lowers `target op= value`; atomic if other iterations reach the target.
void augmented_assign(Compilation& c, const syntax::AugAssign& s, const Stmt& stmt);

// Jumps: break, continue and return.

Flow break_statement(Compilation& c, const Stmt& stmt);
Flow continue_statement(Compilation& c, const Stmt& stmt);
/// Lowers `return` of the kernel, of an inlined func, and of a qd.real_func.
Flow return_statement(Compilation& c, const syntax::Return& s, const Stmt& stmt);
/// Emits the return after a loop of a function: leaves the function when a return in the loop did. Gives the block of
/// the code that follows when none did.
ir::BlockId leave_after_loop(Compilation& c, const LoopContext& loop);

// `with` statements: blocks of a kernel that may run beside others, and checkpoints.

/// Lowers a `with`. `next`: the line that control goes to behind the statement.
Flow with_statement(Compilation& c, const syntax::With& s, const Stmt& stmt, int32_t next);

}  // namespace qd::frontend
