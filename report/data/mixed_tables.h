// Mixed data, of which only some files have branches. coverage.py reads the common part of all files: lines.
#pragma once

#include <functional>
#include <optional>

#include "report/data/coverage_data.h"
#include "report/data/sqlite.h"

namespace qd::report {

/// Writes the arcs, and the files that have branches. File ids count from 1 in the order of `data.files`, context ids
/// from 1.
void write_mixed_tables(Database& database, const CoverageData& data);

/// Makes `data`, which was read as line data, mixed, if the tables exist. `file_of` returns null for an unknown file,
/// `context_of` nothing for a context that is left out. Lists of arcs are in no order, and may have duplicates.
void read_mixed_tables(const Database& database, CoverageData& data, const std::function<FileData*(int64_t)>& file_of,
                       const std::function<std::optional<ContextId>(int64_t)>& context_of);

}  // namespace qd::report
