// File report: common parts of the commands that write one file for other tools: xml, json, lcov.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "cli/command_line.h"
#include "cli/output/output_file.h"
#include "cli/reported/reported_data.h"

namespace qd::cli {

/// Adds the common options. `type` is "XML" and the like, `output` the default name of the file.
void add_file_report_options(CommandLine& line, const std::string& type, const std::string& output);

/// Totals of a report, for the gates. `percent` is coverage.py's: 0 when there is nothing.
struct FileReportTotal {
  double percent = 0;
  report::ConditionNumbers conditions;
  report::GradientNumbers gradients;
};

/// Adds all files to a report of XML and the like, on all cores.
template <typename Report>
FileReportTotal add_files(Report& report, const ReportInput& input, report::AnalysisNeeds needs = {}) {
  render_files(
      input, [&](report::AnalyzedFile&& analyzed) { return report.render(analyzed); },
      [&](auto&& rendered) { report.add(std::forward<decltype(rendered)>(rendered)); }, warn, needs);
  return {report.percent(), report.total_conditions(), report.total_gradients()};
}

/// Combines and reads data, lets `render` write the file (of -o, else `output`), reports it, and checks the thresholds.
/// When there is no data, or a source cannot be parsed, an earlier file is removed, as in coverage.py.
/// `names_contexts`: the file has the lines of each context.
int write_file_report(CommandLine& line, const report::Config& config, const std::string& type,
                      const std::string& output,
                      const std::function<FileReportTotal(const ReportInput& input, OutputFile& file)>& render,
                      bool names_contexts = false);

}  // namespace qd::cli
