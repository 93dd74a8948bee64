// Operators and functions of the language on objects, of the kernel and of the host: methods of their class (__add__,
// __len__).
#pragma once

#include <optional>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Lowers `a op b`; nothing when no operand is such an object.
std::optional<Item> object_operator(Compilation& c, syntax::Operator op, const Item& a, const Item& b,
                                    const Range& range);
/// Lowers `a op= b`: the new value of `a`; nothing when neither is such an object.
std::optional<Item> object_update(Compilation& c, syntax::Operator op, const Item& a, const Item& b,
                                  const Range& range);
/// Lowers `-a`, `+a`, `~a`; nothing when the class has no method for it.
std::optional<Item> object_operator(Compilation& c, syntax::UnaryOperator op, const Item& operand, const Range& range);
/// Lowers `a op b`; nothing when no operand is such an object.
std::optional<Item> object_comparison(Compilation& c, syntax::CmpOperator op, const Item& a, const Item& b,
                                      const Range& range);
/// Lowers `item in object` and `item not in object`; nothing when the class has no __contains__.
std::optional<Item> found_in_object(Compilation& c, bool in, const Item& item, const Item& object, const Range& range);
/// Lowers object[index]; nothing when the class has no __getitem__.
std::optional<Item> object_subscript(Compilation& c, const Item& object, const Item& index, const Range& range);
/// Lowers object[index] = item; false when the class has no __setitem__.
bool store_in_item(Compilation& c, const Item& object, const Item& index, const Item& item, const Range& range);
/// The truth of an item as a condition: of an object the result of __bool__ or __len__, or true.
Item object_truth(Compilation& c, Item item, const Range& range);
/// Lowers len, abs, round, int, float and bool of an object; nothing for other functions, and without a method.
std::optional<Item> object_function(Compilation& c, const BuiltinInfo& info, const Item& object, const Range& range);

}  // namespace qd::frontend
