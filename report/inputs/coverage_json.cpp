// coverage.py's JSON report:
//
//   {"meta": {"format", "branch_coverage", ["qd_cov": {"commit", "dirty", "folder", "sources": {NAME: HASH}}]},
//    "files": {NAME: {"executed_lines", "missing_lines", "excluded_lines", "summary": {...},
//                     ["executed_branches", "missing_branches"], ...}},
//    "totals"}
//
// Values are read one by one, without a tree of the document: most of such a file is about functions, classes and
// contexts, which are not needed here.
#include "report/inputs/coverage_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "report/data/imported.h"
#include "report/inputs/input_file.h"

namespace qd::report {

namespace {

using nlohmann::json;

constexpr const char* kCoverageJson = "JSON of coverage";
constexpr const char* kUnknown = "it is no report of 'coverage json' or 'qd-cov json'";

/// A value in a wrong place of the document.
struct ShapeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

bool can_be_line(int64_t number) { return number >= 1 && number <= kMaxImportedLine; }
/// Whether a number can be the end of an arc. Entries and exits have negative numbers.
bool can_be_end(int64_t number) { return number >= -kMaxImportedLine && number <= kMaxImportedLine; }

/// Sorts a list, and leaves each of its items once.
void sort_once(auto& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

/// SAX handler, which tracks its position in the document.
class Reader : public nlohmann::json_sax<json> {
 public:
  explicit Reader(InputFile& input) : input_(input) {}

  CoverageJson result;
  bool has_files = false, has_totals = false;

  bool start_object(size_t) override {
    open(false);
    if (at({"files"})) has_files = true;
    if (at({"totals"})) has_totals = true;
    if (levels_.size() == 3 && in_files()) file_ = &result.files[levels_[1].key];
    return true;
  }
  bool start_array(size_t) override {
    open(true);
    return true;
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& text) override {
    levels_.back().key = text;
    if (levels_.size() == 3 && in_files()) list_ = list_of(text);
    forget();
    return true;
  }
  bool number_integer(int64_t number) override {
    value(number);
    return true;
  }
  bool number_unsigned(uint64_t number) override {
    value(static_cast<int64_t>(std::min<uint64_t>(number, INT64_MAX)));
    return true;
  }
  bool boolean(bool truth) override {
    if (at_value({"meta", "branch_coverage"})) result.branches = truth;
    if (at_value({"meta", "qd_cov", "dirty"})) result.dirty = truth;
    return no_line();
  }
  bool string(std::string& text) override {
    if (at_value({"meta", "qd_cov", "commit"})) result.commit = text;
    if (at_value({"meta", "qd_cov", "folder"})) result.folder = text;
    if (levels_.size() == 4 && levels_[0].key == "meta" && levels_[1].key == "qd_cov" && levels_[2].key == "sources")
      hashes_[levels_[3].key] = text;
    return no_line();
  }
  bool number_float(double, const std::string&) override { return no_line(); }
  bool null() override { return no_line(); }
  bool binary(json::binary_t&) override { return true; }
  bool parse_error(size_t, const std::string&, const json::exception& error) override {
    std::string text = error.what();  // error.what() is like "[json.exception.parse_error.101] parse error at line 1,
                                      // column 9: syntax error ..."
    size_t colon = text.find(": ");
    throw ShapeError(colon == std::string::npos ? text : text.substr(colon + 2));
  }

  /// Checks the report as a whole.
  void finish() {
    for (auto& [name, file] : result.files) {
      if (name.empty()) throw ShapeError("a file has no name");
      for (auto* lines : {&file.executed, &file.missing, &file.excluded}) sort_once(*lines);
      for (auto* arcs : {&file.executed_branches, &file.missing_branches}) sort_once(*arcs);
      auto n_missing = static_cast<int64_t>(file.missing.size()),
           n_executed = static_cast<int64_t>(file.executed.size());
      // coverage.py before 7.6.2 lists executed lines that are no statements, too.
      bool agree = file.num_statements == file.covered_lines + n_missing && file.covered_lines >= 0 &&
                   file.covered_lines <= n_executed && file.covered_branches >= 0 &&
                   file.covered_branches <= file.num_branches;
      if (!agree) throw ShapeError(fmt::format("the numbers of '{}' are not those of its lines", name));
      if (auto hash = hashes_.find(name); hash != hashes_.end()) file.hash = hash->second;
    }
  }

 private:
  enum class List : uint8_t { None, Executed, Missing, Excluded, ExecutedBranches, MissingBranches };
  struct Level {
    bool is_array;
    std::string key;  // key of the next value
  };

  static List list_of(const std::string& key) {
    if (key == "executed_lines") return List::Executed;
    if (key == "missing_lines") return List::Missing;
    if (key == "excluded_lines") return List::Excluded;
    if (key == "executed_branches") return List::ExecutedBranches;
    if (key == "missing_branches") return List::MissingBranches;
    return List::None;
  }

  /// Of a key that an object has several times, the last value counts, as for Python: forgets an earlier one.
  void forget() {
    if (at_value({"meta"})) {
      result.branches = result.dirty = false;
      result.commit.clear();
      result.folder.reset();
      hashes_.clear();
    } else if (at_value({"files"})) {
      result.files.clear();
      has_files = false;
    } else if (at_value({"totals"})) {
      has_totals = false;
    } else if (levels_.size() == 2 && in_files()) {
      result.files.erase(levels_[1].key);
    } else if (std::vector<int32_t>* lines = levels_.size() == 3 ? lines_of_list() : nullptr) {
      lines->clear();
    } else if (std::vector<Arc>* arcs = levels_.size() == 3 ? arcs_of_list() : nullptr) {
      arcs->clear();
    } else if (file_ && levels_.size() == 3 && levels_[2].key == "summary") {
      file_->covered_lines = file_->num_statements = file_->covered_branches = file_->num_branches = 0;
    }
  }

  void open(bool is_array) {
    if (levels_.empty() && is_array) throw ShapeError(kUnknown);
    if (is_array && arcs_of_list() && levels_.size() == 4) arc_.clear();
    levels_.push_back({is_array, {}});
  }

  bool close() {
    levels_.pop_back();
    if (levels_.size() == 4 && levels_[3].is_array && arcs_of_list()) {
      if (arc_.size() != 2) throw ShapeError("a branch is no pair of lines");
      if (can_be_end(arc_[0]) && can_be_end(arc_[1]))
        arcs_of_list()->push_back({static_cast<int32_t>(arc_[0]), static_cast<int32_t>(arc_[1])});
      else
        skip(fmt::format("'{}, {}' can be no branch", arc_[0], arc_[1]));
    }
    if (levels_.size() == 3) list_ = List::None;
    if (levels_.size() == 2) file_ = nullptr;
    return true;
  }

  void skip(const std::string& reason) { input_.skip(levels_[1].key, reason); }

  bool in_files() const { return levels_[0].key == "files"; }
  /// The list that is being read; null: it is another value.
  std::vector<int32_t>* lines_of_list() const {
    if (!file_) return nullptr;
    switch (list_) {
      case List::Executed: return &file_->executed;
      case List::Missing: return &file_->missing;
      case List::Excluded: return &file_->excluded;
      default: return nullptr;
    }
  }
  std::vector<Arc>* arcs_of_list() const {
    if (!file_) return nullptr;
    if (list_ == List::ExecutedBranches) return &file_->executed_branches;
    return list_ == List::MissingBranches ? &file_->missing_branches : nullptr;
  }

  /// Whether the object that begins is at the path of these keys.
  bool at(std::initializer_list<const char*> keys) const {
    if (levels_.size() != keys.size() + 1) return false;
    return std::equal(keys.begin(), keys.end(), levels_.begin(),
                      [](const char* key, const Level& level) { return level.key == key; });
  }
  bool at_value(std::initializer_list<const char*> keys) const {
    if (levels_.size() != keys.size()) return false;
    return std::equal(keys.begin(), keys.end(), levels_.begin(),
                      [](const char* key, const Level& level) { return level.key == key; });
  }

  /// Throws for a number or text in the place of a report, or of a file of one.
  void check_place() const {
    if (levels_.empty() || (levels_.size() == 2 && in_files())) throw ShapeError(kUnknown);
  }

  void value(int64_t number) {
    check_place();
    if (!file_) return;
    if (std::vector<int32_t>* lines = levels_.size() == 4 ? lines_of_list() : nullptr) {
      if (can_be_line(number))
        lines->push_back(static_cast<int32_t>(number));
      else
        skip(fmt::format("'{}' can be no line", number));
    } else if (arcs_of_list() && levels_.size() == 5) {
      arc_.push_back(number);
    } else if (levels_.size() == 4 && levels_[2].key == "summary") {
      const std::string& name = levels_[3].key;
      if (name == "covered_lines") file_->covered_lines = number;
      if (name == "num_statements") file_->num_statements = number;
      if (name == "covered_branches") file_->covered_branches = number;
      if (name == "num_branches") file_->num_branches = number;
    }
  }

  bool no_line() const {
    check_place();
    bool in_list = (lines_of_list() || arcs_of_list()) && levels_.size() >= 4;
    if (in_list) throw ShapeError("a line is no number");
    return true;
  }

  InputFile& input_;
  std::vector<Level> levels_;
  CoverageJsonFile* file_ = nullptr;
  List list_ = List::None;
  std::vector<int64_t> arc_;
  std::map<std::string, std::string> hashes_;
};

}  // namespace

CoverageJson read_coverage_json(const std::string& path) {
  InputFile input(path);
  std::string text;
  for (std::string_view piece = input.next(); !piece.empty(); piece = input.next()) text += piece;
  Reader reader(input);
  try {
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw ShapeError("it is empty");
    json::sax_parse(text, &reader);
    if (!reader.has_files || !reader.has_totals) throw ShapeError(kUnknown);
    if (reader.result.files.empty()) throw ShapeError("it has no files");
    reader.finish();
  } catch (const ShapeError& error) {
    input.fail(kCoverageJson, "", error.what());
  }
  reader.result.skipped = input.skipped();
  return std::move(reader.result);
}

}  // namespace qd::report
