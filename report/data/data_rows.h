// Rows of a data file, turned into measured data; the same for both readers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "report/data/coverage_data.h"
#include "report/data/source_version.h"

namespace qd::report {

constexpr int64_t kSchemaVersion = 7;  // of coverage.py since 5.0
/// Key of CoverageData::commands in the table `meta`; its value has a command a line.
constexpr const char* kCommandsKey = "qd_commands";
/// Key of CoverageData::kept_inputs; its value has 16 hexadecimal digits a line.
constexpr const char* kKeptInputsKey = "qd_kept_inputs";
/// Key of CoverageData::unread_inputs; its value has a path a line.
constexpr const char* kUnreadInputsKey = "qd_unread_inputs";
/// Key of the version of our own tables in `meta`, and the version that this program reads and writes. A file without
/// it has that version, too (TABLES.md).
constexpr const char* kOwnVersionKey = "qd_version";
constexpr const char* kOwnVersion = "1";

/// Takes rows in the order of the calls below. Rows of unknown files are left out; rows of unknown contexts belong to
/// ''. The calls throw DataError for values that no data file has.
class DataRows {
 public:
  /// Rows go into `data`, whose path names the file in messages.
  explicit DataRows(CoverageData& data, FoldContext fold = {})
      : data_(data), fold_(std::move(fold)), default_kept_(kept(0, "")) {}

  /// Sums up the rows of each file as they are, before contexts are folded. Call this before any other row.
  void sum_up() { summing_ = true; }
  /// A row of the table `meta`.
  void meta(std::string_view key, std::string_view value);
  void context(int64_t id, std::string_view context);
  void file(int64_t id, std::string_view path);
  void line_bits(int64_t file_id, int64_t context_id, std::string_view numbits);
  /// Adds an arc. This is fastest when the arcs of one file and context come together, and sorted.
  void arc(int64_t file_id, int64_t context_id, int64_t from, int64_t to) {
    if (file_id != last_file_id_ || context_id != last_context_id_ || !list_known_) begin_list(file_id, context_id);
    if (sum_) sum_->add_arc(context_id, from, to);
    if (list_) list_->push_back({line_number(from), line_number(to)});
  }
  void tracer(int64_t file_id, std::string_view tracer);
  /// Completes the data. Call this at the end.
  void finish();

  FileData* file_of(int64_t id) const;
  int64_t sum_of(int64_t id) const;
  ContextId context_of(int64_t id) const;
  /// Context under which lines and arcs of a context are kept.
  std::optional<ContextId> kept_context_of(int64_t id) const;

  /// Throws a DataError: this data file cannot be used, with the reason.
  [[noreturn]] void fail(const std::string& why) const;

 private:
  void has_arcs(std::string_view value);
  std::optional<ContextId> kept(ContextId context, const std::string& name) const {
    return fold_ ? fold_(context, name) : context;
  }
  void begin_list(int64_t file_id, int64_t context_id);
  void end_list();
  int32_t line_number(int64_t number) const {
    auto line = static_cast<int32_t>(number);
    if (line != number) fail_of_line(number);
    return line;
  }
  [[noreturn]] void fail_of_line(int64_t number) const;
  std::string_view text(std::string_view value, const char* column) const;

  struct Context {
    ContextId id;
    std::optional<ContextId> kept;
  };

  CoverageData& data_;
  FoldContext fold_;
  std::optional<ContextId> default_kept_;  // of ''
  std::unordered_map<int64_t, FileData*> files_;
  std::unordered_map<int64_t, Context> contexts_;
  bool any_lines_ = false, any_arcs_ = false;
  bool summing_ = false;
  std::unordered_map<int64_t, MeasuredSum> sums_;  // by file
  MeasuredSum* sum_ = nullptr;                     // of the file of the list

  bool list_known_ = false;  // whether last_... and list_ are valid
  int64_t last_file_id_ = 0, last_context_id_ = 0;
  std::vector<Arc>* list_ = nullptr;    // destination of the next arc
  std::vector<Arc>* target_ = nullptr;  // destination of the arcs in `folding_`
  std::vector<Arc> folding_;
};

}  // namespace qd::report
