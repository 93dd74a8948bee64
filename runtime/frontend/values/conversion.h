// Items as numbers: the types of literals, conversions, and descriptions of items for messages.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Whether a known number is one of a type's, exactly.
bool fits(const Value& number, ir::Type type);
/// Name of a type with an article: "an i32", "a u8".
std::string with_article(ir::Type type);
/// The type of a literal; Void for an integer that fits none.
ir::Type type_of_value(Compilation& c, const Value& number);
/// Description of an item in a message: "an i32", "array `x`", "a tuple".
std::string describe_item(Compilation& c, const Item& item);
/// The type that an item has as a number; nothing after an error.
std::optional<ir::Type> number_type(Compilation& c, const Item& item, const Range& range);
/// The types of two operands; nothing after an error.
std::optional<std::pair<ir::Type, ir::Type>> operand_types(Compilation& c, const Item& a, const Item& b,
                                                           const Range& range);
/// An item as a number of a type; nothing after an error. Literals are converted at once, without a detour over their
/// own type.
std::optional<ir::InstId> coerce(Compilation& c, const Item& item, ir::Type type, const Range& range);
/// Whether numbers of an integer type may be cut off when they become i32.
inline bool is_wide(ir::Type type) { return ir::bit_width(type) == 64 || type == ir::Type::U32; }
/// An index in the form for a check: an i32, or of its own type if an i32 would cut it off.
std::optional<ir::InstId> uncut_index(Compilation& c, const Item& item, const Range& range);
/// Whether a number lies in [0, size). `number`: as from uncut_index.
ir::InstId is_below(Compilation& c, ir::InstId number, int64_t size);
/// Converts an item to a number of the type that it has.
std::optional<Number> to_number(Compilation& c, const Item& item, const Range& range);
/// Converts as coerce, for a value that is stored: warns when the type loses precision.
std::optional<ir::InstId> coerce_stored(Compilation& c, const Item& item, ir::Type type, const Range& range);
/// Converts as coerce, for a call of a type: an integer that is known has to fit it.
std::optional<ir::InstId> convert_checked(Compilation& c, const Item& item, ir::Type type, const Range& range);
/// An item as a u1.
inline std::optional<ir::InstId> to_condition(Compilation& c, const Item& item, const Range& range) {
  return coerce(c, item, ir::Type::U1, range);
}
/// The dtype that an argument names.
std::optional<ir::Type> dtype_argument(Compilation& c, const Item& item, const Range& range);

}  // namespace qd::frontend
