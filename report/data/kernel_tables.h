// Tables of our own in a data file. coverage.py reads such a file and knows nothing of them; its `combine` leaves them
// behind.
#pragma once

#include <functional>

#include "report/data/coverage_data.h"
#include "report/data/sqlite.h"

namespace qd::report {

/// Writes what `data` knows of kernels. File ids count from 1 in the order of `data.files`, context ids from 1. No
/// table is made when there is nothing to say.
void write_kernel_tables(Database& database, const CoverageData& data);

/// Adds what the tables hold, if there are any. `file_of` gives null for an unknown file.
void read_kernel_tables(const Database& database, const std::function<FileData*(int64_t)>& file_of,
                        const std::function<ContextId(int64_t)>& context_of);

}  // namespace qd::report
