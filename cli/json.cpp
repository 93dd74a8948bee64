// `qd-cov json`: coverage.py's JSON, and with --conditions an object "qd_cov" in it.
#include <fmt/chrono.h>
#include <fmt/core.h>

#include <chrono>
#include <ctime>

#include "cli/commands.h"
#include "cli/condition_options.h"
#include "cli/file_report.h"
#include "report/formats/json_report.h"

namespace qd::cli {

namespace {

/// The local time as Python's datetime.isoformat() has it.
std::string timestamp() {
  auto now = std::chrono::system_clock::now();
  std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(now - std::chrono::system_clock::from_time_t(seconds)).count();
  std::tm local = {};
  localtime_r(&seconds, &local);
  std::string text = fmt::format("{:%Y-%m-%dT%H:%M:%S}", local);
  return microseconds == 0 ? text : fmt::format("{}.{:06}", text, microseconds);
}

}  // namespace

int json(const Arguments& arguments) {
  CommandLine line("json", "[options] [modules]", "Generate a JSON report of coverage results.");
  add_file_report_options(line, "JSON", "coverage.json");
  add_condition_options(line);
  line.add("contexts", "Only display data from lines covered in the given contexts. Accepts Python regexes, which must be quoted.",
           kText, "REGEX1,REGEX2,...");
  line.add("pretty-print", "Format the JSON for human readers.");
  line.add("show-contexts", "Show contexts for covered lines.");
  if (!line.parse(arguments)) return kOk;

  report::Config config = line.config();
  apply_reported_data_options(line, config);
  apply_condition_options(line, config);
  config.json_pretty_print = config.json_pretty_print || line.flag("pretty-print");
  config.json_show_contexts = config.json_show_contexts || line.flag("show-contexts");
  auto render = [](const ReportInput& input, OutputFile& file) {
    report::JsonReport page(input.config, input.data, [&](std::string_view text) { file.write(text); });
    page.begin(QD_VERSION, timestamp());
    report::AnalysisNeeds needs;
    needs.regions = true;
    render_files(
        input, [&](report::AnalyzedFile&& analyzed) { return page.render(analyzed); },
        [&](report::JsonReport::File&& rendered) {
          warn_of_stale_conditions(rendered.file->relative, {{}, rendered.n_stale_decisions});
          page.add(rendered);
        },
        warn, needs);
    page.end();
    return FileReportTotal{page.percent(), page.total_conditions()};
  };
  return write_file_report(line, config, "JSON", config.json_output, render, config.json_show_contexts);
}

}  // namespace qd::cli
