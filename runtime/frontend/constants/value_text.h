// Values and types of arguments in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/frontend/constants/value.h"

namespace qd::frontend {

/// Text of an array's type: "f32 ndarray of 1 dimension", "ndarray of f32 vector of 3 with 1 dimension", and shorter.
std::string array_text(std::optional<ir::Type> type, std::optional<int32_t> rank, const std::vector<int32_t>& element);
std::string array_text(const ArrayType& array);

/// Text of a value: "int 3", "f32 field of 2 dimensions".
std::string value_text(const Value& value);
/// Text of a value in Python's notation, if that is short: "3", "'abc'", "(1, 2)"; else value_text.
std::string short_text(const Value& value);

}  // namespace qd::frontend
