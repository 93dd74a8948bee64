// `qd-cov lcov`: a trace file for the tools of LCOV.
#include "cli/commands.h"
#include "cli/reported/file_report.h"
#include "report/formats/machine/lcov_report.h"

namespace qd::cli {

int lcov(const Arguments& arguments) {
  CommandLine line("lcov", "[options] [modules]", "Generate an LCOV report of coverage results.");
  add_file_report_options(line, "LCOV", "coverage.lcov");
  if (!line.parse(arguments)) return kOk;

  report::Config config = report_config(line);
  config.report_contexts.reset();  // coverage.py's command has no contexts either
  return write_file_report(line, config, "LCOV", config.lcov_output, [](const ReportInput& input, OutputFile& file) {
    report::LcovReport page(input.config);
    report::AnalysisNeeds needs;
    needs.regions = needs.descriptions = true;
    needs.text = input.config.lcov_line_checksums;
    const FileReportTotal total = add_files(page, input, needs);
    page.write([&](std::string_view text) { file.write(text); });
    return total;
  });
}

}  // namespace qd::cli
