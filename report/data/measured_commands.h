// Measured commands, which data files keep beside the measured data.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace qd::report {

/// The command as one line for reports, quoted for a shell. The value of an option that holds a secret, such as
/// `--token=`, is left out. `as_module`: as `qd-cov run -m` names it.
std::string shown_command(const std::vector<std::string>& words, bool as_module = false);

/// Sets of texts of CoverageData, such as its commands, as a text in a table: one a line.
std::string joined_lines(const std::set<std::string>& lines);
std::set<std::string> lines_of(std::string_view text);

/// Adds a command to a data file in place, which coverage.py has just written; does nothing when there is none. Throws
/// DataError.
void add_command(const std::string& data_file, const std::string& command);

}  // namespace qd::report
