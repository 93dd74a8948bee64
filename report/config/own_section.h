// The section of a configuration file that is ours alone.
#pragma once

#include <string>

#include "report/config/config_file.h"

namespace qd::report {

/// Takes the settings of [tool.qd-cov] (TOML) or [qd-cov] (INI); false when the file has no such section. Throws InvalidFile.
bool read_own_section(Config& config, const ConfigFile& file, const std::string& path, const Warn& warn);

}  // namespace qd::report
