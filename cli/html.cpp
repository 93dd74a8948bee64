// `qd-cov html`: the coverage of all measured files as one page.
#include <fmt/core.h>

#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/condition_options.h"
#include "cli/output_file.h"
#include "cli/reported_data.h"
#include "report/formats/html_report.h"

namespace qd::cli {

namespace {

void add_options(CommandLine& line) {
  auto text = [] { return cxxopts::value<std::string>(); };
  add_reported_data_options(line);
  add_condition_options(line);
  line.add()("d,directory", "Write the page, index.html, to DIR.", text(), "DIR");
  line.add()("q,quiet", "Don't print messages about what is happening.");
  line.add()("show-contexts", "Show contexts for covered lines.");
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
  ReportInput input = read_report_input(config, line.arguments(), line.text("python"));

  report::HtmlReportOptions options;
  options.title = line.text("title").value_or(config.html_title);
  options.precision = config.precision;
  options.skip_covered = (config.html_skip_covered.value_or(config.skip_covered) || line.flag("skip-covered")) && !line.flag("no-skip-covered");
  options.skip_empty = config.html_skip_empty.value_or(config.skip_empty) || line.flag("skip-empty");
  options.conditions = config.conditions;
  options.show_contexts = config.show_contexts || line.flag("show-contexts");
  options.has_arcs = input.data.has_arcs.value_or(false);
  options.contexts = &input.data.contexts;
  report::HtmlReport page(options);
  report::render_files(
      input.files, input.data, input.config, input.python_minor, [&](report::AnalyzedFile&& file) { return report::html_file(std::move(file), options); },
      [&](report::HtmlFile&& file) {
        warn_of_stale_conditions(file.relative, file.conditions);
        page.add(std::move(file));
      },
      warn);

  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw std::runtime_error(fmt::format("Couldn't write to '{}': {}", folder, error.message()));
  std::string path = (std::filesystem::path(folder) / "index.html").string();
  write_output_file(path, page.text());
  if (!line.flag("quiet")) fmt::print("Wrote HTML report to {}\n", path);
  return check_gates(input, page.total().pc_covered(), page.total_conditions(), stdout);
}

}  // namespace qd::cli
