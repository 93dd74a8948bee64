// Shell completion: scripts for the command line of qd-cov, made from the tables of its options.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"

namespace qd::cli {

std::string bash_completion(const std::vector<CommandHelp>& commands);
std::string zsh_completion(const std::vector<CommandHelp>& commands);
std::string fish_completion(const std::vector<CommandHelp>& commands);

}  // namespace qd::cli
