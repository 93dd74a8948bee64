// `qd-cov report`: table of all measured files.
#include "cli/commands/report.h"

#include <fmt/core.h>

#include <cstdio>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/options/arch_option.h"
#include "cli/options/condition_options.h"
#include "cli/options/gradient_options.h"
#include "cli/output/terminal.h"
#include "cli/reported/reported_data.h"
#include "report/formats/tables/kernel_states.h"
#include "report/formats/tables/summary_table.h"

namespace qd::cli {

namespace {

void add_report_options(CommandLine& line) {
  add_reported_data_options(line);
  add_condition_options(line);
  add_gradient_options(line);
  line.group("Output");
  line.add("format", "Output format, either text (default), markdown, total, total-conditions, or total-mcdc.", kText,
           "FORMAT");
  line.add("sort",
           "Sort the report by the named column: name, stmts, miss, branch, brpart, cond, condmiss, mcdc, mcdcmiss, "
           "grad, gradmiss, cover, or with --by-arch an architecture. Default is name.",
           kText, "COLUMN");
  line.choices("format", {"text", "markdown", "total", "total-conditions", "total-mcdc"});
  line.choices("sort", {"name", "stmts", "miss", "branch", "brpart", "cond", "condmiss", "mcdc", "mcdcmiss", "grad",
                        "gradmiss", "cover"});
  add_by_arch_option(line);
  line.add("kernel-states",
           "List the missing lines of kernels: not hit, not measured (with the reason), or not compiled.");
  line.add("m,show-missing", "Show line numbers of statements in each module that weren't executed.");
  line.usual({"show-missing", "skip-covered", "sort", "format", "precision", "fail-under", "include", "omit",
              "conditions", "by-arch", "kernel-states", "data-file"});
}

}  // namespace

int print_report(const report::Config& config, const Arguments& files, const std::optional<std::string>& python_version,
                 bool kernel_states, std::FILE* out, LackingData lacking) {
  ReportInput input = read_report_input(config, files, python_version);
  input.lacking = std::move(lacking);
  const report::CoverageData& data = input.data;
  const std::vector<std::string> archs = columns_by_arch(input.config, data);
  const report::TerminalStyle terminal{person_reads(out), color_wanted(out), unicode_wanted(), terminal_width(out)};
  report::SummaryTable table(input.config, data.has_branches(), archs, terminal);
  report::KernelStatesTable kernels;
  render_files(
      input, [](report::AnalyzedFile&& analyzed) { return std::move(analyzed); },
      [&](report::AnalyzedFile&& analyzed) {
        warn_of_stale_conditions(analyzed.analysis.relative, analyzed.analysis.conditions);
        warn_of_stale_gradients(analyzed.analysis.relative, analyzed.analysis.gradients, input.config);
        table.add(analyzed.analysis, report::arch_coverage(analyzed.analysis, *analyzed.data, data.contexts, archs));
        if (kernel_states) kernels.add(analyzed.analysis);
      },
      warn, {.regions = !archs.empty()});
  fmt::print(out, "{}{}", table.text(), kernels.text(report::table_format(config.format)));
  if (kernel_states && !report::has_kernel_tables(data)) warn(report::why_no_kernel_tables(data));
  return check_gates(input, table.total().pc_covered(), table.total_conditions(), table.total_gradients(), out);
}

int report(const Arguments& arguments) {
  CommandLine line("report", "[options] [modules]", "Report coverage statistics on modules.");
  add_report_options(line);
  if (!line.parse(arguments)) return kOk;

  report::Config config = report_config(line);
  apply_condition_options(line, config);
  apply_gradient_options(line, config);
  if (auto format = line.text("format")) config.format = *format;
  config.conditions = config.conditions || config.format == "total-conditions" || config.format == "total-mcdc";
  config.by_arch = config.by_arch || line.flag("by-arch");
  if (auto column = line.text("sort")) config.sort = *column;
  config.show_missing = config.show_missing || line.flag("show-missing");
  config.skip_covered = (config.skip_covered || line.flag("skip-covered")) && !line.flag("no-skip-covered");
  config.skip_empty = config.skip_empty || line.flag("skip-empty");
  LackingData lacking = combine_parts(config, line.flag("keep-combined"));
  return print_report(config, line.arguments(), line.text("python"), line.flag("kernel-states"), stdout,
                      std::move(lacking));
}

}  // namespace qd::cli
