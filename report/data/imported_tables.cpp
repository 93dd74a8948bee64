// Reader and writer of the qd_imported tables.
//
//   qd_imported           a file: its path (not in coverage.py's table `file`), the sources of its numbers (a line
//                         each), its lines and branches, and whether its source was newer than a report of it
//   qd_imported_function  the functions of a file; last_line is 0 when it is not known
//   qd_imported_instance  the lines of those that are instantiations of templates, by the rowid of the function
//   qd_ambiguous          a name in a report that fits several files: a row for each file
//
// Lists are unsigned LEB128 numbers, because a row for each line would take thirty times as much room:
//
//   lines     {line - the one before, hits}
//   branches  {line - the one before, block, number, 0 or taken + 1, size of the text, text}
#include "report/data/data_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "report/data/bytes.h"
#include "report/data/measured_commands.h"

namespace qd::report {

namespace {

constexpr const char* kImportedTables = R"(
CREATE TABLE qd_imported (id integer primary key, path text, sources text, lines blob, branches blob, older integer, unique (path));
CREATE TABLE qd_imported_function (file_id integer, first_line integer, last_line integer, name text, hits integer,
    foreign key (file_id) references qd_imported (id), unique (file_id, first_line, last_line, name));
CREATE TABLE qd_imported_instance (function_id integer primary key, lines blob);
)";

constexpr const char* kAmbiguousTable =
    "CREATE TABLE qd_ambiguous (report text, name text, path text, unique (report, name, path))";

constexpr uint64_t kMaxHits = std::numeric_limits<int64_t>::max();  // SQLite's largest integer; + 1 still fits

std::string packed(const std::vector<ImportedLine>& lines) {
  std::string bytes;
  int32_t last = 0;
  for (const ImportedLine& line : lines) {
    put_varint(bytes, static_cast<uint64_t>(line.line - last));
    put_varint(bytes, line.hits);
    last = line.line;
  }
  return bytes;
}

std::string packed(const std::vector<ImportedBranch>& branches) {
  std::string bytes;
  int32_t last = 0;
  for (const ImportedBranch& branch : branches) {
    put_varint(bytes, static_cast<uint64_t>(branch.line - last));
    put_varint(bytes, static_cast<uint32_t>(branch.block));
    put_varint(bytes, static_cast<uint32_t>(branch.number));
    put_varint(bytes, branch.taken ? std::min(*branch.taken, kMaxHits) + 1 : 0);
    put_varint(bytes, branch.text.size());
    bytes += branch.text;
    last = branch.line;
  }
  return bytes;
}

/// Reader of a packed list.
class Unpacker {
 public:
  Unpacker(std::string_view bytes, const std::string& path) : bytes_{bytes}, path_(path) {}

  bool at_end() const { return bytes_.rest.empty(); }
  uint64_t number() {
    const uint64_t result = bytes_.varint();
    check(bytes_.ok);
    return result;
  }
  int32_t line(int32_t last) {
    const uint64_t step = number();
    check(step <= static_cast<uint64_t>(kMaxImportedLine - last));
    return last + static_cast<int32_t>(step);
  }
  std::string text() {
    std::string result(bytes_.bytes(number()));
    check(bytes_.ok);
    return result;
  }

 private:
  void check(bool is_right) const {
    if (is_right) return;
    throw DataError(fmt::format("Couldn't use the imported data of '{}': its lines or branches are damaged", path_));
  }

  ByteReader bytes_;
  const std::string& path_;
};

std::vector<ImportedLine> unpacked_lines(Unpacker bytes) {
  std::vector<ImportedLine> lines;
  for (int32_t last = 0; !bytes.at_end();) {
    last = bytes.line(last);
    lines.push_back({last, bytes.number()});
  }
  return lines;
}

std::vector<ImportedBranch> unpacked_branches(Unpacker bytes) {
  std::vector<ImportedBranch> branches;
  for (int32_t last = 0; !bytes.at_end();) {
    ImportedBranch& branch = branches.emplace_back();
    branch.line = last = bytes.line(last);
    branch.block = static_cast<int32_t>(bytes.number());
    branch.number = static_cast<int32_t>(bytes.number());
    if (uint64_t taken = bytes.number()) branch.taken = taken - 1;
    branch.text = bytes.text();
  }
  return branches;
}

void write_ambiguous(Database& database, const std::set<AmbiguousName>& names) {
  if (names.empty()) return;
  database.execute(kAmbiguousTable);
  Statement insert(database, "INSERT INTO qd_ambiguous (report, name, path) VALUES (?, ?, ?)");
  for (const AmbiguousName& name : names)
    for (const std::string& path : name.paths) insert.bind(1, name.report).bind(2, name.name).bind(3, path).run();
}

void read_ambiguous(const Database& database, std::set<AmbiguousName>& names) {
  if (!database.has_table("qd_ambiguous")) return;
  std::map<std::pair<std::string, std::string>, std::set<std::string>> paths;
  Statement rows(database, "SELECT report, name, path FROM qd_ambiguous");
  while (rows.step()) paths[{std::string(rows.text(0)), std::string(rows.text(1))}].emplace(rows.text(2));
  for (auto& [name, its_paths] : paths) names.insert({name.first, name.second, std::move(its_paths)});
}

/// Lines of instantiations, by the function's rowid.
using InstanceLines = std::unordered_map<int64_t, std::vector<ImportedLine>>;

/// Reads these lines. Data that is older than this table has none.
InstanceLines read_instances(const Database& database) {
  InstanceLines result;
  if (!database.has_table("qd_imported_instance")) return result;
  Statement rows(database, "SELECT function_id, lines FROM qd_imported_instance");
  while (rows.step()) result[rows.integer(0)] = unpacked_lines(Unpacker(rows.blob(1), "an instantiation"));
  return result;
}

}  // namespace

void write_imported_tables(Database& database, const CoverageData& data) {
  write_ambiguous(database, data.ambiguous);
  if (data.imported.empty()) return;
  database.execute(kImportedTables);
  Statement insert(database,
                   "INSERT INTO qd_imported (id, path, sources, lines, branches, older) VALUES (?, ?, ?, ?, ?, ?)");
  Statement function(database,
                     "INSERT INTO qd_imported_function (rowid, file_id, first_line, last_line, name, hits) VALUES "
                     "(?, ?, ?, ?, ?, ?)");
  Statement instance(database, "INSERT INTO qd_imported_instance (function_id, lines) VALUES (?, ?)");
  int64_t id = 0, function_id = 0;
  for (const auto& [path, file] : data.imported) {
    std::string sources = joined_lines(file.sources), lines = packed(file.lines), branches = packed(file.branches);
    insert.bind(1, ++id)
        .bind(2, path)
        .bind(3, sources)
        .bind_blob(4, lines)
        .bind_blob(5, branches)
        .bind(6, int64_t{file.older})
        .run();
    function.bind(2, id);
    for (const ImportedFunction& f : file.functions) {
      function.bind(1, ++function_id)
          .bind(3, f.first_line)
          .bind(4, f.last_line)
          .bind(5, f.name)
          .bind(6, static_cast<int64_t>(std::min(f.hits, kMaxHits)))
          .run();
      if (f.lines.empty()) continue;
      const std::string of_instance = packed(f.lines);
      instance.bind(1, function_id).bind_blob(2, of_instance).run();
    }
  }
}

void read_imported_tables(const Database& database, CoverageData& data) {
  read_ambiguous(database, data.ambiguous);
  Statement tables(database,
                   "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND (name = 'qd_imported' AND sql LIKE "
                   "'%older%' OR name = 'qd_imported_function')");
  tables.step();
  if (tables.integer(0) != 2) return;
  std::unordered_map<int64_t, ImportedFile*> files;
  Statement rows(database, "SELECT id, path, sources, lines, branches, older FROM qd_imported");
  while (rows.step()) {
    std::string path(rows.text(1));
    ImportedFile& file = data.imported[path];
    file.sources = lines_of(rows.text(2));
    file.lines = unpacked_lines(Unpacker(rows.blob(3), path));
    file.branches = unpacked_branches(Unpacker(rows.blob(4), path));
    file.older = rows.integer(5) != 0;
    files[rows.integer(0)] = &file;
  }
  InstanceLines instances = read_instances(database);
  Statement function(database, "SELECT file_id, first_line, last_line, name, hits, rowid FROM qd_imported_function");
  while (function.step()) {
    auto found = files.find(function.integer(0));
    if (found == files.end()) continue;
    found->second->functions.push_back({static_cast<int32_t>(function.integer(1)),
                                        static_cast<int32_t>(function.integer(2)), std::string(function.text(3)),
                                        static_cast<uint64_t>(std::max<int64_t>(function.integer(4), 0)),
                                        std::move(instances[function.integer(5)])});
  }
  for (auto& [path, file] : data.imported) file.settle();  // sorted, each place once, also after a damaged table
}

}  // namespace qd::report
