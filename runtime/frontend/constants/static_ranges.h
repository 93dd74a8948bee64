// range, ndrange and grouped at compile time, and the order of the axes of ndrange.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/frontend/constants/python_values.h"

namespace qd::frontend {

/// Evaluates range(end), range(begin, end), range(begin, end, step): its numbers.
Outcome static_range(const std::vector<Value>& bounds);

/// Evaluates ndrange(..., axes=order): the tuples of indices; numbers if there is one axis. `order` is None or null
/// without axes=.
Outcome static_ndrange(const std::vector<Value>& axes, const Value* order);

/// Evaluates grouped(ndrange(...)), given the tuples: a vector of i32 for each.
Outcome static_grouped(const Value& points);

/// Evaluates ndrange's axes=: each of `count` axes once, the outermost first. Empty for None, which is 0, 1, 2...;
/// nothing when it is something else.
std::optional<std::vector<uint32_t>> axes_order(const Value& order, size_t count);

/// The error for such a value of axes=.
std::string axes_order_error(size_t count);

}  // namespace qd::frontend
