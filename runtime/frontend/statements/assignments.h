// Assignments: to names, elements and members; unpacking; `+=`.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Lowers `a = b = value`.
void lower_assign(Compilation& c, const syntax::Assign& s);
/// Lowers `name: type = value`.
void annotated_assign(Compilation& c, const syntax::AnnAssign& s, const Stmt& stmt);
/// Lowers `target op= value`; atomic if other iterations reach the target.
void augmented_assign(Compilation& c, const syntax::AugAssign& s, const Stmt& stmt);

}  // namespace qd::frontend
