// Data of another tool about a file: lines, branches and functions with counts, as LCOV, Cobertura, gcov and llvm-cov
// have them.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace qd::report {

/// Largest line number; a report with a larger one is damaged.
inline constexpr int32_t kMaxImportedLine = 10'000'000;

struct ImportedLine {
  int32_t line = 0;
  uint64_t hits = 0;
  bool operator==(const ImportedLine&) const = default;
};

/// A branch: one exit of a line. When data is added up, branches with the same place (line, block, number, text) are
/// the same.
struct ImportedBranch {
  int32_t line = 0;
  int32_t block = 0;  // groups the exits of one decision; 0 if the format has no groups
  int32_t number = 0;
  std::string text;               // destination or condition, in the words of the input; may be empty
  std::optional<uint64_t> taken;  // none: its decision was never evaluated

  bool was_taken() const { return taken.value_or(0) > 0; }
  /// Whether it is taken by an exception: compilers make such a branch for each call that may throw.
  bool is_exception() const { return text == kException || text.starts_with(std::string(kException) + " "); }
  static constexpr const char* kException = "exception";  // the text of such a branch, or its first word
  auto place() const { return std::tie(line, block, number, text); }
  bool operator==(const ImportedBranch&) const = default;
};

/// A function, or an instantiation of a template.
struct ImportedFunction {
  int32_t first_line = 0;
  int32_t last_line = 0;  // 0: the format does not have it
  std::string name;
  uint64_t hits = 0;
  std::vector<ImportedLine> lines = {};  // of an instantiation; empty when the input does not have them
  bool operator==(const ImportedFunction&) const = default;
};

/// The measurements of one source file. After settle() or merge(), lists are sorted by place, and have each place once.
struct ImportedFile {
  std::set<std::string> sources;  // format and tool: "lcov", "gcov 12.2.0"
  std::vector<ImportedLine> lines;
  std::vector<ImportedBranch> branches;
  std::vector<ImportedFunction> functions;
  bool older = false;  // the source changed after one of the reports was written

  /// Sorts the appended elements, and adds up those of the same place. A count that would overflow stays at the largest
  /// number.
  void settle();
  /// Adds another measurement of the same file: hits add up, and a branch was taken when it was taken in either.
  void merge(const ImportedFile& other);

  /// Copy in which no line or branch ran.
  ImportedFile without_hits() const;
  /// Copy with the missing lines between the first and the last; each gets the hits of the line before it.
  ImportedFile expanded() const;

  bool has_line(int32_t line) const;
  uint64_t hits(int32_t line) const;  // 0 for a line that it does not have
  std::span<const ImportedBranch> branches_of(int32_t line) const;
  /// Last line of a function; when the input does not have it, the line before the next function or the last known one.
  int32_t last_line_of(const ImportedFunction& function) const;

  bool operator==(const ImportedFile&) const = default;
};

/// A name in a report that fits several files. Its data is used for none of them.
struct AmbiguousName {
  std::string report;           // path of the report
  std::string name;             // as it is written there
  std::set<std::string> paths;  // the files that it fits; only one where several names fit the same file
  /// Text for messages: "'helpers.py' in 'coverage.xml' fits 'app/helpers.py' and 'tests/helpers.py'"; paths below the
  /// current folder are relative.
  std::string text() const;
  auto operator<=>(const AmbiguousName&) const = default;
};

}  // namespace qd::report
