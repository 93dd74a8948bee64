// Reader and writer of the tables of kernels.
//
//   qd_function       a kernel or func that was compiled for a device
//   qd_probe          an arc that its compiled code can take; measured is 0 if a cap on probes left it out
//   qd_compile_error  a compile error of a variant of it
//   qd_variant        the arguments that it was compiled for, and the number of launches of that code; for a func, the
//                     kernel that has it inlined, and 0
//   qd_variant_arc    an arc that this code can take, if the kernel may have several variants; taken: a launch did
//   qd_decision       an expression whose conditions were measured; lines from 1, columns from 0 in bytes
//   qd_condition      its conditions, numbered from 0, left to right
//   qd_evaluation     a way in which it was evaluated: T, F or - for each condition, and its result
#include "report/data/data_tables.h"

#include <algorithm>
#include <unordered_map>

namespace qd::report {

namespace {

constexpr const char* kKernelTables = R"(
CREATE TABLE qd_function (id integer primary key, file_id integer, first_line integer, name text, is_kernel integer, arch text,
    foreign key (file_id) references file (id), unique (file_id, first_line, name, is_kernel, arch));
CREATE TABLE qd_probe (function_id integer, fromno integer, tono integer, measured integer,
    foreign key (function_id) references qd_function (id), unique (function_id, fromno, tono, measured));
CREATE TABLE qd_compile_error (function_id integer, message text,
    foreign key (function_id) references qd_function (id), unique (function_id, message));
CREATE TABLE qd_variant (id integer primary key, function_id integer, arguments text, launches integer, kernel text,
    foreign key (function_id) references qd_function (id), unique (function_id, arguments, kernel));
CREATE TABLE qd_variant_arc (variant_id integer, fromno integer, tono integer, taken integer,
    foreign key (variant_id) references qd_variant (id), unique (variant_id, fromno, tono));
CREATE TABLE qd_decision (id integer primary key, file_id integer, first_line integer, kind text,
    line integer, col integer, end_line integer, end_col integer,
    foreign key (file_id) references file (id), unique (file_id, line, col, end_line, end_col));
CREATE TABLE qd_condition (decision_id integer, number integer, line integer, col integer, end_line integer, end_col integer,
    foreign key (decision_id) references qd_decision (id), unique (decision_id, number));
CREATE TABLE qd_evaluation (decision_id integer, context_id integer, conditions text, result text,
    foreign key (decision_id) references qd_decision (id), foreign key (context_id) references context (id),
    unique (decision_id, context_id, conditions, result));
)";

bool has_kernel_data(const CoverageData& data) {
  return std::any_of(data.files.begin(), data.files.end(), [](const auto& file) {
    return !file.second.kernel_functions.empty() || !file.second.decisions.empty();
  });
}

/// Writes variants, numbered one after the other.
class VariantRows {
 public:
  explicit VariantRows(const Database& database) : database_(database) {}

  void write(int64_t function_id, const std::map<VariantName, KernelVariant>& variants) {
    for (const auto& [name, variant] : variants) {
      const auto launches = static_cast<int64_t>(std::min<uint64_t>(variant.launches, INT64_MAX));
      variant_.bind(1, ++id_).bind(2, function_id).bind(3, name.arguments).bind(4, launches).bind(5, name.kernel).run();
      for (const Arc& arc : variant.measured) arcs_.add({id_, arc.from, arc.to, variant.taken.contains(arc)});
    }
  }
  void finish() { arcs_.finish(); }

 private:
  const Database& database_;
  Statement variant_{database_,
                     "INSERT INTO qd_variant (id, function_id, arguments, launches, kernel) VALUES (?, ?, ?, ?, ?)"};
  IntegerRows arcs_{database_, "qd_variant_arc (variant_id, fromno, tono, taken)"};
  int64_t id_ = 0;
};

void write_functions(const Database& database, const CoverageData& data) {
  Statement insert(
      database, "INSERT INTO qd_function (id, file_id, first_line, name, is_kernel, arch) VALUES (?, ?, ?, ?, ?, ?)");
  IntegerRows rows(database, "qd_probe (function_id, fromno, tono, measured)");
  Statement error(database, "INSERT INTO qd_compile_error (function_id, message) VALUES (?, ?)");
  VariantRows variants(database);
  const std::vector<int64_t> ids = file_ids(data);
  auto next = ids.begin();
  int64_t id = 0;
  for (const auto& [path, file] : data.files) {
    const int64_t file_id = *next++;
    for (const auto& [function, probes] : file.kernel_functions) {
      insert.bind(1, ++id)
          .bind(2, file_id)
          .bind(3, function.first_line)
          .bind(4, function.name)
          .bind(5, function.is_kernel)
          .bind(6, function.arch)
          .run();
      for (const Arc& arc : probes.measured) rows.add({id, arc.from, arc.to, 1});
      for (const Arc& arc : probes.left_out) rows.add({id, arc.from, arc.to, 0});
      for (const std::string& message : probes.errors) error.bind(1, id).bind(2, message).run();
      variants.write(id, probes.variants);
    }
  }
  rows.finish();
  variants.finish();
}

void write_decisions(const Database& database, const CoverageData& data) {
  Statement insert(database,
                   "INSERT INTO qd_decision (id, file_id, first_line, kind, line, col, end_line, end_col) VALUES (?, "
                   "?, ?, ?, ?, ?, ?, ?)");
  Statement condition(
      database,
      "INSERT INTO qd_condition (decision_id, number, line, col, end_line, end_col) VALUES (?, ?, ?, ?, ?, ?)");
  Statement evaluation(database,
                       "INSERT INTO qd_evaluation (decision_id, context_id, conditions, result) VALUES (?, ?, ?, ?)");
  const std::vector<int64_t> ids = file_ids(data);
  auto next = ids.begin();
  int64_t id = 0;
  for (const auto& [path, file] : data.files) {
    const int64_t file_id = *next++;
    for (const auto& [range, decision] : file.decisions) {
      insert.bind(1, ++id).bind(2, file_id).bind(3, decision.first_line).bind(4, decision.kind);
      bind_range(insert, 5, range);
      insert.run();
      condition.bind(1, id);
      for (size_t i = 0; i < decision.conditions.size(); ++i) {
        condition.bind(2, static_cast<int64_t>(i));
        bind_range(condition, 3, decision.conditions[i]);
        condition.run();
      }
      evaluation.bind(1, id);
      for (const auto& [context, evaluations] : decision.evaluations)
        for (const Evaluation& e : evaluations)
          evaluation.bind(2, static_cast<int64_t>(context) + 1)
              .bind(3, e.conditions)
              .bind(4, std::string_view(&e.result, 1))
              .run();
    }
  }
}

using FunctionsById = std::unordered_map<int64_t, Probes*>;

/// Reads variants. Data that is older than these tables has none, and older tables have those of kernels alone.
void read_variants(const Database& database, const FunctionsById& functions) {
  if (!database.has_table("qd_variant")) return;
  Statement column(database, "SELECT count(*) FROM pragma_table_info('qd_variant') WHERE name = 'kernel'");
  column.step();
  std::unordered_map<int64_t, KernelVariant*> variants;
  Statement rows(database, column.integer(0) ? "SELECT id, function_id, arguments, launches, kernel FROM qd_variant"
                                             : "SELECT id, function_id, arguments, launches, '' FROM qd_variant");
  while (rows.step()) {
    auto found = functions.find(rows.integer(1));
    if (found == functions.end()) continue;
    KernelVariant& variant = found->second->variants[{std::string(rows.text(2)), std::string(rows.text(4))}];
    variant.launches = static_cast<uint64_t>(std::max<int64_t>(rows.integer(3), 0));
    variants[rows.integer(0)] = &variant;
  }
  if (!database.has_table("qd_variant_arc")) return;
  Statement arcs(database, "SELECT variant_id, fromno, tono, taken FROM qd_variant_arc");
  while (arcs.step()) {
    auto found = variants.find(arcs.integer(0));
    if (found == variants.end()) continue;
    const Arc arc{static_cast<int32_t>(arcs.integer(1)), static_cast<int32_t>(arcs.integer(2))};
    found->second->measured.insert(arc);
    if (arcs.integer(3) != 0) found->second->taken.insert(arc);
  }
}

void read_probes(const Database& database, const FunctionsById& functions) {
  Statement probe(database, "SELECT function_id, fromno, tono, measured FROM qd_probe");
  while (probe.step()) {
    auto found = functions.find(probe.integer(0));
    if (found == functions.end()) continue;
    std::set<Arc>& arcs = probe.integer(3) ? found->second->measured : found->second->left_out;
    arcs.insert({static_cast<int32_t>(probe.integer(1)), static_cast<int32_t>(probe.integer(2))});
  }
}

void read_errors(const Database& database, const FunctionsById& functions) {
  Statement error(database, "SELECT function_id, message FROM qd_compile_error");
  while (error.step()) {
    auto found = functions.find(error.integer(0));
    if (found != functions.end()) found->second->errors.emplace(error.text(1));
  }
}

void read_functions(const Database& database, const std::function<FileData*(int64_t)>& file_of) {
  FunctionsById functions;
  Statement rows(database, "SELECT id, file_id, first_line, name, is_kernel, arch FROM qd_function");
  while (rows.step()) {
    FileData* file = file_of(rows.integer(1));
    if (!file) continue;
    KernelFunction function{static_cast<int32_t>(rows.integer(2)), std::string(rows.text(3)), rows.integer(4) != 0,
                            std::string(rows.text(5))};
    functions[rows.integer(0)] = &file->kernel_functions[function];
  }
  if (database.has_table("qd_probe")) read_probes(database, functions);
  if (database.has_table("qd_compile_error")) read_errors(database, functions);
  read_variants(database, functions);
}

void read_decisions(const Database& database, const std::function<FileData*(int64_t)>& file_of,
                    const std::function<ContextId(int64_t)>& context_of) {
  std::unordered_map<int64_t, MeasuredDecision*> decisions;
  Statement rows(database, "SELECT id, file_id, first_line, kind, line, col, end_line, end_col FROM qd_decision");
  while (rows.step()) {
    FileData* file = file_of(rows.integer(1));
    if (!file) continue;
    MeasuredDecision& decision = file->decisions[range_of(rows, 4)];
    decision.first_line = static_cast<int32_t>(rows.integer(2));
    decision.kind = rows.text(3);
    decisions[rows.integer(0)] = &decision;
  }
  if (!database.has_table("qd_condition")) return;
  Statement condition(
      database, "SELECT decision_id, line, col, end_line, end_col FROM qd_condition ORDER BY decision_id, number");
  while (condition.step()) {
    auto found = decisions.find(condition.integer(0));
    if (found != decisions.end()) found->second->conditions.push_back(range_of(condition, 1));
  }
  if (!database.has_table("qd_evaluation")) return;
  Statement evaluation(database, "SELECT decision_id, context_id, conditions, result FROM qd_evaluation");
  while (evaluation.step()) {
    auto found = decisions.find(evaluation.integer(0));
    if (found == decisions.end()) continue;
    std::string conditions(evaluation.text(2));
    std::string_view result = evaluation.text(3);
    if (conditions.size() != found->second->conditions.size() || result.size() != 1) continue;  // damaged
    found->second->evaluations[context_of(evaluation.integer(1))].insert({conditions, result[0]});
  }
}

}  // namespace

void write_kernel_tables(Database& database, const CoverageData& data) {
  if (!has_kernel_data(data)) return;
  database.execute(kKernelTables);
  write_functions(database, data);
  write_decisions(database, data);
}

void read_kernel_tables(const Database& database, const std::function<FileData*(int64_t)>& file_of,
                        const std::function<ContextId(int64_t)>& context_of) {
  if (database.has_table("qd_function")) read_functions(database, file_of);
  if (database.has_table("qd_decision")) read_decisions(database, file_of, context_of);
}

}  // namespace qd::report
