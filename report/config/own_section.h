// The section of a configuration file that is ours alone.
#pragma once

#include <string>

#include "report/config/config_file.h"

namespace qd::report {

/// A configuration file of our own. Its sections need no prefix, and it is looked for first.
inline constexpr const char* kOwnFile = "qd-cov.toml";

/// Takes the settings of [tool.qd-cov] (TOML) or [qd-cov] (INI) and of its parts diff and check ([tool.qd-cov.diff] or
/// [qd-cov:diff]); false when the file has no such section. Throws InvalidFile.
bool read_own_section(Config& config, const ConfigFile& file, const std::string& path, const Warn& warn);

/// Takes diff-cover's settings from [tool.diff_cover] of a TOML file. Throws ConfigError.
void read_diff_cover_section(Config& config, const std::string& path, const Warn& warn);

}  // namespace qd::report
