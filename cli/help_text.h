// Text of --help and --help-all, made of the options of a command.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/command_line.h"

namespace qd::cli {

/// All options with all that is said about them, in groups.
std::string full_help(const CommandHelp& help, size_t width);

/// The usual options, by their long names, with the first sentence of each, then the names of the others by groups.
std::string short_help(const CommandHelp& help, const std::vector<std::string>& usual, size_t width);

}  // namespace qd::cli
