// `qd-cov html`: the coverage of all measured files as one page.
#include <fmt/core.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/output_file.h"
#include "cli/report.h"
#include "report/analysis/numbers.h"
#include "report/formats/html_report.h"
#include "report/formats/reported_files.h"

namespace qd::cli {

namespace {

void add_options(CommandLine& line) {
  auto text = [] { return cxxopts::value<std::string>(); };
  line.add()("contexts", "Only display data from lines covered in the given contexts. Accepts Python regexes, which must be quoted.", text(),
             "REGEX1,REGEX2,...");
  line.add()("d,directory", "Write the page, index.html, to DIR.", text(), "DIR");
  line.add()("data-file", "Read coverage data for report generation from this file. Defaults to '.coverage'. [env: COVERAGE_FILE]", text(),
             "INFILE");
  line.add()("fail-under", "Exit with a status of 2 if the total coverage is less than MIN.", text(), "MIN");
  line.add()("i,ignore-errors", "Ignore errors while reading source files.");
  line.add()("include", "Include only files whose paths match one of these patterns. Accepts shell-style wildcards, which must be quoted.",
             text(), "PAT1,PAT2,...");
  line.add()("keep-combined", "Keep original coverage files, otherwise they are deleted after combining.");
  line.add()("omit", "Omit files whose paths match one of these patterns. Accepts shell-style wildcards, which must be quoted.", text(),
             "PAT1,PAT2,...");
  line.add()("precision", "Number of digits after the decimal point to display for reported coverage percentages.", text(), "N");
  line.add()("python", "Version of the Python that ran the code, like 3.12. Defaults to that of the active virtual environment.", text(),
             "VERSION");
  line.add()("q,quiet", "Don't print messages about what is happening.");
  line.add()("skip-covered", "Skip files with 100% coverage.");
  line.add()("no-skip-covered", "Disable --skip-covered.");
  line.add()("skip-empty", "Skip files with no code.");
  line.add()("title", "A text string to use as the title on the HTML.", text(), "TITLE");
}

}  // namespace

int html(const Arguments& arguments) {
  CommandLine line("html", "[options] [modules]", "Create one self-contained HTML page: a table of all files, and the source of each with what ran.");
  add_options(line);
  if (!line.parse(arguments)) return kOk;

  report::Config config = line.config();
  if (auto list = line.list("contexts")) config.report_contexts = list;
  if (auto list = line.list("include")) config.report_include = list;
  if (auto list = line.list("omit")) config.report_omit = list;
  config.fail_under = line.number("fail-under").value_or(config.fail_under);
  config.precision = line.integer("precision").value_or(config.precision);
  config.ignore_errors = config.ignore_errors || line.flag("ignore-errors");
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
  report::HtmlReport page(options, data.has_arcs.value_or(false));
  const report::FileData nothing;
  report::analyze_files(
      files, data, config, python_minor(line.text("python")),
      [&](report::Analysis&& analysis) {
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

  double total = page.total().pc_covered();
  if (!report::should_fail_under(total, config.fail_under, config.precision)) return kOk;
  fmt::print("Coverage failure: {}\n", report::fail_under_message(total, config.fail_under, config.precision));
  return kFailUnder;
}

}  // namespace qd::cli
