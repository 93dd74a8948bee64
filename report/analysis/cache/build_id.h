// Build id of this program.
#pragma once

#include <string>

namespace qd::report {

/// build_id_of (runtime/build) the program or library that holds this code.
std::string build_id();

}  // namespace qd::report
