// Calls that make a view: BufferView(...), view.subview(...).
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Lowers view.subview(offset, size).
Item subview(Compilation& c, const View& view, const syntax::Call& e, const Range& range);
/// Lowers qd.BufferView(ndarray, offset, size).
Item make_view(Compilation& c, const syntax::Call& e, const Range& range);

}  // namespace qd::frontend
