// Data file reader for healthy files, from the bytes of their pages.
#include "report/data/data_pages.h"

#include <array>
#include <future>

#include "report/data/data_rows.h"
#include "report/data/source_version.h"
#include "report/data/sqlite_pages.h"

namespace qd::report {

namespace {

using ValueKind = SqliteValue::Kind;
using Values = std::span<const SqliteValue>;

struct Table {
  std::string_view name;
  std::string_view sql;  // without comments and white space
  uint32_t root = 0;     // 0: there is none
  bool needed = true;
};

/// Normalises the layout of an SQL statement, which differs between writers.
std::string plain_sql(std::string_view sql) {
  std::string result;
  for (size_t i = 0; i < sql.size(); ++i) {
    if (sql.substr(i, 2) == "--") i = std::min(sql.find('\n', i), sql.size());
    if (i < sql.size() && std::string_view(" \t\r\n").find(sql[i]) == std::string_view::npos) result += sql[i];
  }
  return result;
}

/// B-trees of the tables, and of the indexes of `arc` and `line_bits`, if the tables are exactly those of coverage.py,
/// and perhaps our hashes of sources.
struct Trees {
  std::array<Table, 8> tables{{
      {"coverage_schema", "CREATETABLEcoverage_schema(versioninteger)"},
      {"meta", "CREATETABLEmeta(keytext,valuetext,unique(key))"},
      {"file", "CREATETABLEfile(idintegerprimarykey,pathtext,unique(path))"},
      {"context", "CREATETABLEcontext(idintegerprimarykey,contexttext,unique(context))"},
      {"line_bits",
       "CREATETABLEline_bits(file_idinteger,context_idinteger,numbitsblob,foreignkey(file_id)referencesfile(id),"
       "foreignkey(context_id)referencescontext(id),unique(file_id,context_id))"},
      {"arc",
       "CREATETABLEarc(file_idinteger,context_idinteger,fromnointeger,tonointeger,foreignkey(file_id)referencesfile(id)"
       ","
       "foreignkey(context_id)referencescontext(id),unique(file_id,context_id,fromno,tono))"},
      {"tracer", "CREATETABLEtracer(file_idintegerprimarykey,tracertext,foreignkey(file_id)referencesfile(id))"},
      {"qd_source",
       "CREATETABLEqd_source(file_idinteger,hashtext,measuredinteger,foreignkey(file_id)referencesfile(id),unique(file_"
       "id,hash))",
       0, false},
  }};
  uint32_t arc_index = 0, line_index = 0;

  explicit Trees(SqlitePages& pages) {
    pages.table(1, [&](int64_t, Values row) { add(row); });
    for (const Table& table : tables)
      if (table.needed && table.root == 0) throw UnusualDatabase();
    if (arc_index == 0 || line_index == 0) throw UnusualDatabase();
  }

  uint32_t root(std::string_view name) const {
    for (const Table& table : tables)
      if (table.name == name) return table.root;
    throw UnusualDatabase();
  }

 private:
  /// Takes a row of sqlite_master: type, name, tbl_name, rootpage, sql.
  void add(Values row) {
    if (row.size() != 5 || row[3].kind != ValueKind::kInteger || row[3].integer < 2 || row[3].integer > UINT32_MAX)
      throw UnusualDatabase();
    const auto root = static_cast<uint32_t>(row[3].integer);
    if (row[0].bytes == "index" && row[4].kind == ValueKind::kNull && row[1].bytes.starts_with("sqlite_autoindex_")) {
      if (row[1].bytes == "sqlite_autoindex_arc_1" && row[2].bytes == "arc") arc_index = root;
      if (row[1].bytes == "sqlite_autoindex_line_bits_1" && row[2].bytes == "line_bits") line_index = root;
      return;
    }
    if (row[0].bytes != "table" || row[1].bytes != row[2].bytes) throw UnusualDatabase();
    for (Table& table : tables) {
      if (table.name != row[1].bytes) continue;
      if (table.root != 0 || plain_sql(row[4].bytes) != table.sql) throw UnusualDatabase();
      table.root = root;
      return;
    }
    throw UnusualDatabase();
  }
};

template <typename... Kinds>
void expect(Values row, Kinds... kinds) {
  const std::array expected = {kinds...};
  if (row.size() != expected.size()) throw UnusualDatabase();
  for (size_t i = 0; i < expected.size(); ++i)
    if (row[i].kind != expected[i]) throw UnusualDatabase();
}

/// Checksum of the table `arc`, by a thread beside the reader of its index if the file is large.
std::future<uint64_t> sum_of_arcs(std::string_view bytes, uint32_t root) {
  constexpr size_t kLarge = 1 << 18;
  const std::launch here = std::launch::deferred;  // also where no thread can be started
  return std::async(bytes.size() < kLarge ? here : std::launch::async | here,
                    [bytes, root] { return SqlitePages(bytes).sum_of_table<4>(root); });
}

void read_rows(std::string_view bytes, SqlitePages& pages, const Trees& trees, CoverageData& data,
               const FoldContext& fold) {
  std::future<uint64_t> of_table = sum_of_arcs(bytes, trees.root("arc"));
  DataRows rows(data, fold);
  if (trees.root("qd_source")) rows.sum_up();
  int64_t version = 0;
  pages.table(trees.root("coverage_schema"), [&](int64_t, Values row) {
    expect(row, ValueKind::kInteger);
    version = version == 0 ? row[0].integer : -1;
  });
  if (version != kSchemaVersion) throw UnusualDatabase();
  pages.table(trees.root("meta"), [&](int64_t, Values row) {
    expect(row, ValueKind::kText, ValueKind::kText);
    rows.meta(row[0].bytes, row[1].bytes);
  });
  pages.table(trees.root("context"), [&](int64_t id, Values row) {
    expect(row, ValueKind::kNull, ValueKind::kText);
    rows.context(id, row[1].bytes);
  });
  pages.table(trees.root("file"), [&](int64_t id, Values row) {
    expect(row, ValueKind::kNull, ValueKind::kText);
    rows.file(id, row[1].bytes);
  });
  // A table and its index have the same rows: damage in one of them shows in the sum.
  uint64_t lines_of_table = 0;
  pages.table(trees.root("line_bits"), [&](int64_t rowid, Values row) {
    expect(row, ValueKind::kInteger, ValueKind::kInteger, ValueKind::kBlob);
    if (data.has_arcs == true) throw UnusualDatabase();
    lines_of_table += SqlitePages::hash_of_row(std::array{row[0].integer, row[1].integer, rowid});
    rows.line_bits(row[0].integer, row[1].integer, row[2].bytes);
  });
  if (lines_of_table != pages.index<3>(trees.line_index, [](const auto&) {})) throw UnusualDatabase();
  const uint64_t of_index = pages.index<5>(trees.arc_index, [&](const std::array<int64_t, 5>& row) {
    if (data.has_arcs == false) throw UnusualDatabase();
    rows.arc(row[0], row[1], row[2], row[3]);
  });
  if (of_index != of_table.get()) throw UnusualDatabase();
  pages.table(trees.root("tracer"), [&](int64_t id, Values row) {
    expect(row, ValueKind::kNull, ValueKind::kText);
    rows.tracer(id, row[1].bytes);
  });
  if (uint32_t root = trees.root("qd_source"))
    pages.table(root, [&](int64_t, Values row) {
      expect(row, ValueKind::kInteger, ValueKind::kText, ValueKind::kInteger);
      if (FileData* file = rows.file_of(row[0].integer))
        add_version(*file, row[1].bytes, row[2].integer, rows.sum_of(row[0].integer));
    });
  rows.finish();
}

}  // namespace

std::optional<CoverageData> read_data_pages(const std::string& path, std::string_view bytes, const FoldContext& fold) {
  try {
    SqlitePages pages(bytes);
    const Trees trees(pages);
    CoverageData data;
    data.path = path;
    read_rows(bytes, pages, trees, data, fold);
    return data;
  } catch (const UnusualDatabase&) {
    return std::nullopt;
  }
}

}  // namespace qd::report
