// Message links, which lead to the explanation of a message in coverage.py's documentation. coverage.py has printed
// such links since 7.10.7.
#pragma once

#include <string>

#include "report/config/config.h"

namespace qd::cli {

/// From now on, messages link to the documentation of the version that `config` asks for. Before this call, and for a
/// version without links, there are none.
void link_messages(const report::Config& config);

/// Message of an error with its link: "No source for code: 'a.py'; see https://...#error-no-source".
std::string linked_error(const std::string& message);
/// The same for a warning that ends with its name: "... (couldnt-parse)".
std::string linked_warning(const std::string& message);

}  // namespace qd::cli
