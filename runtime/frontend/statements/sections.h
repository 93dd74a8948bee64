// `with` statements: blocks of a kernel that may run beside others, and checkpoints.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Lowers a `with`. `next`: the line that control goes to behind the statement.
Flow with_statement(Compilation& c, const syntax::With& s, const Stmt& stmt, int32_t next);

}  // namespace qd::frontend
