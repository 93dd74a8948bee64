// Own tables for the data of other tools. coverage.py reads such a file and ignores them; its `combine` leaves them
// behind.
#pragma once

#include "report/data/coverage_data.h"
#include "report/data/sqlite.h"

namespace qd::report {

/// Writes `data.imported`. No table is made when it is empty.
void write_imported_tables(Database& database, const CoverageData& data);

/// Adds the content of the tables, if there are any. Throws DataError when a list in them is damaged.
void read_imported_tables(const Database& database, CoverageData& data);

}  // namespace qd::report
