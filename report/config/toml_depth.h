// The depth of tables and lists in a TOML text, before a parser follows them down.
#pragma once

#include <optional>
#include <string_view>

namespace qd::report {

/// Tables within tables and lists within lists, each part of a dotted name counted.
inline constexpr int kDeepestToml = 100;

/// The line (from 1) on which a text is nested deeper than kDeepestToml; none when it never is. What is no TOML is left
/// to the parser.
std::optional<int> line_of_deep_toml(std::string_view text);

}  // namespace qd::report
