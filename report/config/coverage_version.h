// What differs between the versions of coverage.py that the settings can name.
#pragma once

#include <string>

#include "report/config/config.h"

namespace qd::report {

/// Gives `config` the default patterns of a version, "7.4" or "7.4.1", and the way in which it applied patterns.
/// Numbers that are not there stand for the last such version. Throws InvalidFile for what is no version.
void match_version(Config& config, const std::string& version);

/// Whether `version` is that version or a later one. Throws as match_version().
bool matches_since(const std::string& version, int major, int minor, int patch);

}  // namespace qd::report
