// Report files: written whole or not at all.
#pragma once

#include <string>

namespace qd::cli {

/// Writes beside `path` and renames, so that nobody meets half a report; devices and pipes are written to as they are.
/// Throws std::runtime_error "Couldn't write '...': ...".
void write_output_file(const std::string& path, const std::string& text);

}  // namespace qd::cli
