// `qd-cov debug probes`: shows every kernel of some files, with the probes that fired and those that did not.
#include "cli/commands/debug_topics.h"

#include <fmt/core.h>

#include <vector>

#include "cli/command_line.h"
#include "cli/options/arch_option.h"
#include "cli/output/terminal.h"
#include "cli/python/plugins.h"
#include "cli/python/python_version.h"
#include "cli/reported/reported_data.h"
#include "report/engine/render_files.h"
#include "report/formats/tables/probe_report.h"

namespace qd::cli {

int debug_probes(const Arguments& arguments) {
  CommandLine line(
      "debug probes", "[options] [FILE ...]",
      "Show the kernels and funcs of files, by default of all measured ones: the devices that they were compiled for, "
      "and their lines and branches that were reached, not reached, or not measured, with the reason.");
  add_arch_option(line);
  line.add("contexts", "Show in which contexts probes fired.");
  line.add("data-file", "Read coverage data from this file. Defaults to '.coverage'. [env: COVERAGE_FILE]", kText,
           "INFILE");
  line.add("json", "Write JSON: each probe with its state, architectures and contexts.");
  line.allow_options_after_arguments();
  if (!line.parse(arguments)) return kOk;

  report::Config config = line.config();
  configure_by_plugins(config, line);
  apply_arch_option(line, config);
  report::CoverageData data = read_mapped_data(config);
  std::vector<report::ReportedFile> files = report::reported_files(data, config, line.arguments());
  for (const report::ReportedFile& file : files)
    if (!data.files.contains(file.data_name))
      throw report::NoDataError(fmt::format("No data for '{}'.", file.relative));
  if (!report::has_kernel_tables(data)) throw report::NoDataError(report::why_no_kernel_tables(data));
  const bool asked = !line.arguments().empty();
  if (!asked) {
    // Files without kernels, whose errors do not matter here.
    config.ignore_errors = true;
    std::erase_if(files,
                  [&](const report::ReportedFile& file) { return !data.files.at(file.data_name).tracer.empty(); });
  }

  std::vector<report::ProbedFile> probed;
  report::VersionNotes versions;
  report::render_files(
      files, data, config, python_minor({}), [](report::AnalyzedFile&& analyzed) { return std::move(analyzed); },
      [&](report::AnalyzedFile&& analyzed) {
        report::Analysis& analysis = analyzed.analysis;
        const report::FileKernels& kernels = analysis.kernels;
        if (kernels.functions.empty() && kernels.stale.empty()) {
          if (asked) throw report::NoDataError(fmt::format("No kernels in '{}'.", analysis.relative));
          return;
        }
        const report::FileData& measured = data.files.at(analyzed.file->data_name);
        probed.emplace_back(std::move(analysis), measured, data.contexts);
      },
      warn, {}, &versions);
  for (const std::string& note : versions.notes()) warn(note);
  if (probed.empty()) throw report::NoDataError("No kernels in the files that were measured.");
  if (line.flag("json")) {
    fmt::print("{}", report::probe_json(probed, data.contexts, data.has_arcs.value_or(false)));
  } else {
    fmt::print("{}",
               report::probe_table(probed, data.contexts, {color_wanted(), terminal_width(), line.flag("contexts")}));
  }
  return kOk;
}

}  // namespace qd::cli
