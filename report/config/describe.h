// The resolved settings as text, for `qd-cov debug config`.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/config/config.h"

namespace qd::report {

/// The files that coverage.py's settings are looked for in until one has some, and those of them that are there;
/// absolute.
struct ConfigFilesTried {
  StringList attempted, read;
};
/// `rcfile` was named by an option; none: by $COVERAGE_RCFILE, or by nobody.
ConfigFilesTried config_files_tried(const Config& config, const std::optional<std::string>& rcfile);

/// Every setting with its value, one or more lines, as `coverage debug config` shows them; sorted by name.
std::vector<std::pair<std::string, StringList>> describe_config(const Config& config,
                                                                const std::optional<std::string>& rcfile = {});

}  // namespace qd::report
