// Late writers: programs that still write to a file that is no longer the data file.
#pragma once

#include <string>

namespace qd::report {

/// Waits until no process has the database at `path` open for writing, or until a writer has been idle for 2 s, and 30
/// s at most. Such a writer is a coverage.py that opened the file under its old name. If the system cannot tell, this
/// does not wait.
void wait_for_late_writers(const std::string& path);

}  // namespace qd::report
