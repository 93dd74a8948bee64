// `qd-cov annotate`: copies of the sources with their coverage in a margin.
#include <fmt/core.h>

#include <filesystem>

#include "cli/commands.h"
#include "cli/output/output_file.h"
#include "cli/reported/reported_data.h"
#include "report/formats/tables/annotate.h"

namespace qd::cli {

int annotate(const Arguments& arguments) {
  CommandLine line("annotate", "[options] [modules]",
                   "Make annotated copies of the given files, marking statements that are executed with > and "
                   "statements that are missed with !.");
  add_data_options(line);
  line.group("Output");
  line.add("d,directory", "Write the output files to DIR.", kText, "DIR");
  line.usual({"directory", "include", "omit", "ignore-errors", "data-file"});
  if (!line.parse(arguments)) return kOk;

  report::Config config = report_config(line);
  // coverage.py's command has neither contexts nor a threshold.
  config.report_contexts.reset();
  const bool require_hashes = config.gates.require_hashes;
  config.gates = {};
  config.gates.require_hashes = require_hashes;
  LackingData lacking = combine_parts(config, line.flag("keep-combined"));
  ReportInput input = read_report_input(config, line.arguments(), line.text("python"));
  input.lacking = std::move(lacking);

  struct Copy {
    const report::ReportedFile* file;
    std::string text, why_hidden;
  };
  std::string directory = line.text("directory").value_or("");
  render_files(
      input,
      [](report::AnalyzedFile&& analyzed) {
        return Copy{analyzed.file, report::annotated(analyzed), std::move(analyzed.why_hidden)};
      },
      [&](Copy&& copy) {
        if (copy.why_hidden.empty())
          write_output_file(report::annotated_path(*copy.file, directory), copy.text);
        else
          warn(fmt::format("There is no annotated copy of '{}': {}", copy.file->relative, copy.why_hidden));
      },
      warn, {.text = true});
  return check_versions(input, stdout);
}

}  // namespace qd::cli
