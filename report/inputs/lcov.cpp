// LCOV tracefiles:
//
//   TN:<test>
//   SF:<path>
//   FN:<line>[,<last line>],<name>      FNDA:<hits>,<name>
//   FNL:<id>,<line>[,<last line>]       FNA:<id>,<hits>,<name>
//   BRDA:<line>,[e]<block>,<number or text>,<taken or ->
//   DA:<line>,<hits>[,<checksum>]
//   end_of_record
//
// Totals (LF, LH, ...) are not used, as in lcov itself: llvm-cov writes totals of functions that its lines contradict.
// Tests, versions and MC/DC are not used either.
#include "report/data/ascii.h"
#include "report/inputs/readers.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <unordered_map>

namespace qd::report {

namespace {

constexpr const char* kLcov = "LCOV";

/// Text without blanks at its ends: editors and other tools leave them.
std::string_view trimmed(std::string_view text) {
  size_t first = text.find_first_not_of(" \t\r\f\v");
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(" \t\r\f\v") + 1 - first);
}

class LcovReader {
 public:
  LcovReader(InputFile& input, FileNames& names) : input_(input), lines_(input), names_(names) {}

  void read() {
    std::string_view line;
    while (lines_.next(line)) {
      line = trimmed(line);
      if (line.empty() || line[0] == '#') continue;
      if (line == "end_of_record") {
        end_record();
        continue;
      }
      size_t colon = line.find(':');
      if (colon == std::string_view::npos || colon == 0 ||
          !std::all_of(line.begin(), line.begin() + static_cast<ptrdiff_t>(colon), is_upper))
        fail(fmt::format("'{}' is no record", line.substr(0, 60)));
      record(line.substr(0, colon), line.substr(colon + 1));
    }
    if (file_) fail("the file ends within a record: 'end_of_record' is missing");
  }

 private:
  static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

  [[noreturn]] void fail(const std::string& reason) const {
    input_.fail(kLcov, fmt::format("line {}", lines_.number()), reason);
  }

  void record(std::string_view key, std::string_view rest) {
    if (key == "DA")
      line_data(rest);
    else if (key == "BRDA")
      branch(rest);
    else if (key == "SF")
      begin_record(trimmed(rest));
    else if (key == "FN")
      function(rest);
    else if (key == "FNDA")
      function_hits(rest);
    else if (key == "FNL")
      function_place(rest);
    else if (key == "FNA")
      function_alias(rest);
  }

  void begin_record(std::string_view path) {
    if (file_) fail("'SF' within a record: 'end_of_record' is missing before it");
    if (path.empty()) skip("'SF' has no path");
    file_ = names_.file(std::string(path));
    if (!file_) file_ = &(nobody_ = {});
    by_name_.clear();
    by_id_.clear();
  }

  void end_record() {
    if (!file_) fail("'end_of_record' without 'SF'");
    for (const auto& [name, hits] : early_hits_)
      skip(fmt::format("'FNDA' of '{}', and no 'FN' of it in the record", name));
    early_hits_.clear();
    std::erase_if(file_->functions,
                  [](const ImportedFunction& function) { return function.first_line == 0; });  // it has no line
    file_ = nullptr;
  }

  ImportedFile& file() {
    if (!file_) fail("this record belongs to a file, and there is no 'SF' before it");
    return *file_;
  }

  void line_data(std::string_view rest) {
    ImportedFile& file = this->file();
    const int32_t line = number_of_line(field(rest));
    uint64_t hits = count(field(rest));  // a checksum follows
    if (line > 0) file.lines.push_back({line, hits});
  }

  void branch(std::string_view rest) {
    ImportedFile& file = this->file();
    ImportedBranch branch;
    branch.line = number_of_line(field(rest));
    std::string_view block = field(rest);
    if (block.starts_with('e')) {
      branch.text = ImportedBranch::kException;
      block.remove_prefix(1);
    }
    branch.block = number(block);
    size_t comma = rest.rfind(',');  // the text may have commas of its own
    if (comma == std::string_view::npos) fail("a field is missing");
    std::string_view name = rest.substr(0, comma), taken = trimmed(rest.substr(comma + 1));
    auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), branch.number);
    if (error != std::errc() || end != name.data() + name.size()) {
      branch.number = 0;
      branch.text += (branch.text.empty() ? "" : " ") + std::string(name);
    }
    if (taken != "-") branch.taken = count(taken);
    if (branch.line > 0) file.branches.push_back(std::move(branch));
  }

  void function(std::string_view rest) {
    ImportedFile& file = this->file();
    ImportedFunction function;
    function.first_line = number_of_line(field(rest));
    size_t comma = rest.find(',');
    if (comma != std::string_view::npos && comma > 0 &&
        std::all_of(rest.begin(), rest.begin() + static_cast<ptrdiff_t>(comma), is_digit))
      function.last_line = number_of_line(field(rest));
    function.name = rest;
    by_name_[function.name] = file.functions.size();
    if (auto early = early_hits_.find(function.name); early != early_hits_.end()) {
      function.hits = early->second;
      early_hits_.erase(early);
    }
    file.functions.push_back(std::move(function));
  }

  void function_hits(std::string_view rest) {
    ImportedFile& file = this->file();
    uint64_t hits = count(field(rest));
    auto found = by_name_.find(std::string(rest));
    uint64_t& sum = found == by_name_.end() ? early_hits_[std::string(rest)] : file.functions[found->second].hits;
    sum += std::min(hits, std::numeric_limits<uint64_t>::max() - sum);
  }

  void function_place(std::string_view rest) {
    file();
    std::string id(field(rest));
    const int32_t first = number_of_line(field(rest));
    by_id_[id] = {first, rest.empty() ? 0 : number_of_line(field(rest))};
  }

  void function_alias(std::string_view rest) {
    ImportedFile& file = this->file();
    std::string id(field(rest));
    auto found = by_id_.find(id);
    uint64_t hits = count(field(rest));
    if (found == by_id_.end()) return skip(fmt::format("'FNA' of function {}, and no 'FNL' of it before", id));
    file.functions.push_back({found->second.first, found->second.second, std::string(rest), hits});
  }

  /// Takes the text before the next comma, and the comma.
  std::string_view field(std::string_view& rest) {
    if (rest.empty()) fail("a field is missing");
    size_t comma = std::min(rest.find(','), rest.size());
    std::string_view result = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    return trimmed(result);
  }

  /// Number of a block: some tools write -1 as 4294967295.
  int32_t number(std::string_view text) {
    int64_t value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      fail(fmt::format("'{}' is no number", text.substr(0, 60)));
    return static_cast<int32_t>(value);
  }

  void skip(const std::string& reason) { input_.skip(fmt::format("line {}", lines_.number()), reason); }

  /// Number of a line; 0 for code of no line, or for an impossible number, which is skipped.
  int32_t number_of_line(std::string_view text) {
    const std::optional<int32_t> line = line_number(text);
    if (!line) fail(fmt::format("'{}' is no number", text.substr(0, 60)));
    if (*line == kNoLine) skip(fmt::format("'{}' can be no line", text.substr(0, 60)));
    return std::max(*line, 0);
  }

  uint64_t count(std::string_view text) {
    const std::optional<uint64_t> result = hit_count(text);
    if (!result) fail(fmt::format("'{}' is no count", text.substr(0, 60)));
    return *result;
  }

  InputFile& input_;
  InputLines lines_;
  FileNames& names_;
  ImportedFile* file_ = nullptr;                     // of the record; null: none is open
  ImportedFile nobody_;                              // of a record without a known file
  std::unordered_map<std::string, size_t> by_name_;  // of this record's functions
  std::map<std::string, uint64_t> early_hits_;       // 'FNDA' before its 'FN'
  std::unordered_map<std::string, std::pair<int32_t, int32_t>> by_id_;
};

/// Adds the lines that have branches alone: each is one of code, which ran if one of its branches was taken.
void add_lines_of_branches(ImportedFile& file) {
  std::vector<ImportedLine> more;
  for (const ImportedBranch& branch : file.branches)
    if (!file.has_line(branch.line)) more.push_back({branch.line, branch.taken.value_or(0)});
  if (more.empty()) return;
  file.lines.insert(file.lines.end(), more.begin(), more.end());
  file.settle();
}

}  // namespace

bool looks_like_lcov(std::string_view beginning) {
  while (!beginning.empty()) {
    size_t end = std::min(beginning.find('\n'), beginning.size());
    std::string_view line = trimmed(beginning.substr(0, end));
    beginning.remove_prefix(std::min(end + 1, beginning.size()));
    if (line.empty() || line[0] == '#') continue;
    return line.starts_with("TN:") || line.starts_with("SF:");
  }
  return false;
}

void read_lcov(InputFile& input, CoverageData& data, FileNames& names) {
  LcovReader(input, names).read();
  settle(data, "lcov");
  for (auto& [path, file] : data.imported) add_lines_of_branches(file);
}

}  // namespace qd::report
