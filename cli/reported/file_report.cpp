// File report: options and steps of a report that is one file.
#include "cli/reported/file_report.h"

#include <fmt/core.h>

#include <cstdio>
#include <exception>

#include "cli/standard_streams.h"

namespace qd::cli {

void add_file_report_options(CommandLine& line, const std::string& type, const std::string& output) {
  add_data_options(line);
  line.group("Gate");
  line.add("fail-under", "Exit with a status of 2 if the total coverage is less than MIN.", kText, "MIN");
  line.group("Output");
  line.add("o",
           fmt::format("Write the {} report to this file, or to standard output if it is '-'. Defaults to '{}'", type,
                       output),
           kText, "OUTFILE");
  line.add("q,quiet", "Don't print messages about what is happening.");
  line.usual({"o", "fail-under", "include", "omit", "input", "ignore-errors", "data-file", "quiet"});
}

int write_file_report(CommandLine& line, const report::Config& config, const std::string& type,
                      const std::string& output,
                      const std::function<FileReportTotal(const ReportInput& input, OutputFile& file)>& render,
                      bool names_contexts) {
  LackingData lacking = combine_parts(config, line.flag("keep-combined"), line.flag("quiet"));
  std::string path = line.text("o").value_or(output);
  ReportInput input;
  FileReportTotal total;
  std::exception_ptr nothing_to_report;
  try {
    input = read_report_input(config, line.arguments(), line.text("python"), names_contexts);
  } catch (const report::NoDataError&) {
    nothing_to_report = std::current_exception();
  }
  input.quiet = line.flag("quiet");
  input.lacking = std::move(lacking);
  write_report(path, [&](OutputFile& file) {
    if (nothing_to_report) std::rethrow_exception(nothing_to_report);
    total = render(input, file);
  });
  if (path != "-" && !line.flag("quiet")) tell(fmt::format("Wrote {} report to {}", type, path));
  return check_gates(input, total.percent, total.conditions, total.gradients, stdout);
}

}  // namespace qd::cli
