// Objects that a kernel makes of classes of the host, and super().
#pragma once

#include <optional>
#include <string_view>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// A call of a class that kernels make objects of, or of such an object (__call__), or of an __init__ that nobody has
/// defined. Nothing for other callees.
std::optional<Item> object_call(Compilation& c, const Item& callee, const syntax::Call& e, const Expr& expr);
/// super() or super(C, self).
Item lower_super(Compilation& c, const syntax::Call& e, const Expr& expr);

/// object.name: an attribute as a place, or a member of the class.
Item object_attribute(Compilation& c, const MadeObject& object, std::string_view name, const Range& range);
/// C.function, of a class that kernels make objects of; nothing for other values, and for other members.
std::optional<Item> member_of_class(Compilation& c, const Value& cls, std::string_view name);
Item super_attribute(Compilation& c, const Super& super, std::string_view name, const Range& range);
/// What qd.static(...) knows of object.name; nothing when that is known at run time only.
std::optional<Value> known_attribute(Compilation& c, const MadeObject& object, std::string_view name);

/// `target = item` where the target is an attribute of such an object; false when it is something else.
bool store_in_object(Compilation& c, const Expr& target, const Item& item, const Range& range);
/// Called before something but an assignment changes an attribute.
void attribute_changes(Compilation& c, const syntax::Attribute& target);

/// Operators that the class defines (__add__, __neg__, __lt__, __getitem__); nothing when no operand is such an object.
std::optional<Item> object_operator(Compilation& c, syntax::Operator op, const Item& a, const Item& b,
                                    const Range& range);
std::optional<Item> object_operator(Compilation& c, syntax::UnaryOperator op, const Item& operand, const Range& range);
std::optional<Item> object_comparison(Compilation& c, syntax::CmpOperator op, const Item& a, const Item& b,
                                      const Range& range);
std::optional<Item> object_subscript(Compilation& c, const Item& object, const Item& index, const Range& range);

}  // namespace qd::frontend
