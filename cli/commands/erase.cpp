// `qd-cov erase`: removes the data file, the parts of kernels and, in parallel mode, its own parts.
#include <filesystem>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/measure/killed_runs.h"
#include "report/data/combine.h"

namespace qd::cli {

int erase(const Arguments& arguments) {
  CommandLine line("erase", "[options]", "Erase previously collected coverage data.");
  line.add("data-file", "Base name of the data files to operate on. Defaults to '.coverage'. [env: COVERAGE_FILE]",
           kText, "DATAFILE");
  if (!line.parse(arguments)) return kOk;
  report::Config config = line.config();
  report::erase_data(config.data_file, config.parallel);
  if (config.parallel) erase_runs(std::filesystem::absolute(config.data_file).lexically_normal().parent_path());
  return kOk;
}

}  // namespace qd::cli
