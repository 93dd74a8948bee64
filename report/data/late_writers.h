// Whoever still writes to a file that is no longer the data file.
#pragma once

#include <string>

namespace qd::report {

/// Waits until nobody has the database at `path` open to write to it, or it seems that nothing will come of that: a
/// writer of coverage.py that opened it under its old name may be on its way. Where the system does not tell, it does
/// not wait.
void wait_for_late_writers(const std::string& path);

}  // namespace qd::report
