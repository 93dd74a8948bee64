// `qd-cov html`: the coverage of all measured files as one page, or as a page and a folder of parts.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/options/condition_options.h"
#include "cli/options/gradient_options.h"
#include "cli/output/html_status.h"
#include "cli/output/output_file.h"
#include "cli/output/project.h"
#include "cli/python/python_version.h"
#include "cli/reported/reported_data.h"
#include "cli/standard_streams.h"
#include "report/data/file_content.h"
#include "report/data/producers.h"
#include "report/engine/chosen_contexts.h"
#include "report/engine/shown_sources.h"
#include "report/formats/html/html_report.h"

namespace qd::cli {

namespace {

namespace fs = std::filesystem;

void add_html_options(CommandLine& line) {
  add_reported_data_options(line);
  add_condition_options(line);
  add_gradient_options(line);
  line.group("Output");
  line.add("d,directory", "Write the page, index.html, to DIR.", kText, "DIR");
  line.add("q,quiet", "Don't print messages about what is happening.");
  line.add("show-contexts", "Show contexts for covered lines.");
  line.add("split", "Write the sources to a folder beside the page, which loads them when they are looked at.");
  line.add("trend", "Show the trend of coverage from commit to commit, in this file of 'qd-cov trend --append'.", kText,
           "FILE");
  line.add("title", "Title of the page. Defaults to [html] title, else to the name of the project.", kText, "TITLE");
  line.usual({"directory", "title", "show-contexts", "split", "trend", "skip-covered", "fail-under", "include", "omit",
              "conditions", "data-file", "quiet"});
}

std::string text_of(const std::string& path) {
  std::optional<std::string> text = report::read_file_or_pipe(path);
  if (!text) throw std::runtime_error(fmt::format("Couldn't read '{}'", path));
  return std::move(*text);
}

/// Reads the user's style sheet, which goes into a page that others read, and is checked like sources.
std::string style_of(const std::string& path) {
  if (const std::string why = report::ShownSources().why_not(path); !why.empty())
    throw report::ConfigError(fmt::format("[html] extra_css = '{}' is not put into the page: {}", path, why));
  return text_of(path);
}

/// Adds the date of the data. The time at which the page is made is left out, so that the same data gives the same
/// page.
void add_date(std::vector<std::string>& about, const std::string& data_file) {
  struct stat facts{};
  if (stat(data_file.c_str(), &facts) == 0)
    about.push_back(fmt::format("data from {:%Y-%m-%d %H:%M %z}", fmt::localtime(facts.st_mtim.tv_sec)));
}

/// Title of the page: that of the user, else the project's name.
std::string title_of(const CommandLine& line, const report::Config& config, const Project& project) {
  if (auto given = line.text("title")) return *given;
  const bool is_set = config.html_title != report::Config().html_title;
  return is_set || project.name.empty() ? config.html_title : project.name + " coverage";
}

/// Facts about the project: its commit and branch, as far as they are known, and its name unless the title has it.
std::vector<std::string> about_project(const Project& project, const std::string& title) {
  std::vector<std::string> facts;
  if (!project.name.empty() && title != project.name + " coverage") facts.push_back(project.name);
  if (!project.commit.empty()) facts.push_back("commit " + project.commit.substr(0, 10));
  if (!project.branch.empty()) facts.push_back("branch " + project.branch);
  return facts;
}

/// Adds the measured commands; of many commands, their number.
void add_commands(std::vector<std::string>& about, const std::set<std::string>& commands) {
  constexpr size_t kMost = 3;
  if (commands.size() > kMost)
    about.push_back(fmt::format("{} commands", commands.size()));
  else
    about.insert(about.end(), commands.begin(), commands.end());
}

/// Makes the folder. As in coverage.py, a new folder tells version control to ignore it.
void prepare_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw std::runtime_error(fmt::format("Couldn't write to '{}': {}", folder, error.message()));
  if (fs::is_empty(folder, error) && !error)
    write_output_file((fs::path(folder) / ".gitignore").string(), "# Created by qd-cov\n*\n");
}

/// Writes a file, unless it holds `text` already.
void write_changed_file(const std::string& path, const std::string& text) {
  std::error_code error;
  if (fs::file_size(path, error) == text.size() && !error && text_of(path) == text) return;
  write_output_file(path, text);
}

/// Fills in the trend, and returns the content of its file. A file that the configuration names need not exist yet.
std::string trend_of(const CommandLine& line, const report::Config& config, report::HtmlReportOptions& options) {
  std::optional<std::string> given = line.text("trend"), path = given ? given : config.trend;
  if (!path || (!given && !fs::exists(*path))) return "";
  std::string text = text_of(*path);
  options.trend = report::parse_trend(text, *path).points;
  return text;
}

}  // namespace

int html(const Arguments& arguments) {
  CommandLine line("html", "[options] [modules]",
                   "Create one self-contained HTML page: an index of all files, functions and classes, and the source "
                   "of each file with its coverage.");
  add_html_options(line);
  if (!line.parse(arguments)) return kOk;

  report::Config config = report_config(line);
  apply_condition_options(line, config);
  apply_gradient_options(line, config);
  std::string folder = line.text("directory").value_or(config.html_dir);
  std::string path = (fs::path(folder) / "index.html").string();
  bool quiet = line.flag("quiet"), split = line.flag("split");

  report::HtmlReportOptions options;
  const Project project = project_here();
  options.title = title_of(line, config, project);
  options.precision = config.precision;
  options.skip_covered = (config.html_skip_covered.value_or(config.skip_covered) || line.flag("skip-covered")) &&
                         !line.flag("no-skip-covered");
  options.skip_empty = config.html_skip_empty.value_or(config.skip_empty) || line.flag("skip-empty");
  options.conditions = config.conditions;
  options.gradients = config.gradients;
  options.show_contexts = config.show_contexts || line.flag("show-contexts");
  std::string trend_text = trend_of(line, config, options);
  if (config.extra_css) options.extra_css = style_of(*config.extra_css);

  const LackingData lacking = combine_parts(config, line.flag("keep-combined"));
  std::vector<std::string> settings = line.arguments();
  auto setting = [&](std::string_view name, const std::string& value) {
    settings.push_back(fmt::format("{}={}", name, value));
  };
  options.about = about_project(project, options.title);
  setting("about", fmt::format("{}", fmt::join(options.about, "\n")));
  setting("title", options.title);
  setting("css", options.extra_css);
  setting("trend", trend_text);
  setting("python", fmt::to_string(python_minor(line.text("python"))));
  setting("flags", fmt::format("{} {} {} {}", options.skip_covered, options.skip_empty, options.show_contexts, split));
  setting("archs", fmt::format("{}", fmt::join(config.archs, ",")));
  setting("imports", fmt::format("{} {}", config.exclusions.throw_branches, fmt::join(config.src_roots, "\n")));
  const auto kernels = report::producers();
  setting("producers",
          fmt::format("{} {} {}", fmt::join(kernels->contexts, ","), fmt::join(kernels->kernel_decorators, ","),
                      fmt::join(kernels->func_decorators, ",")));
  setting("hashes", fmt::format("{}", config.gates.require_hashes));
  HtmlStatus status(folder, config, settings);
  if (auto total = status.unchanged()) {
    for (const std::string& note : status.notes()) warn(note);
    if (!quiet) tell("Wrote HTML report to " + path);
    ReportInput unchanged;
    unchanged.config = std::move(config);
    unchanged.lacking = lacking;
    return check_gates(unchanged, total->pc_total(), {}, {}, stdout);
  }

  ReportInput input =
      read_report_input(std::move(config), line.arguments(), line.text("python"), options.show_contexts);
  input.quiet = quiet;
  input.lacking = lacking;
  options.has_arcs = input.data.has_branches();
  options.contexts = &input.data.contexts;
  if (options.show_contexts) options.tests = report::context_tests(input.data.contexts);
  options.archs = report::reported_archs(input.data, input.config.report_contexts);
  add_date(options.about, input.config.data_file);
  add_commands(options.about, input.data.commands);
  if (!options.archs.empty()) options.about.push_back(fmt::format("measured on {}", fmt::join(options.archs, ", ")));
  bool warned = false;
  auto warn_here = [&](const std::string& message) {
    warned = true;
    warn(message);
  };
  options.footer = "Made by qd-cov " QD_VERSION ".";
  if (options.show_contexts && input.data.contexts.size() == 1) warn_here("No contexts were measured");

  // No file is written before all files were analysed, except parts in the folder, which the old page does not use.
  std::unique_ptr<report::HtmlFolder> parts;
  if (split) {
    prepare_folder(folder);
    options.folder = (parts = std::make_unique<report::HtmlFolder>(folder)).get();
  }
  status.begin(input.files);
  report::HtmlReport page(options);
  std::atomic<bool> hides = false;  // git's status of these files may change
  render_files(
      input,
      [&](report::AnalyzedFile&& file) {
        if (!file.why_hidden.empty()) hides = true;
        return report::html_file(std::move(file), options);
      },
      [&](report::HtmlFile&& file) {
        warn_of_stale_conditions(file.relative, file.conditions);
        warn_of_stale_gradients(file.relative, file.gradients, input.config);
        page.add(std::move(file));
      },
      warn_here, {.regions = true, .descriptions = true, .text = true});
  if (page.total().n_files == 0) throw report::NoDataError("No data to report.");
  if (!split) prepare_folder(folder);
  write_changed_file(path, page.text());
  if (parts) parts->remove_others();
  const bool met = input.versions->trusted() && lacking_data(input.data, lacking).empty() &&
                   (!input.config.gates.require_hashes || input.versions->without_hashes().empty());
  if (!warned && met && !hides && input.unknown->n == 0) status.save(page.total(), input.versions->notes());
  if (!quiet) tell("Wrote HTML report to " + path);
  return check_gates(input, page.total().pc_total(), page.total_conditions(), page.total_gradients(), stdout);
}

}  // namespace qd::cli
