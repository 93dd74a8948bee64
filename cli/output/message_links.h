// Links from messages to what coverage.py's documentation says of them, as its versions since 7.10.7 print them.
#pragma once

#include <string>

#include "report/config/config.h"

namespace qd::cli {

/// From now on messages link to the documentation of the version that `config` matches. Before, and for a version
/// without links, there are none.
void link_messages(const report::Config& config);

/// The message of an error as it is shown: "No source for code: 'a.py'; see https://...#error-no-source".
std::string linked_error(const std::string& message);
/// The same for a warning that ends with its name: "... (couldnt-parse)".
std::string linked_warning(const std::string& message);

}  // namespace qd::cli
