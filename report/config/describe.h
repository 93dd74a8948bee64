// Resolved settings as text, for `qd-cov debug config`.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/config/config.h"

namespace qd::report {

/// Files in which coverage.py looks for settings until one has some, and those of them that exist; absolute.
struct ConfigFilesTried {
  StringList attempted, read;
};
/// `rcfile`: the file that an option named; none when there was no such option.
ConfigFilesTried config_files_tried(const Config& config, const std::optional<std::string>& rcfile);

/// Returns every setting with its value, one or more lines, as `coverage debug config` shows them; sorted by name.
std::vector<std::pair<std::string, StringList>> describe_config(const Config& config,
                                                                const std::optional<std::string>& rcfile = {});

}  // namespace qd::report
