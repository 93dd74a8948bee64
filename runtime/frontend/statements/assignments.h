// Assignments: to names, elements and members; unpacking; `+=`.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

void lower_assign(Compilation& c, const syntax::Assign& s);
void annotated_assign(Compilation& c, const syntax::AnnAssign& s, const Stmt& stmt);
void augmented_assign(Compilation& c, const syntax::AugAssign& s, const Stmt& stmt);

}  // namespace qd::frontend
