// Names as people read them.
#pragma once

#include <string>
#include <string_view>

namespace qd::report {

/// Runs of digits compare as numbers: "z2" comes before "z10".
bool human_less(std::string_view a, std::string_view b);

/// The name with '?' for every character that a terminal would not simply show.
std::string printable(const std::string& name);

}  // namespace qd::report
