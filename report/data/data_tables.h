// Tables of a data file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/data/coverage_data.h"

namespace qd::report {

/// Writes all tables to the new or empty database at `path`; `shown` is its name in messages. Throws DataError.
void write_tables(const std::string& path, const std::string& shown, const CoverageData& data);

/// Ids of the files of `data`, in their order. A file that had an id keeps it: coverage.py remembers ids while a
/// measured program runs, and then adds rows with them.
std::vector<int64_t> file_ids(const CoverageData& data);

}  // namespace qd::report
