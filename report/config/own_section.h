// Own sections of a configuration file.
#pragma once

#include <string>

#include "report/config/config_file.h"

namespace qd::report {

/// Reads the settings of [tool.qd-cov] (TOML) or [qd-cov] (INI) and of its parts diff and check ([tool.qd-cov.diff] or
/// [qd-cov:diff]); false when the file has none. Paths in them are relative to `folder` ("../", or empty: the current
/// one). `ours_alone`: the file has no other sections. Throws InvalidFile and ConfigError for any name or value that is
/// not known exactly.
bool read_own_section(Config& config, const ConfigFile& file, const std::string& path, const std::string& folder,
                      bool ours_alone);

/// Takes diff-cover's settings from [tool.diff_cover] of a TOML file. Throws ConfigError.
void read_diff_cover_section(Config& config, const std::string& path, const Warn& warn,
                             const ReadText& read = read_text);

}  // namespace qd::report
