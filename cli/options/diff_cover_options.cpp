// diff-cover options: those with a meaning here, and those that are accepted without effect.
#include "cli/options/change_options.h"

#include "cli/options/input_options.h"
#include "report/config/own_section.h"

namespace qd::cli {

namespace {

// Report options of diff-cover before it had --format.
struct ReportOption {
  const char* name;
  const char* format;
};
constexpr ReportOption kReports[] = {{"html-report", "html"}, {"json-report", "json"}, {"markdown-report", "markdown"}};

}  // namespace

void add_file_options(CommandLine& line) {
  line.add("include", "Include only files whose paths match one of these patterns.", kMany, "PATTERN...");
  line.add("omit", "Omit files whose paths match one of these patterns.", kText, "PAT1,PAT2,...");
  line.add("exclude", "More files to omit, with any number of patterns after it.", kMany, "PATTERN...");
}

void add_diff_cover_options(CommandLine& line) {
  line.group("diff-cover");
  line.add("c,config-file", "A TOML file with diff-cover's settings, in [tool.diff_cover].", kText, "CONFIG_FILE");
  for (const ReportOption& report : kReports)
    line.add(report.name, std::string("The same as '--format ") + report.format + ":FILE'.", kText, "FILE");
  line.add("total-percent-float",
           "In JSON the percentage of the whole change is rounded to two decimals, not cut off to an integer.");
  line.add("expand-coverage-report",
           "In reports of other tools, lines that are not reported are as the line before them, and count.");
  line.add("show-covered", "Taken for diff-cover's sake: pages always mark covered lines.");
  line.add("external-css-file", "Taken for diff-cover's sake: pages hold their style.", kText, "FILENAME");
}

void read_diff_cover_settings(const CommandLine& line, report::Config& config) {
  if (auto file = line.text("config-file")) report::read_diff_cover_section(config, *file, warn);
}

void apply_diff_cover_options(const CommandLine& line, report::Config& config) {
  report::DiffConfig& diff = config.diff;
  if (line.flag("format")) diff.format = line.values("format");
  for (const ReportOption& report : kReports)
    if (auto file = line.text(report.name)) diff.format.push_back(std::string(report.format) + ":" + *file);
  diff.show_uncovered = diff.show_uncovered || line.flag("show-uncovered");
  diff.quiet = diff.quiet || line.flag("quiet");
  diff.expand_coverage_report = diff.expand_coverage_report || line.flag("expand-coverage-report");
  diff.total_percent_float = diff.total_percent_float || line.flag("total-percent-float");
  apply_input_options(line, config);
  if (line.flag("include")) diff.include = line.values("include");
  if (line.flag("exclude")) diff.exclude = line.values("exclude");
  if (diff.include) config.report_include = diff.include;
  if (auto omit = line.list("omit")) config.report_omit = omit;
  if (diff.exclude.empty()) return;
  if (!config.report_omit) config.report_omit.emplace();
  config.report_omit->insert(config.report_omit->end(), diff.exclude.begin(), diff.exclude.end());
}

}  // namespace qd::cli
