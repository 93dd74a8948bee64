// `qd-cov report`: the table of all measured files.
#include "cli/report.h"

#include <fmt/core.h>

#include <cstdio>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/reported_data.h"
#include "report/analysis/numbers.h"
#include "report/formats/reported_files.h"
#include "report/formats/summary_table.h"

namespace qd::cli {

namespace {

void add_options(CommandLine& line) {
  auto text = [] { return cxxopts::value<std::string>(); };
  add_reported_data_options(line);
  line.add()("format", "Output format, either text (default), markdown, or total.", text(), "FORMAT");
  line.add()("sort", "Sort the report by the named column: name, stmts, miss, branch, brpart, or cover. Default is name.", text(), "COLUMN");
  line.add()("m,show-missing", "Show line numbers of statements in each module that weren't executed.");
}

}  // namespace

int print_report(const report::Config& config, const Arguments& files, const std::optional<std::string>& python_version) {
  report::CoverageData data = read_mapped_data(config);
  report::SummaryTable table(config, data.has_arcs.value_or(false));
  std::vector<report::ReportedFile> reported = report::reported_files(data, config, files);
  report::analyze_files(
      reported, data, config, python_minor(python_version), [&](report::Analysis&& analysis) { table.add(analysis); }, warn);
  fmt::print("{}", table.text());

  double total = table.total().pc_covered();
  if (!report::should_fail_under(total, config.fail_under, config.precision)) return kOk;
  fmt::print("Coverage failure: {}\n", report::fail_under_message(total, config.fail_under, config.precision));
  return kFailUnder;
}

int report(const Arguments& arguments) {
  CommandLine line("report", "[options] [modules]", "Report coverage statistics on modules.");
  add_options(line);
  if (!line.parse(arguments)) return kOk;

  report::Config config = line.config();
  apply_reported_data_options(line, config);
  if (auto format = line.text("format")) config.format = *format;
  if (auto column = line.text("sort")) config.sort = *column;
  config.show_missing = config.show_missing || line.flag("show-missing");
  config.skip_covered = (config.skip_covered || line.flag("skip-covered")) && !line.flag("no-skip-covered");
  config.skip_empty = config.skip_empty || line.flag("skip-empty");
  combine_parts(config, line.flag("keep-combined"));
  return print_report(config, line.arguments(), line.text("python"));
}

}  // namespace qd::cli
