// Analysis of all files of a report on all cores, with results in the order of the files.
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "report/analysis/unknown_branches.h"
#include "report/data/in_order.h"
#include "report/data/version_notes.h"
#include "report/engine/file_analyzer.h"

namespace qd::report {

/// Analyses `files` on all cores. `render` is called for each file that could be analysed, on several threads at once.
/// Its results go to `use`, in order, on the calling thread. For a file that cannot be read or parsed, `warn` is called
/// once with ignore_errors; otherwise its NoSource or NotPython is thrown, after the files before it. `warn` also gets
/// messages about exclusion markers in imported files that do not fit together. `versions` gets the relation of each
/// file's data to its source, `unknown` its numbers.
template <typename Render, typename Use>
void render_files(const std::vector<ReportedFile>& files, const CoverageData& data, const Config& config,
                  int python_minor, Render render, Use use, const Warn& warn, AnalysisNeeds needs = {},
                  VersionNotes* versions = nullptr, UnknownBranches* unknown = nullptr) {
  struct Outcome {
    std::optional<std::invoke_result_t<Render&, AnalyzedFile&&>> result;
    std::exception_ptr error;
    SourceVersion version = SourceVersion::This;
    std::vector<std::string> notes;
    Numbers numbers;
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
          outcome.numbers = analyzed.analysis.numbers;
          outcome.result.emplace(render(std::move(analyzed)));
        } catch (const std::runtime_error&) {
          outcome.error = std::current_exception();
        }
        return outcome;
      },
      [&](size_t i, Outcome&& outcome) {
        if (versions) versions->add(files[i].relative, outcome.version);
        if (unknown) unknown->add(files[i].relative, outcome.numbers);
        for (const std::string& note : outcome.notes) warn(note);
        if (outcome.result)
          use(std::move(*outcome.result));
        else
          analyzer.report_error(outcome.error, files[i], warn);
      });
  analyzer.save_cache();
}

}  // namespace qd::report
