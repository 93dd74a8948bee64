// Unused names for new files in a folder that other processes write to as well, even ones with the same number.
#pragma once

#include <string>

namespace qd::report {

/// Renames the file `from` to `wanted`, or to `wanted.1`, `wanted.2`, ... if a file of that name exists. No file is
/// ever replaced, even if other processes do the same at the same time, in this container or another. Returns the name;
/// empty, with errno, when the file cannot be renamed: then it is unchanged.
std::string move_to_unused(const std::string& from, const std::string& wanted);

/// Beginning of the names of unfinished files.
inline constexpr char kUnfinishedPrefix[] = ".qd-cov.";

/// Eight random letters and digits, for the name of an unfinished file. Processes that have the same number, each in a
/// container of its own, get different ones.
std::string random_word();

}  // namespace qd::report
