// Own tables for kernels in a data file. coverage.py reads such a file and ignores them; its `combine` leaves them
// behind.
#pragma once

#include <functional>

#include "report/data/coverage_data.h"
#include "report/data/sqlite.h"

namespace qd::report {

/// Writes the kernel data of `data`. File ids count from 1 in the order of `data.files`, context ids from 1. No table
/// is made when it is empty.
void write_kernel_tables(Database& database, const CoverageData& data);

/// Adds the content of the tables, if there are any. `file_of` returns null for an unknown file.
void read_kernel_tables(const Database& database, const std::function<FileData*(int64_t)>& file_of,
                        const std::function<ContextId(int64_t)>& context_of);

}  // namespace qd::report
