// JSON report in coverage.py's format 3.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "report/analysis/kernels/arch_coverage.h"
#include "report/formats/machine/machine_report.h"
#include "report/formats/machine/python_json.h"

namespace qd::report {

/// Commit for --record-commit, written into an object "qd_cov" of "meta".
struct RecordedCommit {
  std::string commit;  // full id
  bool dirty = false;  // tracked files differ from the commit
  std::string folder;  // base of file names, below the top of the working tree: "" or "sub/"
  std::vector<std::pair<std::string, std::string>> sources;  // name and hash of each file
};

/// Writes the report file by file. Keeps references to `config`, of which precision, json_pretty_print,
/// json_show_contexts and conditions are used, and to `data`.
class JsonReport {
 public:
  using Out = std::function<void(std::string_view)>;

  /// `archs`: the archs whose numbers are written, in objects "qd_cov". Throws ConfigError for a negative precision.
  JsonReport(const Config& config, const CoverageData& data, Out out, std::vector<std::string> archs = {});

  struct File : RenderedFile {
    using RenderedFile::RenderedFile;
    std::vector<Numbers> archs;
    int32_t n_stale_decisions = 0, n_stale_gradients = 0;
  };
  /// Renders a file. Thread-safe. The analysis has regions.
  File render(const AnalyzedFile& analyzed) const;

  /// `version` is that of this program, `timestamp` the local time in ISO 8601.
  void begin(const std::string& version, const std::string& timestamp, const RecordedCommit* commit = nullptr);
  void add(const File& file);
  void end();

  double percent() const { return total_.numbers.pc_total(); }
  const ConditionNumbers& total_conditions() const { return total_.conditions; }
  const GradientNumbers& total_gradients() const { return total_.gradients; }

 private:
  /// Lines, each with the rank of a context that ran it among the sorted names of contexts; sorted.
  using LineContexts = std::vector<std::pair<int32_t, ContextId>>;
  void write_summary(PythonJson& json, const char* name, const Numbers& numbers) const;
  void write_lines(PythonJson& json, const AnalysisPart& part) const;
  void write_branches(PythonJson& json, const AnalysisPart& part) const;
  LineContexts contexts_by_line(const FileData& data) const;
  void write_contexts(PythonJson& json, const LineContexts& ran, const LineRanges& ranges) const;
  void write_regions(PythonJson& json, const LineContexts& ran, const AnalyzedFile& analyzed,
                     const AnalysisParts& parts) const;
  void write_kind(PythonJson& json, const LineContexts& ran, const AnalyzedFile& analyzed, const AnalysisParts& parts,
                  const std::vector<const CodeRegion*>& regions) const;
  void write_region(PythonJson& json, const LineContexts& ran, const LineRanges& ranges, const AnalysisPart& part,
                    int32_t start) const;
  void write_own(PythonJson& json, const AnalyzedFile& file, File& result) const;
  void write_own_totals();
  void write_archs(PythonJson& json, const std::vector<ArchCoverage>& archs, File& result) const;
  void flush();

  const Config& config_;
  const std::vector<std::string>& contexts_;
  bool branches_;
  Out out_;
  std::string buffer_;                        // output of `json_`
  PythonJson json_;                           // the whole report, except the files
  std::vector<ContextId> context_ranks_;      // [context] -> rank among the sorted names
  std::vector<std::string> quoted_contexts_;  // [rank]
  std::string quoted_hundred_;
  ReportTotal total_;
  std::vector<std::string> archs_;
  std::vector<Numbers> total_archs_;
  std::string last_;  // the file that was written last
};

/// Writes an entry with a list of lines.
void write_json_numbers(PythonJson& json, std::string_view name, const std::vector<int32_t>& numbers);

/// Writes the conditions of a file: entries of an object "qd_cov", which coverage.py does not have. Without decisions:
/// the numbers alone.
/// Writes "gradients": the numbers, and the lines of a file that were never differentiated; null: no file.
void write_json_gradients(PythonJson& json, const GradientNumbers& numbers, const FileGradients* file);

void write_json_conditions(PythonJson& json, const ConditionNumbers& numbers,
                           const std::vector<DecisionCoverage>* decisions);

/// Writes the branches of an imported file, for the same object.
void write_json_branches(PythonJson& json, const Analysis& analysis);

}  // namespace qd::report
