// `qd-cov combine`: many data files into one.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <optional>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/measure/killed_runs.h"
#include "cli/options/input_options.h"
#include "cli/output/debug_messages.h"
#include "cli/output/progress_bar.h"
#include "cli/python/plugins.h"
#include "cli/standard_streams.h"
#include "report/config/path_aliases.h"
#include "report/data/combine.h"
#include "report/inputs/inputs.h"

namespace qd::cli {

namespace {

/// Makes the data files of killed runs in the folders among `paths`, and returns the paths with the data files of runs
/// that are named themselves; `left` are the folders of runs whose data is not in these.
std::vector<std::string> with_recovered_runs(std::vector<std::string> paths, const std::string& data_file,
                                             std::vector<std::string>& left) {
  namespace fs = std::filesystem;
  if (paths.empty()) recover_runs(fs::absolute(data_file).lexically_normal().parent_path().string(), &left);
  std::vector<std::string> result;
  for (std::string& path : paths) {
    const bool is_run = is_run_folder(path);
    std::error_code unknown;
    const std::vector<std::string> files =
        fs::is_directory(path, unknown) ? recover_runs(path, &left) : std::vector<std::string>();
    if (is_run)
      result.insert(result.end(), files.begin(), files.end());
    else
      result.push_back(std::move(path));
  }
  if (!paths.empty() && result.empty()) throw report::NoDataError("No data to combine");
  return result;
}

}  // namespace

int combine(const Arguments& arguments) {
  CommandLine line(
      "combine", "[options] <path1> <path2> ... <pathN>",
      "Combine data from multiple coverage files. The combined results are written to a single file representing the "
      "union of the data. The positional arguments are data files or directories containing data files. If no paths "
      "are "
      "provided, data files in the default data file's directory are combined: '.coverage.*' of coverage.py and "
      "'_qd_kcov.*' of kernels, and the journals that processes with kernels left when they died. Reports of other "
      "tools among the arguments (LCOV, XML of Cobertura, Clover or JaCoCo, JSON of gcov, gcovr or llvm-cov) go into "
      "the data file too, and stay "
      "where they are.");
  line.add("a,append", "Append data to the data file. Otherwise it starts clean each time.");
  line.add("data-file", "Base name of the data files to operate on. Defaults to '.coverage'. [env: COVERAGE_FILE]",
           kText, "DATAFILE");
  line.add("keep", "Keep original coverage files, otherwise they are deleted.");
  line.add("mixed",
           "Combine data with and data without branches. Files of the latter have no branches in reports. "
           "[tool.qd-cov] mixed = true does the same.");
  line.debug_kinds({"combine"});
  line.add("q,quiet", "Don't print messages about what is happening.");
  add_src_roots_option(line);
  if (!line.parse(arguments)) return kOk;

  report::Config config = line.config();
  configure_by_plugins(config, line);  // plugins may change the name of the data file, or paths
  apply_input_options(line, config);
  report::CombineOptions options;
  options.data_file = config.data_file;
  options.paths = with_recovered_runs(line.arguments(), config.data_file, options.left);
  options.append = line.flag("append");
  options.keep = line.flag("keep");
  options.mixed = config.mixed || line.flag("mixed");
  report::PathAliases aliases(config);
  options.map_path = [&](const std::string& path) { return aliases.map(path); };
  // A file that cannot be read at all is left to the reader of data files, which reports it in coverage.py's words.
  options.import = [&config](const std::string& path) {
    std::error_code error;
    bool readable = std::filesystem::is_regular_file(path, error) && access(path.c_str(), R_OK) == 0;
    report::PathAliases its_aliases(config);  // PathAliases is not thread-safe
    auto map_path = [&](const std::string& name) { return its_aliases.map(name); };
    return readable ? report::read_input(path, {config.src_roots, map_path}) : std::nullopt;
  };
  DebugMessages details("combine", config);
  std::optional<report::CombineCounts> counts;
  {
    ProgressBar bar("Combining", !line.flag("quiet"));
    options.warn = [&](const std::string& message) {
      bar.clear();
      warn(message);
    };
    if (details.wanted())
      options.detail = [&](const std::string& message) {
        bar.clear();
        details.write(message);
      };
    options.progress = [&](size_t done, size_t of) { bar.show(done, of); };
    counts = report::combine_data(options);
  }
  if (line.flag("quiet")) return kOk;
  tell(counts->message());
  if (!counts->note.empty()) tell(counts->note);
  return kOk;
}

}  // namespace qd::cli
