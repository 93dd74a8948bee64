// Finds what a mistyped command or option was meant to be.
#pragma once

#include <string>
#include <vector>

namespace qd::cli {

/// The one of `names` that `word` begins, or that is the fewest typing mistakes away from it: letters that are missing,
/// too many, other ones or swapped. Empty when none is near.
std::string near_name(const std::string& word, const std::vector<std::string>& names);

}  // namespace qd::cli
