// Which build of the program this is.
#pragma once

#include <string>

namespace qd::report {

/// The linker's number of the program or library that holds this code (readelf -n): another one for any other code. Without one, the size and time of the file.
/// Empty when that is not known either.
std::string build_id();

}  // namespace qd::report
