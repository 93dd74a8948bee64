// Named tuples in kernels: their fields by name, and those that kernels make.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// tuple.name, of a named tuple: a field, or a member of its class. Nothing for other items.
std::optional<Item> named_tuple_attribute(Compilation& c, const Item& item, std::string_view name, const Range& range);
/// P(...), of a class that collections.namedtuple or typing.NamedTuple has made. Nothing for other callees.
std::optional<Item> named_tuple_call(Compilation& c, const Item& callee, const syntax::Call& e, const Expr& expr);
/// tuple._replace(...) and tuple._asdict(), of a named tuple; nothing for other calls.
std::optional<Item> named_tuple_method(Compilation& c, const syntax::Call& e, const Expr& expr);

}  // namespace qd::frontend
