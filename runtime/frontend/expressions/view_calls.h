// Calls that make a view: BufferView(...), view.subview(...).
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

Item subview(Compilation& c, const View& view, const syntax::Call& e, const Range& range);
Item make_view(Compilation& c, const syntax::Call& e, const Range& range);

}  // namespace qd::frontend
