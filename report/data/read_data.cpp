// Reading a coverage.py data file: one ordered scan of each table.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "report/data/coverage_data.h"
#include "report/data/sqlite.h"
#include "report/data/journal.h"
#include "report/data/kernel_tables.h"
#include "report/data/mixed_tables.h"

namespace qd::report {

namespace {

constexpr int64_t kSchemaVersion = 7;

/// False for a database without any table. Throws DataError when it is not a coverage data file of our schema.
bool check_schema(const Database& database, const std::string& path, bool may_be_empty) {
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
  if (version.text(0) != std::to_string(kSchemaVersion))
    throw DataError(fmt::format("Couldn't use data file '{}': wrong schema: {} instead of {}", path, version.text(0),
                                kSchemaVersion));
  return true;
}

/// The contexts of a file by their row ids. A row of measured data whose context is not there belongs to ''.
class Contexts {
 public:
  Contexts(const Database& database, CoverageData& data) {
    Statement rows(database, "SELECT id, context FROM context");
    while (rows.step()) {
      ContextId id = 0;
      if (!rows.text(1).empty()) {
        id = static_cast<ContextId>(data.contexts.size());
        data.contexts.emplace_back(rows.text(1));
      }
      ids_.emplace(rows.integer(0), id);
    }
  }
  ContextId operator[](int64_t row_id) {
    auto found = ids_.find(row_id);
    if (found != ids_.end()) return found->second;
    seen_unknown_ = true;
    return 0;
  }
  bool seen_unknown() const { return seen_unknown_; }

 private:
  bool seen_unknown_ = false;
  std::unordered_map<int64_t, ContextId> ids_;
};

void sort_arcs(CoverageData& data) {
  for (auto& [path, file] : data.files)
    for (auto& [context, arcs] : file.arcs) {
      std::sort(arcs.begin(), arcs.end());
      arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
    }
}

}  // namespace

CoverageData read_data(const std::string& path, bool may_be_empty) {
  if (!std::filesystem::exists(path)) throw NoDataError("No data to report.");
  if (is_journal(path)) return read_journal(path);
  Database database = Database::open_to_read(path);
  CoverageData data;
  data.path = path;
  if (!check_schema(database, path, may_be_empty)) return data;

  Statement meta(database, "SELECT value FROM meta WHERE key = 'has_arcs'");
  if (meta.step()) data.has_arcs = meta.integer(0) != 0;

  Contexts contexts(database, data);
  std::unordered_map<int64_t, FileData*> files;
  Statement paths(database, "SELECT id, path FROM file");
  while (paths.step()) files.emplace(paths.integer(0), &data.files[std::string(paths.text(1))]);

  auto file_of = [&, last_id = int64_t{-1}, last = static_cast<FileData*>(nullptr)](int64_t id) mutable {
    if (id != last_id) {
      auto found = files.find(id);
      last = found == files.end() ? nullptr : found->second;
      last_id = id;
    }
    return last;
  };

  Statement bits(database, "SELECT file_id, context_id, numbits FROM line_bits");
  while (bits.step())
    if (FileData* file = file_of(bits.integer(0))) {
      file->lines[contexts[bits.integer(1)]].merge(Numbits(std::string(bits.blob(2))));
      if (!data.has_arcs) data.has_arcs = false;
    }

  // The unique index holds all columns: this order costs nothing and leaves each list sorted.
  Statement arcs(database,
                 "SELECT file_id, context_id, fromno, tono FROM arc ORDER BY file_id, context_id, fromno, tono");
  int64_t last_file = -1, last_context = -1;
  std::vector<Arc>* list = nullptr;
  while (arcs.step()) {
    int64_t file_id = arcs.integer(0), context_id = arcs.integer(1);
    if (file_id != last_file || context_id != last_context) {
      FileData* file = file_of(file_id);
      list = file ? &file->arcs[contexts[context_id]] : nullptr;
      last_file = file_id;
      last_context = context_id;
    }
    if (list) list->push_back({static_cast<int32_t>(arcs.integer(2)), static_cast<int32_t>(arcs.integer(3))});
  }
  if (!data.has_arcs && last_file != -1) data.has_arcs = true;
  Statement tracers(database, "SELECT file_id, tracer FROM tracer");
  while (tracers.step())
    if (FileData* file = file_of(tracers.integer(0))) file->tracer = tracers.text(1);
  if (data.has_arcs == false) read_mixed_tables(database, data, file_of, [&](int64_t id) { return contexts[id]; });
  if (contexts.seen_unknown()) sort_arcs(data);
  read_kernel_tables(database, file_of, [&](int64_t id) { return contexts[id]; });
  return data;
}

}  // namespace qd::report
