// The name that was meant by a mistyped command, option, section or setting.
#pragma once

#include <string>
#include <vector>

namespace qd::report {

/// How many letters are missing, too many, other ones or swapped in one of two words (Damerau's distance).
size_t typing_mistakes(const std::string& a, const std::string& b);

/// The one of `names` that `word` begins, or that is the fewest typing mistakes away from it: letters that are missing,
/// too many, other ones or swapped. Empty when none is near.
std::string near_name(const std::string& word, const std::vector<std::string>& names);

}  // namespace qd::report
