// The resolved settings as text, for `qd-cov debug config`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/config/config.h"

namespace qd::report {

/// Every setting with its value, one or more lines, as `coverage debug config` shows them; sorted by name.
std::vector<std::pair<std::string, StringList>> describe_config(const Config& config);

}  // namespace qd::report
