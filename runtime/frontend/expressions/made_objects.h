// Objects that a kernel makes of classes of the host, their attributes, and super().
#pragma once

#include <optional>
#include <string_view>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// The member of a class that its objects find under a name in it, or behind `after` in its order; nothing if none.
std::optional<ClassMember> class_member(Compilation& c, const HostObject& cls, std::string_view name,
                                        const HostObject* after = nullptr);
/// A member of a class, bound to an object of it: a property is called.
Item bound_member(Compilation& c, ClassMember found, const Item& self, const HostObject& cls, const Range& range);
/// The method of an object by which Python calls it or applies an operator to it, such as __call__ or __add__; the
/// object is the kernel's or the host's. Nothing where its class has none that kernels call.
std::optional<Func> special_method(Compilation& c, const Item& object, std::string_view name);
/// The object of an expression of names, as far as that takes no code.
std::optional<MadeObject> named_object(Compilation& c, const Expr& expr);

/// Lowers a call of a class that kernels make objects of, or of such an object (__call__), or of an undefined __init__.
/// Nothing for other callees.
std::optional<Item> object_call(Compilation& c, const Item& callee, const syntax::Call& e, const Expr& expr);
/// Lowers super() or super(C, self).
Item lower_super(Compilation& c, const syntax::Call& e, const Expr& expr);
Item super_attribute(Compilation& c, const Super& super, std::string_view name, const Range& range);
/// Lowers C.function, of a class that kernels make objects of; nothing for other values, and for other members.
std::optional<Item> member_of_class(Compilation& c, const Value& cls, std::string_view name);

// object_attributes.cpp

/// Lowers object.name: an attribute as a place, or a member of the class.
Item object_attribute(Compilation& c, const MadeObject& object, std::string_view name, const Range& range);
/// Whether an attribute is a place, which is changed as a variable is.
bool is_place_in_object(Compilation& c, const MadeObject& object, std::string_view name);
/// Lowers `yes if test else no` of two objects that the kernel has made.
Item chosen_object(Compilation& c, ir::InstId test, const MadeObject& yes, const MadeObject& no, const Range& range);
/// The value of object.name for qd.static(...); nothing when it is known at run time only.
std::optional<Value> known_attribute(Compilation& c, const MadeObject& object, std::string_view name);
/// Lowers `target = item`, if the target is an attribute of such an object; false when it is something else.
bool store_in_object(Compilation& c, const Expr& target, const Item& item, const Range& range);
/// Notes that an attribute changes other than by an assignment; to be called before.
void attribute_changes(Compilation& c, const syntax::Attribute& target);

}  // namespace qd::frontend
