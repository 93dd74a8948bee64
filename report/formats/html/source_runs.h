// Runs of lines: the origins (host code, devices) and contexts in which each line of a file was executed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/engine/file_analyzer.h"

namespace qd::report {

/// Writer of a list of ranges, as JSON: [first,last,first,last...] of numbers that come in order; a number that is not
/// taken ends a range.
class JsonRanges {
 public:
  explicit JsonRanges(std::string& out) : out_(out) { out_ += '['; }
  void take(int32_t line);
  void end_range();
  void finish();

 private:
  std::string& out_;
  int32_t first_ = 0, last_ = 0;
};

/// Host code or one device, and the contexts that ran there.
struct Origin {
  std::string name;
  std::vector<ContextId> contexts;
};

/// Returns at most 31 origins, for a bit each. `contexts` is CoverageData::contexts; `more`: archs that are listed in
/// any case.
std::vector<Origin> origins_of(const FileData& data, const std::vector<std::string>& contexts,
                               const std::vector<std::string>& more);

class SourceEvaluations;

/// Keeps references to the file and its data.
class SourceRuns {
 public:
  SourceRuns(const AnalyzedFile& file, size_t n_lines)
      : source_(file.analysis.source), data_(*file.data), n_lines_(n_lines) {}

  /// Appends ["host","cpu"],"ran":[[1,3],[4,7]]. True if a line ran in a kernel.
  bool append_origins(std::string& out, const std::vector<Origin>& origins) const;

  /// Appends {"runs": [[context, ranges, edges, evaluations], ...]}, with numbered edges and evaluations, and returns
  /// the number of contexts; nothing for none.
  int64_t append_contexts(std::string& out, const std::vector<Arc>& edges, const SourceEvaluations& evaluated) const;

 private:
  std::vector<bool> statements_run(std::span<const ContextId> contexts) const;
  void append_statements(std::string& out, const std::vector<bool>& seen) const;
  bool is_line(int32_t line) const { return line > 0 && static_cast<size_t>(line) <= n_lines_; }

  const SourceAnalysis& source_;
  const FileData& data_;
  size_t n_lines_;
};

}  // namespace qd::report
