// Reader and writer of the tables of instruments' results.
//
//   qd_result  a place with a result: the kind, its width in bits and its merge rule (or, add, max), and the first line
//   of
//              the function around
//   qd_value   its value in a context
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "report/data/data_tables.h"

namespace qd::report {

namespace {

constexpr const char* kResultTables = R"(
CREATE TABLE qd_result (id integer primary key, file_id integer, kind text, width integer, merge text, first_line integer,
    line integer, col integer, end_line integer, end_col integer,
    foreign key (file_id) references file (id), unique (file_id, kind, width, merge, line, col, end_line, end_col));
CREATE TABLE qd_value (result_id integer, context_id integer, value integer,
    foreign key (result_id) references qd_result (id), foreign key (context_id) references context (id),
    unique (result_id, context_id));
)";

}  // namespace

void bind_range(Statement& statement, int first, const SourceRange& range) {
  statement.bind(first, range.line)
      .bind(first + 1, range.col)
      .bind(first + 2, range.end_line)
      .bind(first + 3, range.end_col);
}

SourceRange range_of(const Statement& row, int first) {
  auto number = [&](int column) { return static_cast<int32_t>(row.integer(first + column)); };
  return {number(0), number(1), number(2), number(3)};
}

void write_result_tables(Database& database, const CoverageData& data) {
  if (std::ranges::all_of(data.files, [](const auto& file) { return file.second.results.empty(); })) return;
  database.execute(kResultTables);
  Statement insert(database,
                   "INSERT INTO qd_result (id, file_id, kind, width, merge, first_line, line, col, end_line, end_col) "
                   "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  Statement value(database, "INSERT INTO qd_value (result_id, context_id, value) VALUES (?, ?, ?)");
  const std::vector<int64_t> ids = file_ids(data);
  auto next = ids.begin();
  int64_t id = 0;
  for (const auto& [path, file] : data.files) {
    const int64_t file_id = *next++;
    for (const auto& [kind, places] : file.results) {
      for (const auto& [range, measured] : places) {
        insert.bind(1, ++id).bind(2, file_id).bind(3, kind.name).bind(4, kind.width).bind(5, merge_name(kind.merge));
        insert.bind(6, measured.first_line);
        bind_range(insert, 7, range);
        insert.run();
        for (const auto& [context, number] : measured.values)
          value.bind(1, id).bind(2, static_cast<int64_t>(context) + 1).bind(3, static_cast<int64_t>(number)).run();
      }
    }
  }
}

void read_result_tables(const Database& database, const std::function<FileData*(int64_t)>& file_of,
                        const std::function<ContextId(int64_t)>& context_of) {
  if (!database.has_table("qd_result")) return;
  std::unordered_map<int64_t, std::pair<ResultKind, MeasuredResult*>> results;
  Statement rows(database,
                 "SELECT id, file_id, kind, width, merge, first_line, line, col, end_line, end_col FROM qd_result");
  while (rows.step()) {
    FileData* file = file_of(rows.integer(1));
    const std::optional<MergeRule> merge = merge_rule(rows.text(4));
    if (!merge || rows.integer(3) < 1 || rows.integer(3) > 64)
      database.fail(fmt::format("its table qd_result has an unknown width or merge rule: {}, '{}'", rows.integer(3),
                                rows.text(4)));
    if (!file) continue;
    const ResultKind kind{std::string(rows.text(2)), static_cast<uint32_t>(rows.integer(3)), *merge};
    MeasuredResult& measured = file->results[kind][range_of(rows, 6)];
    measured.first_line = static_cast<int32_t>(rows.integer(5));
    results[rows.integer(0)] = {kind, &measured};
  }
  if (!database.has_table("qd_value")) return;
  Statement value(database, "SELECT result_id, context_id, value FROM qd_value");
  while (value.step()) {
    auto found = results.find(value.integer(0));
    if (found == results.end()) continue;
    auto& [kind, measured] = found->second;
    uint64_t& merged = measured->values[context_of(value.integer(1))];
    merged = kind.merged(merged, static_cast<uint64_t>(value.integer(2)));
  }
}

}  // namespace qd::report
