// Differences between the versions of coverage.py that the settings can name.
#pragma once

#include <string>

#include "report/config/config.h"

namespace qd::report {

/// Gives `config` the default patterns of a version, such as "7.4" or "7.4.1", and its rules for patterns. A number
/// that is left out means the last such version. Throws InvalidFile when `version` is no version.
void match_version(Config& config, const std::string& version);

/// Whether `version` is at least major.minor.patch. Throws as match_version().
bool matches_since(const std::string& version, int major, int minor, int patch);

}  // namespace qd::report
