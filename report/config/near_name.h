// Near names: the command, option, section or setting that a mistyped name was meant to be.
#pragma once

#include <string>
#include <vector>

namespace qd::report {

/// Damerau's distance of two words: the number of letters that are missing, superfluous, replaced or swapped.
size_t typing_mistakes(const std::string& a, const std::string& b);

/// Returns the one of `names` that `word` begins, or that has the smallest distance from it (typing_mistakes). Empty
/// when none is near.
std::string near_name(const std::string& word, const std::vector<std::string>& names);

}  // namespace qd::report
