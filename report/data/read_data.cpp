// Data file reader.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "report/data/coverage_data.h"
#include "report/data/data_pages.h"
#include "report/data/data_rows.h"
#include "report/data/data_tables.h"
#include "report/data/file_content.h"
#include "report/data/journal.h"
#include "report/data/source_version.h"
#include "report/data/sqlite.h"
#include "report/data/utf8.h"

namespace qd::report {

namespace {

/// Throws DataError for anything but a table with rows of its own, or an index of columns: a view, a trigger, a virtual
/// table, a generated column. Neither coverage.py nor we make such, and reading them would execute expressions of the
/// file.
void check_tables_alone(const Database& database, const std::string& path) {
  Statement odd(database,
                "SELECT type, name FROM sqlite_master WHERE type NOT IN ('table', 'index') "
                "UNION ALL SELECT 'virtual table', name FROM sqlite_master WHERE type = 'table' AND "
                "ifnull(rootpage, 0) = 0 "
                "UNION ALL SELECT 'generated column', m.name || '.' || x.name FROM sqlite_master AS m, "
                "pragma_table_xinfo(m.name) AS x WHERE m.type = 'table' AND x.hidden <> 0 "
                "UNION ALL SELECT 'index of expressions', m.name FROM sqlite_master AS m, pragma_index_xinfo(m.name) "
                "AS x WHERE m.type = 'index' AND x.cid = -2 LIMIT 1");
  if (odd.step())
    throw DataError(fmt::format("Couldn't use data file '{}': it has a {} '{}': only tables hold coverage data", path,
                                shown_text(odd.text(0)), shown_text(odd.text(1))));
}

/// False for a database without any table. Throws DataError when it is not a coverage data file of our schema.
bool check_schema(const Database& database, const std::string& path, bool may_be_empty) {
  check_tables_alone(database, path);
  Statement tables(database,
                   "SELECT count(*), total(name = 'coverage_schema') FROM sqlite_master WHERE type = 'table'");
  tables.step();
  if (tables.integer(0) == 0 && may_be_empty) return false;
  if (tables.integer(1) == 0)
    throw DataError(fmt::format(
        "Data file '{}' isn't a coverage data file: Couldn't use data file '{}': no such table: coverage_schema: "
        "(SQLITE_ERROR)",
        path, path));
  Statement version(database, "SELECT version FROM coverage_schema");
  if (!version.step()) throw DataError(fmt::format("Data file '{}' isn't a coverage data file: ", path));
  std::string text = version.type(0) == SQLITE_NULL ? "None" : shown_text(version.text(0));
  if (version.type(0) != SQLITE_INTEGER || version.integer(0) != kSchemaVersion)
    throw DataError(
        fmt::format("Couldn't use data file '{}': wrong schema: {} instead of {}", path, text, kSchemaVersion));
  if (version.step()) throw DataError(fmt::format("Data file '{}' isn't a coverage data file: ", path));
  return true;
}

/// Throws DataError when the table of arcs and its index contradict each other. SQLite itself notices that only in a
/// check of the whole file.
void check_arcs(const Database& database, const DataRows& rows) {
  Statement index(database,
                  "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND name = 'sqlite_autoindex_arc_1' AND "
                  "tbl_name = 'arc'");
  index.step();
  if (index.integer(0) == 0) return;
  constexpr const char* kSums =
      "SELECT count(*), total(file_id), total(context_id), total(fromno), total(tono), total(rowid) FROM arc {}";
  Statement of_table(database, fmt::format(kSums, "NOT INDEXED").c_str());
  Statement of_index(database, fmt::format(kSums, "INDEXED BY sqlite_autoindex_arc_1").c_str());
  of_table.step();
  of_index.step();
  for (int column = 0; column < 6; ++column)
    if (of_table.text(column) != of_index.text(column))
      rows.fail("it is damaged: its table of branches and the index of it differ");
}

void check_type(const DataRows& rows, const Statement& statement, int column, int type, const char* name) {
  if (statement.type(column) != type) rows.fail(fmt::format("a value of column '{}' is not of its type", name));
}

void read_rows(const Database& database, CoverageData& data, bool may_be_empty, const FoldContext& fold) {
  DataRows rows(data, fold);
  const bool with_versions = has_source_versions(database);
  if (with_versions) rows.sum_up();
  Statement meta(
      database,
      "SELECT key, value FROM meta WHERE key IN ('has_arcs', 'qd_commands', 'qd_kept_inputs', 'qd_unread_inputs', "
      "'qd_version')");
  while (meta.step()) rows.meta(meta.text(0), meta.text(1));

  Statement contexts(database, "SELECT id, context FROM context NOT INDEXED");
  while (contexts.step()) {
    check_type(rows, contexts, 0, SQLITE_INTEGER, "id");
    rows.context(contexts.integer(0), contexts.text(1));
  }
  Statement paths(database, "SELECT id, path FROM file NOT INDEXED");
  while (paths.step()) {
    check_type(rows, paths, 0, SQLITE_INTEGER, "id");
    check_type(rows, paths, 1, SQLITE_TEXT, "path");
    rows.file(paths.integer(0), paths.text(1));
  }

  // coverage.py reads only the kind that the file declares, and refuses to combine both.
  bool two_kinds = false;
  Statement bits(database, "SELECT file_id, context_id, numbits FROM line_bits NOT INDEXED");
  while (bits.step()) {
    two_kinds = two_kinds || data.has_arcs == true;
    if (data.has_arcs == true) continue;
    check_type(rows, bits, 2, SQLITE_BLOB, "numbits");
    rows.line_bits(bits.integer(0), bits.integer(1), bits.blob(2));
  }
  // The unique index holds all columns: this order costs nothing and leaves each list sorted.
  Statement arcs(database,
                 "SELECT file_id, context_id, fromno, tono FROM arc ORDER BY file_id, context_id, fromno, tono");
  while (arcs.step()) {
    two_kinds = two_kinds || data.has_arcs == false;
    if (data.has_arcs == false) continue;
    check_type(rows, arcs, 2, SQLITE_INTEGER, "fromno");
    check_type(rows, arcs, 3, SQLITE_INTEGER, "tono");
    rows.arc(arcs.integer(0), arcs.integer(1), arcs.integer(2), arcs.integer(3));
  }
  if (data.has_arcs != false) check_arcs(database, rows);
  if (two_kinds && !may_be_empty) rows.fail("it has line measurements and branch measurements");

  Statement tracers(database, "SELECT file_id, tracer FROM tracer");
  while (tracers.step()) rows.tracer(tracers.integer(0), tracers.text(1));

  auto file_of = [&](int64_t id) { return rows.file_of(id); };
  auto context_of = [&](int64_t id) { return rows.context_of(id); };
  auto kept_context_of = [&](int64_t id) { return rows.kept_context_of(id); };
  if (data.has_arcs == false) read_mixed_tables(database, data, file_of, kept_context_of);
  rows.finish();
  read_kernel_tables(database, file_of, context_of);
  read_result_tables(database, file_of, context_of);
  read_imported_tables(database, data);
  if (with_versions) read_source_versions(database, file_of, [&](int64_t id) { return rows.sum_of(id); });
}

}  // namespace

CoverageData read_data_with_sqlite(const std::string& path, bool may_be_empty, const FoldContext& fold) {
  Database database = has_write_ahead_log(path) ? Database::open_with_log(path) : Database::open_to_read(path);
  CoverageData data;
  data.path = path;
  if (check_schema(database, path, may_be_empty)) read_rows(database, data, may_be_empty, fold);
  return data;
}

namespace {

/// Checks the structure of a file and its indexes. `sums_compared`: not those of `arc` and `line_bits` if it is large.
/// Throws DataError for damage that the reader did not meet, and that could give another reader other numbers.
void check_integrity(const std::string& path, std::string_view bytes, bool sums_compared) {
  constexpr size_t kLarge = size_t{256} << 10;  // below, the check takes some milliseconds
  constexpr size_t kJournalMode = 18;           // 1 in the header says that no other file holds a part of the data
  if (bytes.size() <= kJournalMode || bytes[kJournalMode] != 1) return;
  // The check uses these bytes, not the file: another process may have put a new one in its place.
  const Database database(bytes, path);
  std::vector<const char*> checks = {"PRAGMA integrity_check(1)"};
  if (sums_compared && bytes.size() > kLarge)
    checks = {"PRAGMA integrity_check(meta)", "PRAGMA integrity_check(file)", "PRAGMA integrity_check(context)"};
  for (const char* sql : checks) {
    Statement check(database, sql);
    if (!check.step() || check.text(0) == "ok") continue;
    std::string what(check.text(0));
    std::replace(what.begin(), what.end(), '\n', ' ');
    throw DataError(fmt::format("Couldn't use data file '{}': it is damaged: {}", path, shown_text(what)));
  }
}

}  // namespace

CoverageData read_data(const std::string& path, bool may_be_empty, const FoldContext& fold) {
  if (!std::filesystem::exists(path))
    throw NoDataError("No data to report.",
                      fmt::format("There is no '{}'. Run the tests under qd-cov, for instance 'qd-cov run pytest', or "
                                  "name the file with --data-file.",
                                  path));
  if (is_journal(path)) return read_journal(path);
  // An input of `combine` is read as it is. A file that will be written again, or reported on, must not be read half
  // written.
  std::optional<ReadLock> lock;
  if (may_be_empty) lock.emplace(path);
  FileContent content;
  std::optional<CoverageData> data;
  const std::optional<int64_t> written = written_at(path);
  if (std::optional<std::string_view> bytes = content.read(path)) {
    data = read_data_pages(path, *bytes, fold);
    const bool by_pages = data.has_value();
    if (!by_pages) data = read_data_with_sqlite(path, may_be_empty, fold);
    if (may_be_empty) check_integrity(path, *bytes, by_pages);
  } else {
    data = read_data_with_sqlite(path, may_be_empty, fold);
  }
  data->written = written;
  return std::move(*data);
}

}  // namespace qd::report
