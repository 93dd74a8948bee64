// Waits for programs that still write to a file that is no longer the data file.
#pragma once

#include <string>

namespace qd::report {

/// Waits until nobody has the database at `path` open for writing, or until it seems that a writer will not write any
/// more. Such a writer is a coverage.py that opened the file under its old name. Where the system cannot tell, this
/// does not wait.
void wait_for_late_writers(const std::string& path);

}  // namespace qd::report
