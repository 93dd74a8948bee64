// The configuration as the base commit of a change has it.
#pragma once

#include <optional>
#include <string>

#include "cli/command_line.h"
#include "report/config/config.h"
#include "report/diff/changes.h"

namespace qd::cli {

/// The configuration of a commit. A file that git does not track is as it is now.
struct BaseConfig {
  report::Config config;
  report::StringList
      unknown;  // files with settings of which the commit has nothing, unless the command line names them
};

/// Throws ConfigError for a configuration of the commit that is none.
BaseConfig base_config(const CommandLine& line, const std::string& root, const std::string& commit);
/// The configuration of the working tree, of the same files.
report::Config config_now(const CommandLine& line);
/// Whether a change has a file of the configuration.
bool changes_configuration(const CommandLine& line, const report::Changes& changes);

/// The path of a file from the top of the working tree, nothing for one that is not in it. A file that is a link is the
/// link: another commit may have a file there.
std::optional<std::string> path_below(const std::string& root, const std::string& file);

}  // namespace qd::cli
