// Data file checks before a file is replaced or deleted: a name in the configuration may lead to any file, and programs
// may still write to the old one.
#pragma once

#include <string>

namespace qd::report {

/// Whether a file is measured data, of this or any other version of coverage.py or of ours, damaged or not: a database
/// with the table `coverage_schema`, coverage.py 4's text, or a journal. An empty file is data if its name is one of
/// coverage.py's own (".coverage", ".coverage.x"), which it leaves behind when it is killed. So is a database without
/// any table, which has no data to lose. False for a file that is not regular or cannot be read. Follows links.
bool is_measured_data(const std::string& path);

/// Throws DataError when a file at `path` is not measured data: it must not be replaced or deleted.
void check_replaceable(const std::string& path);

// Late writers: programs that still write to a file that is no longer the data file.

/// Waits until no process has the database at `path` open for writing, or until a writer has been idle for 2 s, and 30
/// s at most. Such a writer is a coverage.py that opened the file under its old name. If the system cannot tell, this
/// does not wait.
void wait_for_late_writers(const std::string& path);

}  // namespace qd::report
