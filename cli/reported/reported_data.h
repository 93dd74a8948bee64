// The data that a report is made of, and the options that choose it: shared by the commands that report.
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
#include "report/formats/common/reported_files.h"

namespace qd::cli {

/// --data-file, --include, --omit, --ignore-errors and their like, which every command that reports has.
void add_data_options(CommandLine& line);
/// Those and --contexts, --fail-under, --precision, --skip-covered and --skip-empty, as `coverage report` has them.
void add_reported_data_options(CommandLine& line);
/// The configuration as plugins of coverage.py have it. What the command line says goes over what it says; skipping
/// files is left to the command.
report::Config report_config(CommandLine& line);

/// Does what is left to combine beside the data file: parts of coverage.py go in (and go, unless `keep`), kernel data
/// is pointed out. `quiet`: nothing is said of parts that could be combined.
void combine_parts(const report::Config& config, bool keep, bool quiet = false);

/// Reports of other tools (--input), with the paths that [paths] says, go into `data`. Throws DataError.
void add_inputs(const report::Config& config, report::CoverageData& data);

/// What the data file of `config` holds and its inputs, with the paths that [paths] says; contexts as `fold` has them.
/// Throws DataError.
report::CoverageData read_mapped_data(const report::Config& config, const report::FoldContext& fold = {});

/// What a report is made of: the settings, the data and the files that were chosen of it.
struct ReportInput {
  report::Config config;
  report::CoverageData data;
  std::vector<report::ReportedFile> files;
  int python_minor = report::kDefaultPythonMinor;
  bool quiet = false;  // no progress is shown
  std::shared_ptr<report::VersionNotes> versions =
      std::make_shared<report::VersionNotes>();  // of the files that were rendered
};

/// Reads the data and chooses `modules` of it, or all that the configuration lets through when there are none. Unless
/// the report `names_contexts`, contexts are joined, so that many cost no memory. Throws DataError, NoDataError,
/// UsageError.
ReportInput read_report_input(report::Config config, const Arguments& modules,
                              const std::optional<std::string>& python_version, bool names_contexts = false);

/// report::render_files() of `input`, with a progress bar on a terminal when it takes long; at the end warnings of data
/// that may be of other versions.
template <typename Render, typename Use>
void render_files(const ReportInput& input, Render render, Use use, const report::Warn& warn,
                  report::AnalysisNeeds needs = {}) {
  analyze_plugin_files(input.data, input.config, input.files, needs);
  ProgressBar bar("Reporting", !input.quiet, kPatience);
  size_t n = 0;
  report::render_files(
      input.files, input.data, input.config, input.python_minor, render,
      [&](auto&& rendered) {
        use(std::move(rendered));
        bar.show(++n, input.files.size());
      },
      warn, needs, input.versions.get());
  for (const std::string& note : input.versions->notes()) cli::warn(note);
}

/// kFailUnder with a line on `out` when a threshold is asked for and some data is of another version of its source, or
/// --require-hashes and no hash says of which.
int check_versions(const ReportInput& input, std::FILE* out);

/// The end of a report: warnings of conditions, a line on `out` for each missed threshold. `percent` is what
/// --fail-under is held against.
int check_gates(const ReportInput& input, double percent, const report::ConditionNumbers& conditions, std::FILE* out);

}  // namespace qd::cli
