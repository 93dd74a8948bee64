// Messages to the user of the measured program.
#pragma once

#include <string>

namespace qd::instrument {

/// Writes the line "qd: TEXT" to standard error. Where that is a file at the limit of file sizes, or a closed pipe, the
/// message is lost, and no SIGXFSZ or SIGPIPE ends the program.
void tell(const std::string& text);

}  // namespace qd::instrument
