// Analysis of a file of a report: its source against the data of the chosen contexts, with coverage.py's errors.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "report/analysis/analysis.h"
#include "report/analysis/cache/analysis_cache.h"
#include "report/data/source_version.h"
#include "report/engine/reported_files.h"
#include "report/engine/shown_sources.h"

namespace qd::report {

/// A file with its analysis, its text (the input of the analysis) and its data, restricted to [report] contexts. A text
/// that must not be shown is hidden_text().
struct AnalyzedFile {
  const ReportedFile* file;
  Analysis analysis;
  std::string text;
  std::shared_ptr<const FileData> data;
  SourceVersion version = SourceVersion::This;  // of the data
  std::string why_hidden = {};                  // reason why its text is hidden; empty: it is shown
};

/// Parts of an analysis that a format needs besides statements and branches.
struct AnalysisNeeds {
  bool regions = false;       // functions and classes
  bool descriptions = false;  // sentences about arcs
  bool text = false;          // the source, which has to be asked from a plugin; other files have it anyway
};

/// Analyses single files by the configuration.
class FileAnalyzer {
 public:
  /// Keeps references to `data` and `config`. Throws ConfigError for a pattern in [report] contexts that is no regular
  /// expression.
  FileAnalyzer(const CoverageData& data, const Config& config, int python_minor, AnalysisNeeds needs = {});
  /// Analyses a file. Thread-safe. Throws NoSource, NotPython.
  AnalyzedFile analyze(const ReportedFile& file) const;
  /// Analyses a file that a plugin measured, from the plugin's answers. Throws PluginFailure.
  AnalyzedFile analyze_plugin_file(const ReportedFile& file) const;
  /// Analyses a file that only another tool measured. Its numbers need no source: lines that the source does not have
  /// are empty.
  AnalyzedFile analyze_imported(const ReportedFile& file, const ImportedFile& imported) const;
  /// Handles an exception of `analyze`. With ignore_errors it calls `warn` once, or is silent for a file that is not
  /// expected to be Python. Otherwise it throws again.
  void report_error(const std::exception_ptr& error, const ReportedFile& file, const Warn& warn) const;
  /// Keeps new analyses for the next run, unless the configuration forbids it.
  void save_cache();

 private:
  std::shared_ptr<const FileData> chosen_data(const std::string& data_name) const;
  std::optional<SourceAnalysis> imported_python(const ReportedFile& file, const ImportedFile& imported,
                                                const std::string& text) const;

  const CoverageData& data_;
  const Config& config_;
  std::optional<std::set<ContextId>> contexts_;
  const Exclusions& exclusions_;
  AnalysisOptions options_;
  std::unique_ptr<AnalysisCache> cache_;  // or null
  ShownSources shown_;
};

}  // namespace qd::report
