// Do-while loops that the schedule runs: `while qd.graph.do_while(flag):`.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// The call when the test of a `while` is qd.graph.do_while(...); else null.
const syntax::Call* do_while_call(Compilation& c, const syntax::While& s);
/// Lowers the loop. `next`: the line that control goes to behind it.
Flow do_while_statement(Compilation& c, const syntax::While& s, const syntax::Call& call, const Stmt& stmt,
                        int32_t next);

}  // namespace qd::frontend
