// Values and types of arguments in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/frontend/known/value.h"

namespace qd::frontend {

/// "f32 ndarray of 1 dimension", "ndarray of f32 vector of 3 with 1 dimension"; without what is not given.
std::string array_text(std::optional<ir::Type> type, std::optional<int32_t> rank, const std::vector<int32_t>& element);
std::string array_text(const ArrayType& array);

/// "int 3", "f32 field of 2 dimensions".
std::string value_text(const Value& value);
/// A value as Python writes it, where Python has a short way to: "3", "'abc'", "(1, 2)"; else value_text.
std::string short_text(const Value& value);

}  // namespace qd::frontend
