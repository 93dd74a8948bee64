// Reader and writer of the tables of mixed data. Beside them, the tables of coverage.py hold all of it as line data
// (has_arcs is 0).
//
//   qd_branch_file  the files that have branch data; all others have lines alone
//   qd_arc          their arcs, as in coverage.py's table
#include "report/data/data_tables.h"

namespace qd::report {

namespace {

constexpr const char* kMixedTables = R"(
CREATE TABLE qd_branch_file (file_id integer primary key, foreign key (file_id) references file (id));
CREATE TABLE qd_arc (file_id integer, context_id integer, fromno integer, tono integer,
    foreign key (file_id) references file (id), foreign key (context_id) references context (id),
    primary key (file_id, context_id, fromno, tono)) WITHOUT ROWID;
)";

/// Removes from a file's lines those that its arcs show. The rest comes from line data alone.
void keep_lines_without_arcs(FileData& file) {
  for (auto& [context, arcs] : file.arcs) {
    auto lines = file.lines.find(context);
    if (lines == file.lines.end()) continue;
    Numbits of_arcs;
    add_lines_of(arcs, of_arcs);
    lines->second.remove(of_arcs);
    if (lines->second.empty()) file.lines.erase(lines);
  }
}

}  // namespace

void write_mixed_tables(Database& database, const CoverageData& data) {
  database.execute(kMixedTables);
  Statement branch_file(database, "INSERT INTO qd_branch_file (file_id) VALUES (?)");
  IntegerRows rows(database, "qd_arc (file_id, context_id, fromno, tono)");
  const std::vector<int64_t> ids = file_ids(data);
  auto next = ids.begin();
  for (const auto& [path, file] : data.files) {
    const int64_t id = *next++;
    if (file.lines_only) continue;
    branch_file.bind(1, id).run();
    for (const auto& [context, arcs] : file.arcs)
      for (const Arc& arc : arcs) rows.add({id, static_cast<int64_t>(context) + 1, arc.from, arc.to});
  }
  rows.finish();
}

void read_mixed_tables(const Database& database, CoverageData& data, const std::function<FileData*(int64_t)>& file_of,
                       const std::function<std::optional<ContextId>(int64_t)>& context_of) {
  if (!database.has_table("qd_branch_file") || !database.has_table("qd_arc")) return;
  data.has_arcs = true;
  for (auto& [path, file] : data.files) file.lines_only = true;
  Statement branch_files(database, "SELECT file_id FROM qd_branch_file");
  while (branch_files.step())
    if (FileData* file = file_of(branch_files.integer(0))) file->lines_only = false;
  Statement arcs(database, "SELECT file_id, context_id, fromno, tono FROM qd_arc");
  while (arcs.step())
    if (FileData* file = file_of(arcs.integer(0)))
      if (std::optional<ContextId> context = context_of(arcs.integer(1)))
        file->arcs[*context].push_back({static_cast<int32_t>(arcs.integer(2)), static_cast<int32_t>(arcs.integer(3))});
  for (auto& [path, file] : data.files) {
    file.lines_only = file.lines_only && file.arcs.empty();
    keep_lines_without_arcs(file);
  }
}

}  // namespace qd::report
