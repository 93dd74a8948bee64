// Reported data, and the options that choose it, for all commands that report.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/output/progress_bar.h"
#include "cli/python/plugins.h"
#include "report/config/config.h"
#include "report/data/coverage_data.h"
#include "report/engine/render_files.h"

namespace qd::cli {

/// Adds --data-file, --include, --omit, --ignore-errors and the like, which every command that reports has.
void add_data_options(CommandLine& line);
/// Adds these and --contexts, --fail-under, --precision, --skip-covered and --skip-empty, as in `coverage report`.
void add_reported_data_options(CommandLine& line);
/// Configuration after the changes of coverage.py's plugins. The command line has priority. Skipping files is left to
/// the command.
report::Config report_config(CommandLine& line);

/// Data beside the data file that a report lacks, as paths. No gate is met then.
struct LackingData {
  std::vector<std::string> unread;      // should hold measured data, and cannot be read
  std::vector<std::string> uncombined;  // of kernels, and of killed runs
};

/// Combines the uncombined data beside the data file. Parts of coverage.py are added to the data file (and deleted,
/// unless `keep`); kernel data and killed runs are pointed out. `quiet`: no message about parts that could be combined.
LackingData combine_parts(const report::Config& config, bool keep, bool quiet = false);

/// Adds reports of other tools (--input) to `data`, under the paths that [paths] gives. Throws DataError.
void add_inputs(const report::Config& config, report::CoverageData& data);

/// Reads the data of `config`'s data file and of its inputs, under the paths that [paths] gives; contexts are mapped by
/// `fold`. Throws DataError.
report::CoverageData read_mapped_data(const report::Config& config, const report::FoldContext& fold = {});

/// Input of a report: the settings, the data and the files that were chosen.
struct ReportInput {
  report::Config config;
  report::CoverageData data;
  std::vector<report::ReportedFile> files;
  int python_minor = report::kDefaultPythonMinor;
  bool quiet = false;        // no progress is shown
  LackingData lacking = {};  // data that is not in `data`
  std::shared_ptr<report::VersionNotes> versions =
      std::make_shared<report::VersionNotes>();  // of the files that were rendered
  std::shared_ptr<report::UnknownBranches> unknown = std::make_shared<report::UnknownBranches>();  // likewise
};

/// Reads the data and chooses `modules` of it, or everything that the configuration admits when there are none.
/// Contexts are joined unless the report `names_contexts`, so that many contexts need no memory. Throws DataError,
/// NoDataError, UsageError.
ReportInput read_report_input(report::Config config, const Arguments& modules,
                              const std::optional<std::string>& python_version, bool names_contexts = false);

/// Calls report::render_files() for `input`, with a progress bar on a terminal when it takes long. Warns at the end of
/// data that may be of other versions, and of unknown branches.
template <typename Render, typename Use>
void render_files(const ReportInput& input, Render render, Use use, const report::Warn& warn,
                  report::AnalysisNeeds needs = {}) {
  analyze_plugin_files(input.data, input.config, input.files, needs);
  ProgressBar bar("Reporting", !input.quiet, kPatience);
  size_t n = 0;
  report::render_files(
      input.files, input.data, input.config, input.python_minor, render,
      [&](auto&& rendered) {
        use(std::forward<decltype(rendered)>(rendered));
        bar.show(++n, input.files.size());
      },
      warn, needs, input.versions.get(), input.unknown.get());
  for (const std::string& note : input.versions->notes()) cli::warn(note);
  if (const std::string note = input.unknown->note(); !note.empty()) cli::warn(note);
}

/// Sentence without its point about data that is not in `data`: `lacking`, and unread inputs of earlier combinations;
/// empty when there is none.
std::string lacking_data(const report::CoverageData& data, const LackingData& lacking = {});

/// Prints a line on `out` and returns kFailUnder when a threshold is asked for and some data is of another version of
/// its source or is lacking, or when --require-hashes is asked for and some data has no hash.
int check_versions(const ReportInput& input, std::FILE* out);

/// Ends a report: warnings of conditions, a line on `out` for each missed threshold. `percent` is compared with
/// --fail-under; it must reach that without any of the unknown branches, too.
int check_gates(const ReportInput& input, double percent, const report::ConditionNumbers& conditions,
                const report::GradientNumbers& gradients, std::FILE* out);

}  // namespace qd::cli
