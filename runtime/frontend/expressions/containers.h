// Containers in kernels: their methods, Python's functions of them (sum, sorted, zip), and named tuples.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Lowers a method of a string, tuple or dict. Nothing when the callee is something else.
std::optional<Item> container_method(Compilation& c, const syntax::Call& e, const Expr& expr);
/// Lowers sum, any, all, sorted, reversed, tuple, list.
Item container_call(Compilation& c, const BuiltinInfo& info, const syntax::Call& e, const Expr& expr);

// Named tuples: their fields by name, and those that kernels make.

/// tuple.name, of a named tuple: a field, or a member of its class. Nothing for other items.
std::optional<Item> named_tuple_attribute(Compilation& c, const Item& item, std::string_view name, const Range& range);
/// P(...), of a class that collections.namedtuple or typing.NamedTuple has made. Nothing for other callees.
std::optional<Item> named_tuple_call(Compilation& c, const Item& callee, const syntax::Call& e, const Expr& expr);
/// tuple._replace(...) and tuple._asdict(), of a named tuple; nothing for other calls.
std::optional<Item> named_tuple_method(Compilation& c, const syntax::Call& e, const Expr& expr);

}  // namespace qd::frontend
