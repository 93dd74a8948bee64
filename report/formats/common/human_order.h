// Natural sort order of names.
#pragma once

#include <string>
#include <string_view>

namespace qd::report {

/// Compares runs of digits as numbers: "z2" comes before "z10".
bool human_less(std::string_view a, std::string_view b);

/// The name with '?' for every character that a terminal would not simply show.
std::string printable(const std::string& name);

}  // namespace qd::report
