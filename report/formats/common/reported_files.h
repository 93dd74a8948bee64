// Files of a report, and their analyses: the same choice, order and errors as coverage.py's.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "report/analysis/analysis.h"
#include "report/analysis/cache/analysis_cache.h"
#include "report/analysis/plugin_file.h"
#include "report/config/config.h"
#include "report/data/in_order.h"
#include "report/data/version_notes.h"
#include "report/formats/common/shown_sources.h"

namespace qd::report {

struct ReportedFile {
  std::string path;                    // absolute, or relative under relative_files
  std::string relative;                // as shown
  std::string data_name;               // its name in the data
  std::shared_ptr<PluginFile> plugin;  // answers of the plugin that measured it; null for Python and for other tools
};

/// Name of a file in the data: absolute, or relative under relative_files.
std::string name_in_data(const std::string& name, const Config& config);

/// Returns the files of `data`, or `arguments` when there are any, that [report] include and omit admit; sorted by
/// path. Files of other tools outside of the current folder (system headers) are only included by an include pattern or
/// an argument that names them. Throws NoDataError when there are none.
std::vector<ReportedFile> reported_files(const CoverageData& data, const Config& config,
                                         const std::vector<std::string>& arguments);

/// Names in reports of other tools that fit several of the files which would be reported, as AmbiguousName::text().
/// Data of coverage.py is used all the same.
std::vector<std::string> ambiguous_names(const CoverageData& data, const Config& config);

/// Note that some files were both measured and imported, if there are any. They are reported as measured.
std::string imported_note(const CoverageData& data);

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
  Exclusions exclusions_;
  AnalysisOptions options_;
  std::unique_ptr<AnalysisCache> cache_;  // or null
  ShownSources shown_;
};

/// Analyses `files` on all cores. `render` is called for each file that could be analysed, on several threads at once.
/// Its results go to `use`, in order, on the calling thread. For a file that cannot be read or parsed, `warn` is called
/// once with ignore_errors; otherwise its NoSource or NotPython is thrown, after the files before it. `warn` also gets
/// messages about exclusion markers in imported files that do not fit together. `versions` gets the relation of each
/// file's data to its source.
template <typename Render, typename Use>
void render_files(const std::vector<ReportedFile>& files, const CoverageData& data, const Config& config,
                  int python_minor, Render render, Use use, const Warn& warn, AnalysisNeeds needs = {},
                  VersionNotes* versions = nullptr) {
  struct Outcome {
    std::optional<std::invoke_result_t<Render&, AnalyzedFile&&>> result;
    std::exception_ptr error;
    SourceVersion version = SourceVersion::This;
    std::vector<std::string> notes;
  };
  FileAnalyzer analyzer(data, config, python_minor, needs);
  in_order(
      files.size(),
      [&](size_t i) {
        Outcome outcome;
        try {
          AnalyzedFile analyzed = analyzer.analyze(files[i]);
          outcome.version = analyzed.version;
          outcome.notes = analyzed.analysis.notes;
          outcome.result.emplace(render(std::move(analyzed)));
        } catch (const std::runtime_error&) {
          outcome.error = std::current_exception();
        }
        return outcome;
      },
      [&](size_t i, Outcome&& outcome) {
        if (versions) versions->add(files[i].relative, outcome.version);
        for (const std::string& note : outcome.notes) warn(note);
        if (outcome.result)
          use(std::move(*outcome.result));
        else
          analyzer.report_error(outcome.error, files[i], warn);
      });
  analyzer.save_cache();
}

/// The same for a `use` that needs the whole file.
inline void analyze_files(const std::vector<ReportedFile>& files, const CoverageData& data, const Config& config,
                          int python_minor, const std::function<void(AnalyzedFile&& analyzed)>& use, const Warn& warn,
                          AnalysisNeeds needs = {}, VersionNotes* versions = nullptr) {
  render_files(
      files, data, config, python_minor, [](AnalyzedFile&& analyzed) { return std::move(analyzed); }, use, warn, needs,
      versions);
}

}  // namespace qd::report
