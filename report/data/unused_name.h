// Names for new files in a folder that other processes write to as well, even ones with the same number.
#pragma once

#include <string>

namespace qd::report {

/// Renames the file `from` to `wanted`, or to `wanted.1`, `wanted.2`, ... where there is something of that name.
/// Nothing is ever replaced, whatever other processes do at the same time, in this container or another. Returns the
/// name; empty, with errno, when the file cannot be renamed: then it is where it was.
std::string move_to_unused(const std::string& from, const std::string& wanted);

/// Eight letters and digits, for the name of an unfinished file. Processes that have the same number, each in a
/// container of its own, get different ones.
std::string random_word();

}  // namespace qd::report
