// Reported data: chooses and reads the data of a report.
#include "cli/reported/reported_data.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>

#include "cli/measure/killed_runs.h"
#include "cli/options/arch_option.h"
#include "cli/options/condition_options.h"
#include "cli/options/gates.h"
#include "cli/options/gradient_options.h"
#include "cli/options/input_options.h"
#include "cli/output/debug_messages.h"
#include "cli/python/plugins.h"
#include "cli/python/python_version.h"
#include "cli/standard_streams.h"
#include "report/config/path_aliases.h"
#include "report/data/combine.h"
#include "report/data/data_file_check.h"
#include "report/data/data_lock.h"
#include "report/data/source_version.h"
#include "report/data/unfinished_file.h"
#include "report/engine/chosen_contexts.h"
#include "report/gate/condition_gates.h"
#include "report/gate/gradient_gate.h"
#include "report/gate/total_gate.h"
#include "report/inputs/inputs.h"

namespace qd::cli {

namespace {

namespace fs = std::filesystem;

/// Points out files of kernel data that are not in the data file, and returns them.
std::vector<std::string> note_uncombined(std::vector<std::string> files, const std::string& data_file) {
  if (files.empty()) return files;
  try {
    if (fs::exists(data_file)) report::leave_out_kept(files, report::read_data(data_file).kept_inputs);
  } catch (const report::DataError&) {
    // The report will have the same error.
  }
  if (!files.empty()) warn("Kernel data in _qd_kcov.* is not combined yet: use 'qd-cov combine --append'.");
  return files;
}

}  // namespace

void add_data_options(CommandLine& line) {
  line.debug_kinds({"combine"});
  line.group("Data");
  add_arch_option(line);
  line.add("data-file",
           "Read coverage data for report generation from this file. Defaults to '.coverage'. [env: COVERAGE_FILE]",
           kText, "INFILE");
  line.add("i,ignore-errors", "Ignore errors while reading source files.");
  line.add("include",
           "Include only files whose paths match one of these patterns. Accepts shell-style wildcards, which must be "
           "quoted.",
           kText, "PAT1,PAT2,...");
  line.add("input",
           "Report of another tool to add to the data: LCOV, XML of Cobertura, Clover or JaCoCo, or JSON of gcov, "
           "gcovr or llvm-cov. May be given several times. The data file need not be there then.",
           kTexts, "FILE");
  line.add("keep-combined", "Keep original coverage files, otherwise they are deleted after combining.");
  line.add("no-cache", "Analyse every source anew, and keep no analysis for the next run.");
  line.add("omit",
           "Omit files whose paths match one of these patterns. Accepts shell-style wildcards, which must be quoted.",
           kText, "PAT1,PAT2,...");
  line.add("python",
           "Version of the Python that ran the code, like 3.12. Defaults to that of the active virtual environment, or "
           "of python3 on the PATH.",
           kText, "VERSION");
  add_input_options(line);
  line.group("Gate");
  line.add("require-hashes",
           "Exit with a status of 2 if the data of a file has no hash of its present source: 'qd-cov run' and "
           "pytest-cov leave hashes.");
}

void add_reported_data_options(CommandLine& line) {
  add_data_options(line);
  line.group("Data");
  line.add("contexts",
           "Only display data from lines covered in the given contexts. Accepts Python regexes, which must be quoted.",
           kText, "REGEX1,REGEX2,...");
  line.group("Gate");
  line.add("fail-under", "Exit with a status of 2 if the total coverage is less than MIN.", kText, "MIN");
  line.group("Output");
  line.add("precision", "Number of digits after the decimal point to display for reported coverage percentages.", kText,
           "N");
  line.add("skip-covered", "Skip files with 100% coverage.");
  line.add("no-skip-covered", "Disable --skip-covered.");
  line.add("skip-empty", "Skip files with no code.");
}

report::Config report_config(CommandLine& line) {
  report::Config config = line.config();
  if (line.flag("fail-under")) {
    config.gates.misplaced.clear();
    config.gates.hidden.clear();
  }
  PluginStart start;
  start.rcfile = line.text("rcfile");
  for (const char* name : {"include", "omit"})
    if (auto list = line.list(name)) start.lists[name] = *list;
  configure_by_plugins(config, start);
  apply_arch_option(line, config);
  if (auto list = line.list("contexts")) config.report_contexts = list;
  if (auto list = line.list("include")) config.report_include = list;
  if (auto list = line.list("omit")) config.report_omit = list;
  config.gates.fail_under = line.number("fail-under").value_or(config.gates.fail_under);
  config.precision = line.integer("precision").value_or(config.precision);
  config.ignore_errors = config.ignore_errors || line.flag("ignore-errors");
  config.cache = config.cache && !line.flag("no-cache");
  config.gates.require_hashes = config.gates.require_hashes || line.flag("require-hashes");
  apply_input_options(line, config);
  for (const std::string& input : line.values("input")) config.inputs.push_back(input);
  return config;
}

void add_inputs(const report::Config& config, report::CoverageData& data) {
  if (config.inputs.empty()) return;
  report::PathAliases aliases(config);
  const auto map_path = [&](const std::string& path) { return aliases.map(path); };
  for (const std::string& input : config.inputs) {
    report::CoverageData read = report::require_input(input, {config.src_roots, map_path});
    if (!read.damage.empty()) warn(read.damage);
    data.update(std::move(read), map_path);
  }
}

LackingData combine_parts(const report::Config& config, bool keep, bool quiet) {
  LackingData lacking;
  const std::string data_file = fs::absolute(config.data_file).lexically_normal().string();
  bool parts = report::DataLock::left_behind(report::data_file_target(data_file));
  std::vector<std::string> kernel_files;
  for (const std::string& file : report::combinable_files(config.data_file, {})) {
    const bool part = report::is_part(file, data_file);
    parts = parts || part;
    if (!part) kernel_files.push_back(file);
  }
  if (parts) {
    report::CombineOptions options;
    options.parts_only = true;
    options.data_file = fs::absolute(config.data_file).string();
    options.append = true;
    options.keep = keep;
    options.mixed = config.mixed;
    report::PathAliases aliases(config);
    options.map_path = [&](const std::string& path) { return aliases.map(path); };
    options.warn = warn;
    options.unread = [&](const std::string& path) { lacking.unread.push_back(path); };
    DebugMessages details("combine", config);
    if (details.wanted()) options.detail = [&](const std::string& message) { details.write(message); };
    try {
      std::string message = report::combine_data(options).message();
      if (!quiet) tell(message);
    } catch (const report::NoDataError&) {
      // Each part had a warning. The data in the data file itself can still be reported.
    }
  }
  lacking.uncombined = note_uncombined(std::move(kernel_files), data_file);
  for (std::string& run : ended_runs(fs::path(data_file).parent_path().string())) {
    warn(fmt::format("The data of the killed run '{}' is not combined yet: use 'qd-cov combine --append'.",
                     fs::path(run).filename().string()));
    lacking.uncombined.push_back(std::move(run));
  }
  return lacking;
}

/// Data under the names that [paths] gives to its files.
report::CoverageData read_mapped_data(const report::Config& config, const report::FoldContext& fold) {
  report::CoverageData data;
  if (config.inputs.empty() || fs::exists(config.data_file))
    data = report::read_data(fs::absolute(config.data_file).string(), true, only_archs(config, fold));
  keep_archs(config, data);
  if (!data.damage.empty()) warn(data.damage);
  if (!config.paths.empty()) {
    report::PathAliases aliases(config);
    report::CoverageData mapped;
    mapped.update(std::move(data), [&](const std::string& path) { return aliases.map(path); });
    data = std::move(mapped);
    if (const std::string note = report::joined_note(data); !note.empty()) warn(note);
  }
  report::note_doubts(data);
  add_inputs(config, data);
  return data;
}

ReportInput read_report_input(report::Config config, const Arguments& modules,
                              const std::optional<std::string>& python_version, bool names_contexts) {
  ReportInput input{std::move(config), {}, {}, python_minor(python_version)};
  input.data =
      read_mapped_data(input.config, names_contexts ? report::FoldContext()
                                                    : report::one_context_a_device(input.config.report_contexts));
  find_plugin_files(input.data, input.config, modules);
  input.files = report::reported_files(input.data, input.config, modules);
  input.versions->ambiguous = report::unplaced_names(input.data, input.config);
  if (std::string note = report::mixed_note(input.data); !note.empty()) warn(note);
  if (std::string note = report::imported_note(input.data); !note.empty()) warn(note);
  return input;
}

std::string lacking_data(const report::CoverageData& data, const LackingData& lacking) {
  std::set<std::string> unread = data.unread_inputs;
  unread.insert(lacking.unread.begin(), lacking.unread.end());
  auto first_of = [](const auto& paths) {
    std::vector<std::string> names;
    for (const std::string& path : paths) names.push_back(fs::path(path).filename().string());
    return report::first_of(names);
  };
  if (!unread.empty()) return fmt::format("data file {} could not be read as a whole", first_of(unread));
  if (lacking.uncombined.empty()) return "";
  return fmt::format("data in {} is not combined", first_of(lacking.uncombined));
}

int check_versions(const ReportInput& input, std::FILE* out) {
  const report::Config& config = input.config;
  std::string why;
  if (config.gates.require_hashes) why = input.versions->without_hashes();
  if (why.empty() && (config.gates.require_hashes || config.gates.any_threshold())) {
    why = lacking_data(input.data, input.lacking);
    if (why.empty()) why = input.versions->untrusted_files();
  }
  if (why.empty()) return kOk;
  fmt::print(out, "Coverage failure: {}{}\n", why, why.ends_with('.') ? "" : ".");
  return kFailUnder;
}

int check_gates(const ReportInput& input, double percent, const report::ConditionNumbers& conditions,
                const report::GradientNumbers& gradients, std::FILE* out) {
  const report::Config& config = input.config;
  warn_of_conditions(input.data, conditions, config);
  warn_of_gradients(input.data, config);
  if (!config.gates.misplaced.empty()) throw report::ConfigError(config.gates.misplaced[0]);
  for (const std::string& gate : config.gates.hidden) warn(gate);
  int code =
      std::max({report_gates(report::condition_gates(input.data, conditions, config), out),
                report_gates(report::gradient_gates(report::note_of_gradients(input.data), gradients, config), out),
                check_versions(input, out)});
  std::string below = report::total_below(percent, config.gates.fail_under, config.precision);
  if (below.empty() && input.unknown->n > 0) {
    below = report::total_below(input.unknown->lowest_percent(), config.gates.fail_under, config.precision);
    if (!below.empty()) below += fmt::format(" if no unknown branch was taken ({})", input.unknown->n);
  }
  if (below.empty()) return code;
  fmt::print(out, "Coverage failure: {}\n", below);
  return kFailUnder;
}

}  // namespace qd::cli
