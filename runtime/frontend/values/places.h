// Places: variables, elements, components and members that can be loaded and stored.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// The places and values in an item, loaded.
Item loaded(Compilation& c, Item item);
/// The address of a component.
ir::InstId pointer_to(Compilation& c, const TensorPlace& place, size_t component);
/// The place of a variable of a value's type, without the value.
Item empty_place(Compilation& c, const Item& example, bool shared = false);
/// A variable that holds a value. `shared`: iterations of a parallel loop see the same one.
Item new_place(Compilation& c, const Item& value, bool shared);
/// A new variable that holds a compound value.
CompoundVariable new_variable(Compilation& c, const Item& value);
/// The place with its `shared` set.
Item as_shared(Compilation& c, Item place, bool shared);
/// Stores a value into a place. `broadcast`: a number goes to every component.
void store_item(Compilation& c, const Item& place, const Item& value, const Range& range, bool broadcast);
/// The place of one component.
inline NumberPlace number_place(Compilation& c, const TensorPlace& place, size_t component) {
  return {pointer_to(c, place, component), place.type, place.shared};
}

}  // namespace qd::frontend
