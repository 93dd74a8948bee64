// Objects that a kernel makes of classes of the host, their attributes, and super().
#pragma once

#include <optional>
#include <string_view>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// What the objects of a class find under a name in it, or behind `after` in its order; nothing when there is nothing.
std::optional<ClassMember> class_member(Compilation& c, const HostObject& cls, std::string_view name,
                                        const HostObject* after = nullptr);
/// A member of a class as an object of it has it: a property is called.
Item bound_member(Compilation& c, ClassMember found, const Item& self, const HostObject& cls, const Range& range);
/// The object that an expression of names stands for, as far as that takes no code.
std::optional<MadeObject> named_object(Compilation& c, const Expr& expr);

/// A call of a class that kernels make objects of, or of such an object (__call__), or of an __init__ that nobody has
/// defined. Nothing for other callees.
std::optional<Item> object_call(Compilation& c, const Item& callee, const syntax::Call& e, const Expr& expr);
/// super() or super(C, self).
Item lower_super(Compilation& c, const syntax::Call& e, const Expr& expr);
Item super_attribute(Compilation& c, const Super& super, std::string_view name, const Range& range);
/// C.function, of a class that kernels make objects of; nothing for other values, and for other members.
std::optional<Item> member_of_class(Compilation& c, const Value& cls, std::string_view name);

// object_attributes.cpp

/// object.name: an attribute as a place, or a member of the class.
Item object_attribute(Compilation& c, const MadeObject& object, std::string_view name, const Range& range);
/// Whether that is a place, which is changed as a variable is.
bool is_place_in_object(Compilation& c, const MadeObject& object, std::string_view name);
/// `yes if test else no` of two objects that the kernel has made.
Item chosen_object(Compilation& c, ir::InstId test, const MadeObject& yes, const MadeObject& no, const Range& range);
/// What qd.static(...) knows of object.name; nothing when that is known at run time only.
std::optional<Value> known_attribute(Compilation& c, const MadeObject& object, std::string_view name);
/// `target = item` where the target is an attribute of such an object; false when it is something else.
bool store_in_object(Compilation& c, const Expr& target, const Item& item, const Range& range);
/// Called before something but an assignment changes an attribute.
void attribute_changes(Compilation& c, const syntax::Attribute& target);

}  // namespace qd::frontend
