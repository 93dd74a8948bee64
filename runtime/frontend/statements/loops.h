// Loops at run time: `for` and `while`.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Lowers a `for`. `next`: the line that control goes to behind the loop, here and below.
Flow for_statement(Compilation& c, const syntax::For& s, const Stmt& stmt, int32_t next);
Flow while_statement(Compilation& c, const syntax::While& s, const Stmt& stmt, int32_t next);

}  // namespace qd::frontend
