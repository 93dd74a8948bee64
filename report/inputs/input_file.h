// Bytes of an input, piece by piece, and the files that a reader finds in them.
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
  /// The first bytes, without a byte-order mark; they stay to be read.
  std::string_view beginning();
  /// The next piece, empty at the end. It lives until the next call.
  std::string_view next();
  /// Throws: "Couldn't read 'out.info' as LCOV: line 7: ...". `place` may be empty.
  [[noreturn]] void fail(const char* format, const std::string& place, const std::string& reason) const;
  /// Counts a record that can be of no line of a source, and that is left out for this reason.
  void skip(const std::string& place, const std::string& reason);
  /// What was left out, as a sentence with its first example; empty: nothing.
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

/// A line number in a report. kNoLine: a number that no line can have, negative or too large, as compilers and
/// counters that overflow leave them. 0 stands for code of no line. None: it is no whole number.
std::optional<int32_t> line_number(std::string_view text);
inline constexpr int32_t kNoLine = -1;

/// How often something ran. Tools also write 1.0 and 1e+06, and negative numbers for counters that overflowed: these
/// are 0. None: it is no number.
std::optional<uint64_t> hit_count(std::string_view text);

/// Lines of an input, without their ends ('\n' or "\r\n").
class InputLines {
 public:
  explicit InputLines(InputFile& file) : file_(file) {}
  /// False at the end. `line` lives until the next call.
  bool next(std::string_view& line);
  int64_t number() const { return number_; }

 private:
  InputFile& file_;
  std::string_view piece_;
  std::string joined_;  // a line that lies in several pieces
  int64_t number_ = 0;
};

/// Where a path of an input lies: absolute and resolved, relative ones from `folder` (empty: the current one). One of
/// another system stays as it is.
std::string input_path(std::string path, const std::string& folder = {});

/// A report that says more of one line is damaged.
constexpr int kMaxBranches = 100000;

/// Appends the branches of a line of which is known how many there are and how many were taken, not which: the first
/// count as taken, so that of two such measurements the greater number counts. False for numbers that cannot be: then
/// it is a branch that was never taken, so that the line does not count as covered.
bool append_counted_branches(std::vector<ImportedBranch>& branches, const ImportedLine& line, double taken,
                             double total);

/// Sorts the lists of all files, and says where they come from.
void settle(CoverageData& data, const std::string& source);

}  // namespace qd::report
