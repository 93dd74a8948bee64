// Subscripts: elements of arrays, vectors, matrices, views and containers, and slices of them.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Lowers `object[index]`, `object[a:b]`.
Item lower_subscript(Compilation& c, const syntax::Subscript& e, const Expr& expr);

}  // namespace qd::frontend
