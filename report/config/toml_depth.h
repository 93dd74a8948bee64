// Nesting depth of tables and lists in a TOML text, checked before a parser recurses into them.
#pragma once

#include <optional>
#include <string_view>

namespace qd::report {

/// Largest depth of tables within tables and lists within lists; each part of a dotted name counts.
inline constexpr int kDeepestToml = 100;

/// Line (from 1) on which a text is nested deeper than kDeepestToml; none when it never is. Invalid TOML is left to the
/// parser.
std::optional<int> line_of_deep_toml(std::string_view text);

}  // namespace qd::report
