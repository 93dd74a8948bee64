// `qd-cov erase`: removes the data file and, in parallel mode, its parts.
#include "cli/command_line.h"
#include "cli/commands.h"
#include "report/data/combine.h"

namespace qd::cli {

int erase(const Arguments& arguments) {
  CommandLine line("erase", "[options]", "Erase previously collected coverage data.");
  line.add("data-file", "Base name of the data files to operate on. Defaults to '.coverage'. [env: COVERAGE_FILE]",
           kText, "DATAFILE");
  if (!line.parse(arguments)) return kOk;
  report::Config config = line.config();
  report::erase_data(config.data_file, config.parallel);
  return kOk;
}

}  // namespace qd::cli
