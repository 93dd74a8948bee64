// Input file, read piece by piece, with its numbers and paths.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/data/coverage_data.h"

namespace qd::report {

/// An open input, plain or gzip. Throws DataError "Couldn't read '...': ...".
class InputFile {
 public:
  explicit InputFile(const std::string& path);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const { return path_; }
  /// First bytes, without a byte-order mark; they are not consumed.
  std::string_view beginning();
  /// Returns the next piece, empty at the end. It is valid until the next call.
  std::string_view next();
  /// Throws DataError: "Couldn't read 'out.info' as LCOV: line 7: ...". `place` may be empty.
  [[noreturn]] void fail(const char* format, const std::string& place, const std::string& reason) const;
  /// Counts a record that is left out, because it is of no line of a source.
  void skip(const std::string& place, const std::string& reason);
  /// Records that were left out, as a sentence with the first example; empty: none.
  std::string skipped() const;

 private:
  bool fill();

  std::string path_;
  std::unique_ptr<gzFile_s, int (*)(gzFile_s*)> file_;
  std::unique_ptr<char[]> buffer_;
  size_t begin_ = 0, end_ = 0;
  int64_t n_skipped_ = 0;
  std::string first_skipped_;
};

/// Parses a line number of a report. kNoLine: an impossible one, negative or too large, from compilers and counters
/// that overflow. 0 stands for code of no line. None: it is no whole number.
std::optional<int32_t> line_number(std::string_view text);
inline constexpr int32_t kNoLine = -1;

/// Parses an execution count. Tools also write 1.0 and 1e+06, and negative numbers for counters that overflowed: these
/// are 0. None: it is no number.
std::optional<uint64_t> hit_count(std::string_view text);

/// Reader of an input line by line, without line ends ('\n' or "\r\n").
class InputLines {
 public:
  explicit InputLines(InputFile& file) : file_(file) {}
  /// False at the end. `line` is valid until the next call.
  bool next(std::string_view& line);
  int64_t number() const { return number_; }

 private:
  InputFile& file_;
  std::string_view piece_;
  std::string joined_;  // a line that spans several pieces
  int64_t number_ = 0;
};

/// Resolves a path of an input: absolute, relative ones from `folder` (empty: the current one). One of another system
/// stays as it is.
std::string input_path(std::string path, const std::string& folder = {});

/// Largest number of branches of a line; a report with more is damaged.
constexpr int kMaxBranches = 100000;

/// Appends the branches of a line when only their number and the number of taken ones are known: the first count as
/// taken, so that of two such measurements the greater number counts. False for impossible numbers: then one branch is
/// added that was never taken, so that the line does not count as covered.
bool append_counted_branches(std::vector<ImportedBranch>& branches, const ImportedLine& line, double taken,
                             double total);

/// Sorts the lists of all files, and records `source` as their source.
void settle(CoverageData& data, const std::string& source);

}  // namespace qd::report
