// Tuples, lists and dicts at compile time: iteration and operators.
#pragma once

#include <optional>
#include <vector>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Items that the host iterates over (an array of numpy, an enumeration), as a list; other items unchanged.
Item listed(Compilation& c, Item item);
/// The items of iterating over an item; nothing when it cannot be iterated at compile time.
std::optional<std::vector<Item>> iterated_items(Compilation& c, const Item& item, const Range& range);
/// Sets dict[key] = item.
void put_item(Items& dict, Value key, Item item);
/// Lowers `+` of two lists, tuples or strings, `*` of one and an integer. Nothing for other operands.
std::optional<Item> container_operator(Compilation& c, syntax::Operator op, const Item& a, const Item& b,
                                       const Range& range);

}  // namespace qd::frontend
