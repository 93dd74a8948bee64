// Data file writer; the file appears as a whole or not at all.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>

#include "report/data/coverage_data.h"
#include "report/data/data_file_check.h"
#include "report/data/data_rows.h"
#include "report/data/data_tables.h"
#include "report/data/measured_commands.h"
#include "report/data/source_version.h"
#include "report/data/sqlite.h"
#include "report/data/unfinished_file.h"

namespace qd::report {

namespace {

namespace fs = std::filesystem;

// Schema version 7 of coverage.py.
constexpr const char* kCoverageTables = R"(
CREATE TABLE coverage_schema (version integer);
CREATE TABLE meta (key text, value text, unique (key));
CREATE TABLE file (id integer primary key, path text, unique (path));
CREATE TABLE context (id integer primary key, context text, unique (context));
CREATE TABLE line_bits (file_id integer, context_id integer, numbits blob,
    foreign key (file_id) references file (id), foreign key (context_id) references context (id),
    unique (file_id, context_id));
CREATE TABLE arc (file_id integer, context_id integer, fromno integer, tono integer,
    foreign key (file_id) references file (id), foreign key (context_id) references context (id),
    unique (file_id, context_id, fromno, tono));
CREATE TABLE tracer (file_id integer primary key, tracer text, foreign key (file_id) references file (id));
INSERT INTO coverage_schema (version) VALUES (7);
INSERT INTO meta (key, value) VALUES ('version', 'qd-cov');
)";

/// Lines per context, from a file's lines and arcs.
std::map<ContextId, Numbits> all_lines(const FileData& file) {
  std::map<ContextId, Numbits> result = file.lines;
  for (const auto& [context, arcs] : file.arcs) add_lines_of(arcs, result[context]);
  return result;
}

/// MeasuredSum of the rows that insert_rows() makes for a file.
int64_t sum_of(const FileData& file, bool mixed) {
  MeasuredSum sum;
  for (const auto& [context_id, numbits] : mixed ? all_lines(file) : file.lines)
    sum.add_lines(static_cast<int64_t>(context_id) + 1, numbits.bytes());
  for (const auto& [context_id, list] : file.arcs) {
    if (mixed) break;
    for (const Arc& arc : list) sum.add_arc(static_cast<int64_t>(context_id) + 1, arc.from, arc.to);
  }
  return sum.value();
}

/// Writes to a file without a name in `folder`: a process that is killed leaves nothing. Returns the error of writing,
/// 0 without one; nothing when no such file can be made there (file systems without O_TMPFILE, missing permissions).
std::optional<int> error_of_nameless_file(const fs::path& folder) {
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) return std::nullopt;
  const std::string page(4096, '\1');
  const int error = write(file, page.data(), page.size()) == static_cast<ssize_t>(page.size()) ? 0 : errno;
  close(file);
  return error;
}

void insert_rows(Database& database, const CoverageData& data) {
  const bool mixed = data.is_mixed();
  if (data.has_arcs)
    Statement(database, "INSERT INTO meta (key, value) VALUES ('has_arcs', ?)")
        .bind(1, std::string_view(*data.has_arcs && !mixed ? "1" : "0"))
        .run();
  if (!data.commands.empty())
    Statement(database, "INSERT INTO meta (key, value) VALUES (?, ?)")
        .bind(1, std::string_view(kCommandsKey))
        .bind(2, joined_lines(data.commands))
        .run();
  if (!data.kept_inputs.empty()) {
    std::string hashes;
    for (uint64_t hash : data.kept_inputs) hashes += fmt::format("{}{:016x}", hashes.empty() ? "" : "\n", hash);
    Statement(database, "INSERT INTO meta (key, value) VALUES (?, ?)")
        .bind(1, std::string_view(kKeptInputsKey))
        .bind(2, hashes)
        .run();
  }
  if (!data.unread_inputs.empty())
    Statement(database, "INSERT INTO meta (key, value) VALUES (?, ?)")
        .bind(1, std::string_view(kUnreadInputsKey))
        .bind(2, joined_lines(data.unread_inputs))
        .run();
  Statement context(database, "INSERT INTO context (id, context) VALUES (?, ?)");
  for (size_t i = 0; i < data.contexts.size(); ++i)
    context.bind(1, static_cast<int64_t>(i + 1)).bind(2, data.contexts[i]).run();

  Statement file(database, "INSERT INTO file (id, path) VALUES (?, ?)");
  Statement lines(database, "INSERT INTO line_bits (file_id, context_id, numbits) VALUES (?, ?, ?)");
  IntegerRows arcs(database, "arc (file_id, context_id, fromno, tono)");
  Statement tracer(database, "INSERT INTO tracer (file_id, tracer) VALUES (?, ?)");
  const std::vector<int64_t> ids = file_ids(data);
  auto next = ids.begin();
  for (const auto& [path, measured] : data.files) {
    const int64_t id = *next++;
    file.bind(1, id).bind(2, path).run();
    for (const auto& [context_id, numbits] : mixed ? all_lines(measured) : measured.lines)
      lines.bind(1, id).bind(2, static_cast<int64_t>(context_id) + 1).bind_blob(3, numbits.bytes()).run();
    for (const auto& [context_id, list] : measured.arcs) {
      if (mixed) break;
      for (const Arc& arc : list) arcs.add({id, static_cast<int64_t>(context_id) + 1, arc.from, arc.to});
    }
    if (!measured.tracer.empty()) tracer.bind(1, id).bind(2, measured.tracer).run();
  }
  arcs.finish();
  if (mixed) write_mixed_tables(database, data);
}

}  // namespace

void check_writable(const std::string& path) {
  check_replaceable(path);
  const std::string target = data_file_target(path);
  if (const std::optional<int> error = error_of_nameless_file(fs::path(target).parent_path())) {
    if (*error == 0) return;
    throw DataError(fmt::format("Couldn't use data file '{}': {}", path, std::strerror(*error)));
  }
  UnfinishedFile file(target, path);
  Database database = Database::create(file.path(), path);
  std::remove(file.path().c_str());  // it stays open; a process that is killed from here on leaves no file
  database.execute("PRAGMA journal_mode=off; PRAGMA synchronous=off; CREATE TABLE x (x)");
}

std::vector<int64_t> file_ids(const CoverageData& data) {
  constexpr int64_t kMost = int64_t{1} << 53;
  std::vector<int64_t> ids;
  std::set<int64_t> used;
  int64_t last = data.last_id;
  for (const auto& [path, file] : data.files) last = std::max(last, file.id);
  if (last >= kMost) last = 0;  // such large ids are not coverage.py's: they are assigned anew
  for (const auto& [path, file] : data.files)
    ids.push_back(last > 0 && file.id > 0 && used.insert(file.id).second ? file.id : 0);
  for (int64_t& id : ids)
    if (id == 0) id = ++last;
  return ids;
}

void write_tables(const std::string& path, const std::string& shown, const CoverageData& data) {
  Database database = Database::create(path, shown);
  // An unfinished file is never used, so SQLite need not protect it.
  database.execute("PRAGMA journal_mode=off; PRAGMA synchronous=off; BEGIN");
  database.execute(kCoverageTables);
  insert_rows(database, data);
  Statement(database, "INSERT INTO meta (key, value) VALUES (?, ?)")
      .bind(1, std::string_view(kOwnVersionKey))
      .bind(2, std::string_view(kOwnVersion))
      .run();
  write_kernel_tables(database, data);
  write_result_tables(database, data);
  write_imported_tables(database, data);
  write_source_versions(database, data,
                        [mixed = data.is_mixed()](const FileData& file) { return sum_of(file, mixed); });
  database.execute("COMMIT");
}

void write_data(const std::string& path, const CoverageData& data) {
  UnfinishedFile file(data_file_target(path), path);
  file.write(data);
  file.take_place();
}

std::string write_new_data(const std::string& path, const CoverageData& data) {
  UnfinishedFile file(fs::absolute(path).string(), path);
  file.write(data);
  return file.take_new_place();
}

}  // namespace qd::report
