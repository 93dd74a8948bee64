// Tables of a data file: coverage.py's, and our own. coverage.py reads a file with our tables and ignores them; its
// `combine` leaves them behind.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "report/data/coverage_data.h"
#include "report/data/sqlite.h"

namespace qd::report {

/// Writes all tables to the new or empty database at `path`; `shown` is its name in messages. Throws DataError.
void write_tables(const std::string& path, const std::string& shown, const CoverageData& data);

/// Ids of the files of `data`, in their order. A file that had an id keeps it: coverage.py remembers ids while a
/// measured program runs, and then adds rows with them.
std::vector<int64_t> file_ids(const CoverageData& data);

// Mixed data, of which only some files have branches. coverage.py reads the common part of all files: lines.

/// Writes the arcs, and the files that have branches. File ids count from 1 in the order of `data.files`, context ids
/// from 1.
void write_mixed_tables(Database& database, const CoverageData& data);

/// Makes `data`, which was read as line data, mixed, if the tables exist. `file_of` returns null for an unknown file,
/// `context_of` nothing for a context that is left out. Lists of arcs are in no order, and may have duplicates.
void read_mixed_tables(const Database& database, CoverageData& data, const std::function<FileData*(int64_t)>& file_of,
                       const std::function<std::optional<ContextId>(int64_t)>& context_of);

// Own tables for kernels.

/// Writes the kernel data of `data`. File ids count from 1 in the order of `data.files`, context ids from 1. No table
/// is made when it is empty.
void write_kernel_tables(Database& database, const CoverageData& data);

/// Adds the content of the tables, if there are any. `file_of` returns null for an unknown file.
void read_kernel_tables(const Database& database, const std::function<FileData*(int64_t)>& file_of,
                        const std::function<ContextId(int64_t)>& context_of);

// Own tables for results of instruments besides arcs and conditions.

/// Writes FileData::results. File ids and context ids are as above. No table is made when there are none.
void write_result_tables(Database& database, const CoverageData& data);

/// Adds the content of the tables, if there are any. Throws DataError for an unknown width or merge rule.
void read_result_tables(const Database& database, const std::function<FileData*(int64_t)>& file_of,
                        const std::function<ContextId(int64_t)>& context_of);

/// Four columns of a table: line, col, end_line, end_col. `first`: the number of the first one.
void bind_range(Statement& statement, int first, const SourceRange& range);
SourceRange range_of(const Statement& row, int first);

// Own tables for the data of other tools.

/// Writes `data.imported`. No table is made when it is empty.
void write_imported_tables(Database& database, const CoverageData& data);

/// Adds the content of the tables, if there are any. Throws DataError when a list in them is damaged.
void read_imported_tables(const Database& database, CoverageData& data);

}  // namespace qd::report
