// The commands that were measured, which data files keep beside what they measured.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace qd::report {

/// The command as one line for reports, with quotes where a shell wants them. What follows the name of an option that
/// holds a secret, such as `--token=`, is left out. `as_module`: as `qd-cov run -m` names it.
std::string shown_command(const std::vector<std::string>& words, bool as_module = false);

/// CoverageData::commands as the table `meta` has them under kCommandsKey: a command a line.
std::string commands_text(const std::set<std::string>& commands);
std::set<std::string> commands_of(std::string_view text);

/// Adds a command to a data file in place, where coverage.py has just written the file; nothing happens where there is
/// none. Throws DataError.
void add_command(const std::string& data_file, const std::string& command);

}  // namespace qd::report
