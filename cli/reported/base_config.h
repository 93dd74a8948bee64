// Base configuration: the settings of a change's base commit.
#pragma once

#include <optional>
#include <string>

#include "cli/command_line.h"
#include "report/config/config.h"
#include "report/diff/changes.h"

namespace qd::cli {

/// Configuration of a commit. For a file that git does not track, the present one is used.
struct BaseConfig {
  report::Config config;
  report::StringList unknown;  // settings files that the commit does not have, unless the command line names them
};

/// Throws ConfigError for an invalid configuration of the commit.
BaseConfig base_config(const CommandLine& line, const std::string& root, const std::string& commit);
/// Configuration of the working tree, from the same files.
report::Config config_now(const CommandLine& line);
/// Whether a change contains a file of the configuration.
bool changes_configuration(const CommandLine& line, const report::Changes& changes);

/// Path of a file relative to the top of the working tree; nothing for one outside of it. The path of a link stays:
/// another commit may have a file there.
std::optional<std::string> path_below(const std::string& root, const std::string& file);

}  // namespace qd::cli
