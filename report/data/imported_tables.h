// Tables of our own for what other tools measured. coverage.py reads such a file and knows nothing of them; its
// `combine` leaves them behind.
#pragma once

#include "report/data/coverage_data.h"
#include "report/data/sqlite.h"

namespace qd::report {

/// Writes `data.imported`. No table is made when there is nothing to say.
void write_imported_tables(Database& database, const CoverageData& data);

/// Adds what the tables hold, if there are any. Throws DataError when a list in them is damaged.
void read_imported_tables(const Database& database, CoverageData& data);

}  // namespace qd::report
