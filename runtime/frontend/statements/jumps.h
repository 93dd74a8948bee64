// Jumps: break, continue and return.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

Flow break_statement(Compilation& c, const Stmt& stmt);
Flow continue_statement(Compilation& c, const Stmt& stmt);
/// Lowers `return` of the kernel, of an inlined func, and of a qd.real_func.
Flow return_statement(Compilation& c, const syntax::Return& s, const Stmt& stmt);
/// Emits the return after a loop of a function: leaves the function when a return in the loop did. Gives the block of
/// the code that follows when none did.
ir::BlockId leave_after_loop(Compilation& c, const LoopContext& loop);

}  // namespace qd::frontend
