// `qd-cov run`: runs a command with its host code and its kernels measured, and combines the data into one file.
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/commands/report.h"
#include "cli/measure/host_coverage.h"
#include "cli/measure/killed_runs.h"
#include "cli/measure/measured_command.h"
#include "cli/measure/measured_data.h"
#include "cli/measure/peer_packages.h"
#include "cli/measure/private_folder.h"
#include "cli/output/terminal.h"
#include "cli/python/plugins.h"
#include "cli/standard_streams.h"
#include "report/config/glob_matcher.h"
#include "report/config/source_filter.h"
#include "report/data/combine_inputs.h"
#include "report/data/data_file_check.h"
#include "report/data/data_update.h"
#include "report/data/measured_commands.h"
#include "report/data/process_mark.h"
#include "report/data/signals_wait.h"
#include "report/data/version_notes.h"
#include "report/formats/html/context_tests.h"

namespace qd::cli {

namespace {

namespace fs = std::filesystem;

void add_run_options(CommandLine& line) {
  line.add("a,append", "Append data to the data file. Otherwise it starts clean each time.");
  line.add("as",
           "Let programs that import these packages, quadrants or taichi, run on the kernel runtime of qd-cov, "
           "unchanged.",
           kText, "PACKAGES");
  line.add("branch", "Measure branch coverage in addition to statement coverage.");
  line.add("concurrency",
           "Properly measure code using a concurrency library: eventlet, gevent, greenlet, multiprocessing, thread.",
           kText, "LIBS");
  line.add("conditions",
           "Record the values of the conditions of each decision in kernels: and, or, chained comparisons, conditional "
           "expressions, asserts.");
  line.add("context",
           "The context label to record for this coverage run; with 'test' each test of pytest is a context.", kText,
           "LABEL");
  line.add("data-file", "Write the recorded coverage data to this file. Defaults to '.coverage'. [env: COVERAGE_FILE]",
           kText, "OUTFILE");
  line.add("include",
           "Include only files whose paths match one of these patterns. Accepts shell-style wildcards, which must be "
           "quoted.",
           kText, "PAT1,PAT2,...");
  line.add("m,module",
           "The first word of the command is an importable Python module, to be run as 'python -m' would run it.");
  line.add("no-host", "Measure kernels alone, no Python code.");
  line.add("omit",
           "Omit files whose paths match one of these patterns. Accepts shell-style wildcards, which must be quoted.",
           kText, "PAT1,PAT2,...");
  line.add("L,pylib", "Measure coverage even inside the Python installed library, which isn't done by default.");
  line.add("p,parallel-mode",
           "Append the machine name, process id and random number to the data file name, to simplify collecting data "
           "from many processes.");
  line.add("q,quiet", "Don't print the table.");
  line.add("save-signal",
           "Save the data so far, of the program and of kernels, when this process receives the signal: USR1 or USR2.",
           kText, "SIGNAL");
  line.add("source", "A list of directories or importable names of code to measure.", kText, "SRC1,SRC2,...");
  line.choices("as", peer_packages());
  line.choices("concurrency", {"eventlet", "gevent", "greenlet", "multiprocessing", "thread"});
  line.choices("save-signal", {"USR1", "USR2"});
  // Kinds of messages of each measured process, as far as its coverage.py knows them.
  line.debug_kinds({"callers", "combine", "core", "dataio", "dataop", "dataop2", "lock", "multiproc", "patch",
                    "pathmap", "pid", "plugin", "process", "pytest", "self", "sql", "sqldata", "trace"});
  line.add("timid", "Use the slower Python trace function core.");
  line.usual({"branch", "source", "include", "omit", "context", "module", "append", "parallel-mode", "as", "conditions",
              "data-file", "quiet"});
}

report::Config config_of(const CommandLine& line) {
  report::Config config = line.config();
  config.branch |= line.flag("branch");
  config.conditions |= line.flag("conditions");
  config.cover_pylib |= line.flag("pylib");
  config.parallel |= line.flag("parallel-mode");
  config.timid |= line.flag("timid");
  if (auto label = line.text("context")) config.context = *label;
  if (auto sources = line.list("source")) config.source = *sources;
  if (auto patterns = line.list("include")) config.run_include = *patterns;
  if (auto patterns = line.list("omit")) config.run_omit = *patterns;
  if (auto libraries = line.list("concurrency")) {
    config.concurrency = *libraries;
    report::check_concurrency(config.concurrency);
  }
  return config;
}

/// Configuration of a command that measures itself, as far as it is known.
report::Config own_config_of(const CommandLine& line, const MeasuredCommand& command) {
  auto option = [&](const char* name) -> std::optional<std::string> {
    auto found = command.own_options.find(name);
    return found == command.own_options.end() ? std::nullopt : std::optional(found->second);
  };
  report::Config config = line.config(option("rcfile"));
  config.conditions |= line.flag("conditions");
  if (auto file = option("data-file"); file && !line.text("data-file")) config.data_file = *file;
  if (auto sources = option("source")) config.source = split_list(*sources);
  if (auto patterns = option("include")) config.run_include = split_list(*patterns);
  if (auto patterns = option("omit")) config.run_omit = split_list(*patterns);
  return config;
}

/// Start of plugins: the arguments that coverage.py would have when it loads them.
PluginStart plugin_start(const CommandLine& line, const MeasuredCommand& command) {
  PluginStart start;
  auto own = command.own_options.find("rcfile");
  start.rcfile = line.text("rcfile");
  if (!start.rcfile && own != command.own_options.end()) start.rcfile = own->second;
  start.python = command.python;
  start.import_folders = command.import_folders;
  if (command.measures_itself) return start;
  if (auto label = line.text("context")) start.texts["context"] = *label;
  for (const char* name : {"source", "include", "omit", "concurrency"})
    if (auto list = line.list(name)) start.lists[name] = *list;
  if (line.flag("branch")) start.flags["branch"] = true;
  if (line.flag("pylib")) start.flags["cover_pylib"] = true;
  if (line.flag("timid")) start.flags["timid"] = true;
  return start;
}

/// State of a file, for finding out whether another program wrote it in the meantime.
struct FileState {
  std::optional<fs::file_time_type> time;
  uintmax_t size = 0;

  explicit FileState(const std::string& path) {
    std::error_code error;
    fs::file_time_type written = fs::last_write_time(path, error);
    if (error) return;
    time = written;
    size = fs::file_size(path, error);
  }
  bool operator==(const FileState&) const = default;
};

/// The packages of --as. Throws UsageError for others.
report::StringList as_packages(const CommandLine& line) {
  const report::StringList packages = line.list("as").value_or(report::StringList{});
  for (const std::string& package : packages) {
    const std::vector<std::string> known = peer_packages();
    if (std::find(known.begin(), known.end(), package) == known.end())
      throw UsageError(
          fmt::format("option --as: invalid choice: '{}' (choose from '{}')", package, fmt::join(known, "', '")));
  }
  return packages;
}

/// Files of kernel data beside the data file.
std::vector<std::string> kernel_files(const report::Config& config) {
  const std::string data_file = fs::absolute(config.data_file).lexically_normal().string();
  std::vector<std::string> files = report::combinable_files(data_file, {});
  std::erase_if(files, [&](const std::string& file) { return report::is_part(file, data_file); });
  return files;
}

/// Points out kernel data that the command left beside the data file: Quadrants writes it there, where it cannot be
/// told to use our folder.
void note_left_files(const report::Config& config, const std::vector<std::string>& before) {
  std::vector<std::string> left;
  for (const std::string& file : kernel_files(config))
    if (!std::ranges::binary_search(before, file)) left.push_back(fs::path(file).filename().string());
  if (!left.empty())
    warn(fmt::format("The kernel data in {} is not combined yet: use 'qd-cov combine --append'.",
                     report::first_of(left)));
}

int save_signal_of(const CommandLine& line) {
  std::optional<std::string> name = line.text("save-signal");
  if (!name) return 0;
  if (name == "USR1") return SIGUSR1;
  if (name == "USR2") return SIGUSR2;
  throw UsageError(fmt::format("option --save-signal: invalid choice: '{}' (choose from 'USR1', 'USR2')", *name));
}

/// Number of processes in the job that mpirun, srun or torchrun has started, and of which this is one; 1 if there is no
/// such job.
int job_size() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", "WORLD_SIZE"})
    if (const char* size = std::getenv(name); size && std::atoi(size) > 1) return std::atoi(size);
  return 1;
}

/// Checks, before a long run, that its data can be written and combined in the end.
void check_output(const report::Config& config, bool append, bool parallel) {
  if (append) report::check_replaceable(config.data_file);  // the name as given, as in coverage.py
  report::check_writable(fs::absolute(config.data_file).string() + (parallel ? report::process_suffix() : ""));
  if (!append || !fs::exists(config.data_file)) return;
  report::CoverageData present = report::read_data(config.data_file);
  if (present.has_arcs.value_or(config.branch) != config.branch)
    throw report::DataError(config.branch ? "Can't append branch coverage data to existing statement data"
                                          : "Can't append statement coverage data to existing branch data");
}

EnvironmentChanges kernel_environment(const PrivateFolder& folder, const report::Config& config, bool measures_itself,
                                      bool test_contexts) {
  EnvironmentChanges changes;
  const char* wish = std::getenv("QD_KERNEL_COVERAGE");
  changes["QD_KERNEL_COVERAGE"] = wish && *wish ? wish : "1";
  changes["QD_KERNEL_COVERAGE_DIR"] = folder / "kernels";
  if (config.conditions) changes["QD_KERNEL_COVERAGE_CONDITIONS"] = "1";
  if (test_contexts)
    changes["QD_KERNEL_COVERAGE_CONTEXT"] = "test";  // our pytest plugin switches the contexts, those of the host too
  // So that the pytest plugin does not note the command, too, and processes on other hosts know whose folder it is.
  changes["QD_COVERAGE_COMMAND_KNOWN"] = folder / "kernels";
  // A command that measures itself decides on its own; arcs are turned into lines afterwards if it chose lines.
  if (!measures_itself)
    for (const char* name : {"QD_KERNEL_COVERAGE_BRANCH", "_QD_KCOV_ARC"})  // the latter is Quadrants' own
      changes[name] = config.branch ? "1" : "0";
  return changes;
}

/// Prints the table to standard error: standard output belongs to the command, so that it can be piped.
void print_table(report::Config config) {
  config.gates = {};  // the exit code is that of the command
  try {
    print_report(config, {}, {}, false, stderr);
  } catch (const std::runtime_error& error) {
    tell(message_label(stderr, "error", "1;31") + error.what());
  }
}

/// Handles a Python that ignores PYTHONPATH, which can only be measured through coverage.py's own .pth file, if at all.
void reach_deaf_python(const HostCoverage& host, const MeasuredCommand& command, EnvironmentChanges& environment) {
  if (command.python_flags.find_first_of("IES") == std::string::npos) return;
  std::optional<EnvironmentChanges> more;
  if (command.python_flags.find('S') == std::string::npos) more = host.environment_without_path(*command.python);
  if (more)
    for (auto& [name, value] : *more) environment[name] = value;
  else
    warn(fmt::format("{} -{} does not let coverage.py start: its Python code is not measured", *command.python,
                     command.python_flags));
}

void warn_of_unmeasured(const HostCoverage& host, const report::Config& config) {
  for (const std::string& python : host.pythons_without_coverage())
    warn(fmt::format("{} ran without coverage.py: not measured", python));
  for (const std::string& place : host.foreign_runtimes())
    warn(fmt::format("'import qd' gave {}, {}: 'import qdcov as qd' gives the kernel runtime",
                     fs::is_directory(place) ? "a folder without __init__.py" : "another project's package", place));
  const report::StringList& silent = config.disable_warnings;
  if (std::find(silent.begin(), silent.end(), "module-not-imported") != silent.end()) return;
  for (const std::string& package : host.packages_not_imported())
    warn(fmt::format("Module {} was never imported. (module-not-imported)", package));
}

}  // namespace

int run(const Arguments& arguments) {
  CommandLine line("run", "[options] [--] <command> [arguments]",
                   "Run a command, measuring its Python code with coverage.py and the kernels it launches. The command "
                   "is a program, such as "
                   "pytest or python or one without any Python, or a Python file. Its exit code is passed on; the "
                   "table goes to standard error.");
  add_run_options(line);
  if (!line.parse(arguments)) return kOk;
  report::Config config = config_of(line);

  std::vector<std::string> words = line.arguments();
  bool as_module = line.flag("module");
  if (words.empty() && as_module) throw UsageError("No module specified for -m");
  if (words.empty() && config.command_line) {
    words = split_words(*config.command_line);
    if (!words.empty() && (words[0] == "-m" || words[0] == "--module")) {
      as_module = true;
      words.erase(words.begin());
    }
  }
  if (words.empty()) throw UsageError("Nothing to do.");

  const std::string shown = report::shown_command(words, as_module);
  MeasuredCommand command = understand_command(words, as_module);
  if (command.measures_itself) config = own_config_of(line, command);
  configure_by_plugins(config, plugin_start(line, command));
  stop_plugins();  // they are needed again when there is a table to print
  // Otherwise the last process of a job would replace the data of all others.
  const int processes = command.measures_itself || config.parallel || line.flag("append") ? 1 : job_size();
  const bool parallel = (config.parallel || processes > 1) && !command.measures_itself;
  if (line.flag("append") && parallel) throw UsageError("Can't append to data files in parallel mode.");
  const bool test_contexts = line.text("context") == "test" && !command.measures_itself;
  if (test_contexts) config.context.reset();
  report::SourceFilter filter(config);  // before the run, because it reports errors in source, include and omit
  bool with_host = !line.flag("no-host") && !command.measures_itself;
  bool append = line.flag("append") || command.measures_itself;
  check_output(config, line.flag("append"), parallel);
  const report::StringList packages = as_packages(line);
  if (!packages.empty() && command.python_flags.find_first_of("IES") != std::string::npos)
    throw UsageError(fmt::format("--as works by PYTHONPATH and sitecustomize, which {} -{} ignores", *command.python,
                                 command.python_flags));
  if (with_host && command.python) require_coverage_in(*command.python, command.module);

  FileState before(config.data_file);
  const std::vector<std::string> files_before = kernel_files(config);
  const std::string suffix = parallel ? report::process_suffix() : "";
  config.data_file += suffix;
  std::optional<ParallelRun> outlasting;
  std::optional<PrivateFolder> temporary;
  // PYTHONPATH cannot have a folder with a colon.
  if (parallel && fs::absolute(config.data_file).string().find(':') == std::string::npos)
    outlasting.emplace(config, suffix, shown);
  else
    temporary.emplace();
  PrivateFolder& folder = outlasting ? outlasting->folder() : *temporary;
  EnvironmentChanges environment = kernel_environment(folder, config, command.measures_itself, test_contexts);
  std::optional<HostCoverage> host;
  HostRun host_run{command.import_folders, save_signal_of(line), with_host};
  if (!command.measures_itself) {
    HostCoverage start(folder / "start", folder / "host" + "/.coverage", config, host_run);
    environment.merge(start.environment());
    if (with_host) host.emplace(std::move(start));
  }
  if (host) {
    if (auto kinds = line.text("debug")) environment["COVERAGE_DEBUG"] = *kinds;
    reach_deaf_python(*host, command, environment);
  }
  if (!packages.empty()) stand_for(packages, folder / "peers", environment);
  bool whole = true;      // false when some data of the processes could not be read
  bool has_tests = true;  // false when no context of the data is a test
  auto save = [&](report::DataUpdate& update) {
    // If the command left a data file of its own, it measured itself in a way that was not visible. Its data counts
    // too.
    bool wrote_data = !parallel && FileState(config.data_file) != before;
    report::CoverageData data;
    if (append || wrote_data) data = update.present();
    data.path = config.data_file;
    whole = add_measured_data(data, {folder.path(), report::absolute_path("."), folder.start()}, config, filter);
    if (!data.has_arcs) data.has_arcs = config.branch;
    data.commands.insert(shown);
    const bool something = !data.files.empty();
    has_tests = std::ranges::any_of(data.contexts, [](const auto& one) { return !report::test_name(one).empty(); });
    update.commit(std::move(data));
    return something;
  };
  std::optional<SaveSignal> save_signal;
  if (host && host_run.save_signal)
    save_signal = SaveSignal{host_run.save_signal, [&] {
                               try {
                                 report::DataUpdate update(config.data_file, warn);
                                 save(update);
                               } catch (const std::runtime_error& error) {
                                 warn(error.what());
                               }
                             }};
  int exit_code = run_program(command.words, environment, Output::kShown, save_signal);

  try {
    report::DataUpdate update(config.data_file, warn);
    report::SignalsWait until_saved;
    if (!save(update))
      warn("No data was collected. (no-data-collected)");
    else if (test_contexts && !has_tests)
      warn("No test is a context of the data: '--context test' needs pytest with the plugin of qd-cov.");
    if (host) warn_of_unmeasured(*host, config);
    note_left_files(config, files_before);
    if (whole && outlasting) {
      outlasting->finish();
    } else if (whole) {
      folder.remove();
    } else {
      folder.keep();
      warn(fmt::format("The unreadable data is in '{}'", folder.path()));
    }
  } catch (const std::runtime_error& error) {
    folder.keep();
    tell(fmt::format("{}\nThe data of this run is in '{}'.", error.what(), folder.path()));
    return exit_code ? exit_code : kError;
  }
  if (line.flag("quiet")) return exit_code;
  if (processes > 1)
    tell(fmt::format("The data of this process, one of {} of a job, is in '{}': 'qd-cov combine' joins them.",
                     processes, config.data_file));
  else
    print_table(config);
  return exit_code;
}

}  // namespace qd::cli
