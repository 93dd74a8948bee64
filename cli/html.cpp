// `qd-cov html`: the coverage of all measured files as one page.
#include <fmt/core.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/condition_options.h"
#include "cli/output_file.h"
#include "cli/reported_data.h"
#include "report/analysis/numbers.h"
#include "report/formats/html_report.h"
#include "report/formats/reported_files.h"

namespace qd::cli {

namespace {

void add_options(CommandLine& line) {
  auto text = [] { return cxxopts::value<std::string>(); };
  add_reported_data_options(line);
  add_condition_options(line);
  line.add()("d,directory", "Write the page, index.html, to DIR.", text(), "DIR");
  line.add()("q,quiet", "Don't print messages about what is happening.");
  line.add()("title", "A text string to use as the title on the HTML.", text(), "TITLE");
}

}  // namespace

int html(const Arguments& arguments) {
  CommandLine line("html", "[options] [modules]", "Create one self-contained HTML page: a table of all files, and the source of each with what ran.");
  add_options(line);
  if (!line.parse(arguments)) return kOk;

  report::Config config = line.config();
  apply_reported_data_options(line, config);
  apply_condition_options(line, config);
  std::string folder = line.text("directory").value_or(config.html_dir);

  combine_parts(config, line.flag("keep-combined"));
  report::CoverageData data = read_mapped_data(config);
  std::vector<report::ReportedFile> files = report::reported_files(data, config, line.arguments());
  std::map<std::string, std::string> data_names;
  for (const report::ReportedFile& file : files) data_names[file.path] = file.data_name;

  report::HtmlReportOptions options;
  options.title = line.text("title").value_or(config.html_title);
  options.precision = config.precision;
  options.skip_covered = (config.html_skip_covered.value_or(config.skip_covered) || line.flag("skip-covered")) && !line.flag("no-skip-covered");
  options.skip_empty = config.html_skip_empty.value_or(config.skip_empty) || line.flag("skip-empty");
  options.conditions = config.conditions;
  report::HtmlReport page(options, data.has_arcs.value_or(false));
  const report::FileData nothing;
  report::analyze_files(
      files, data, config, python_minor(line.text("python")),
      [&](report::Analysis&& analysis) {
        warn_of_stale_conditions(analysis.relative, analysis.conditions);
        auto found = data.files.find(data_names[analysis.path]);
        page.add(analysis, report::read_source(analysis.path), found == data.files.end() ? nothing : found->second, data.contexts);
      },
      warn);

  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw std::runtime_error(fmt::format("Couldn't write to '{}': {}", folder, error.message()));
  std::string path = (std::filesystem::path(folder) / "index.html").string();
  write_output_file(path, page.text());
  if (!line.flag("quiet")) fmt::print("Wrote HTML report to {}\n", path);

  warn_of_conditions(data, page.total_conditions(), config);

  int code = check_condition_gates(data, page.total_conditions(), config, stdout);
  double total = page.total().pc_covered();
  if (!report::should_fail_under(total, config.fail_under, config.precision)) return code;
  fmt::print("Coverage failure: {}\n", report::fail_under_message(total, config.fail_under, config.precision));
  return kFailUnder;
}

}  // namespace qd::cli
