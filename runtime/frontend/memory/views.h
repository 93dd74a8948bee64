// Parts of arrays (BufferView): their attributes and bounds.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Evaluates `.size`, `.offset`, `.shape`, `.dtype`, `.ndim`, `.arr` of a view.
Item view_attribute(Compilation& c, const View& view, std::string_view name, const Range& range);
/// An offset or a size: an i32; nothing after an error.
std::optional<ir::InstId> view_number(Compilation& c, const Item& item, const Range& range);
/// Reports a number of a part that is known to be negative.
bool known_negative(Compilation& c, const Item& item, const Range& range);
/// Emits max(number, 0), without debug mode: no part begins before its whole.
ir::InstId not_negative(Compilation& c, ir::InstId number);
/// A bound of a slice, moved to `end` if it lies behind.
ir::InstId clipped(Compilation& c, ir::InstId bound, ir::InstId end);
/// The view of [offset, offset + size) of a view.
Item view_part(Compilation& c, const View& view, ir::InstId offset, ir::InstId size, const Range& range);

}  // namespace qd::frontend
