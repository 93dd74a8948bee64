// Host coverage: measures Python processes by a sitecustomize.py at the front of PYTHONPATH, and its options.
#include "cli/measure/host_coverage.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>

#include "report/config/glob_matcher.h"

namespace qd::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kStartCoverage =
#include "start_coverage.inc"
    ;

/// Package that measures functions of Numba: its files, by their names.
constexpr std::pair<const char*, const char*> kNumbaPackage[] = {
#include "numba_package.inc"
};

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  if (!stream.flush()) throw std::runtime_error(fmt::format("Couldn't write '{}'", path.string()));
}

/// Absolute sources. A source is a folder, or else the name of a package, which stays.
report::StringList absolute_sources(const report::StringList& sources) {
  report::StringList result;
  for (const std::string& source : sources)
    result.push_back(fs::exists(source) ? report::absolute_path(source) : source);
  return result;
}

nlohmann::json settings_of(const report::Config& config) {
  nlohmann::json settings;
  settings["run:branch"] = config.branch;
  settings["run:parallel"] = true;
  settings["run:cover_pylib"] = config.cover_pylib;
  settings["run:timid"] = config.timid;
  settings["run:include"] = report::prepare_patterns(config.run_include);
  settings["run:omit"] = report::prepare_patterns(config.run_omit);
  if (config.source) settings["run:source"] = absolute_sources(*config.source);
  if (!config.source_dirs.empty()) settings["run:source_dirs"] = absolute_sources(config.source_dirs);
  if (config.context) settings["run:context"] = *config.context;
  // Processes of multiprocessing are measured like all others. coverage.py's own way would write beside the user's
  // data.
  report::StringList concurrency = config.concurrency;
  std::erase(concurrency, "multiprocessing");
  if (concurrency.empty()) concurrency.push_back("thread");
  settings["run:concurrency"] = concurrency;
  // Warnings that mean nothing for one process among many.
  report::StringList silent = config.disable_warnings;
  silent.insert(silent.end(), {"no-data-collected", "module-not-imported", "module-not-measured"});
  settings["run:disable_warnings"] = silent;
  return settings;
}

/// Sources that are no folders.
report::StringList source_packages(const report::Config& config) {
  report::StringList result = config.source_pkgs;
  for (const std::string& source : config.source.value_or(report::StringList{}))
    if (!fs::is_directory(source)) result.push_back(source);
  return result;
}

std::set<std::string> lines_of(const fs::path& path) {
  std::ifstream stream(path);
  std::set<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.insert(line);
  return lines;
}

}  // namespace

HostCoverage::HostCoverage(const std::string& folder, const std::string& data_file, const report::Config& config,
                           const HostRun& run)
    : folder_(folder), packages_(source_packages(config)), measures_(run.measures) {
  nlohmann::json options;
  // An empty file as a default: coverage.py passes measurement on to children only if it has a file.
  std::string no_settings = (fs::path(folder) / "coveragerc").string();
  write_file(no_settings, "");
  options["config_file"] = config.config_file.empty() ? no_settings : config.config_file;
  options["data_file"] = data_file;
  options["has_source"] =
      config.source || !config.source_dirs.empty() || !config.source_pkgs.empty() || !config.run_include.empty();
  options["settings"] = settings_of(config);
  options["import_folders"] = run.import_folders;
  options["packages"] = packages_;
  options["save_signal"] = run.save_signal;
  options["measures"] = run.measures;
  options["runner"] = getpid();
  write_file(fs::path(folder) / "options.json", options.dump(2, ' ', true));
  const fs::path package = fs::path(folder) / "qd_numba";
  fs::create_directory(package);
  for (const auto& [name, text] : kNumbaPackage) write_file(package / name, text);
  write_file(fs::path(folder) / "sitecustomize.py", kStartCoverage);
}

EnvironmentChanges HostCoverage::environment() const {
  const char* path = std::getenv("PYTHONPATH");
  EnvironmentChanges changes;
  changes["PYTHONPATH"] = path && *path ? folder_ + ":" + path : folder_;
  if (!measures_) return changes;
  // Variables of coverage.py's own way to measure processes, which would take precedence.
  changes["COVERAGE_PROCESS_START"] = std::nullopt;
  changes["COVERAGE_PROCESS_CONFIG"] = std::nullopt;
  changes["COVERAGE_RUN"] = "true";
  return changes;
}

std::optional<EnvironmentChanges> HostCoverage::environment_without_path(const std::string& python) const {
  run_program({python, (fs::path(folder_) / "sitecustomize.py").string()}, {}, Output::kDropped);
  std::ifstream stream(fs::path(folder_) / "process_config");
  std::string config;
  if (!std::getline(stream, config)) return std::nullopt;
  return EnvironmentChanges{{"COVERAGE_PROCESS_CONFIG", config}};
}

std::vector<std::string> HostCoverage::pythons_without_coverage() const {
  std::set<std::string> pythons = lines_of(fs::path(folder_) / "without_coverage");
  return {pythons.begin(), pythons.end()};
}

std::vector<std::string> HostCoverage::foreign_runtimes() const {
  std::set<std::string> places = lines_of(fs::path(folder_) / "foreign_runtime");
  return {places.begin(), places.end()};
}

std::vector<std::string> HostCoverage::packages_not_imported() const {
  std::set<std::string> imported = lines_of(fs::path(folder_) / "imported");
  std::vector<std::string> result;
  std::copy_if(packages_.begin(), packages_.end(), std::back_inserter(result),
               [&](const std::string& name) { return !imported.contains(name); });
  return result;
}

void require_coverage_in(const std::string& python, const std::optional<std::string>& module) {
  // Parent packages are not imported to find a module in them, because their code would not be measured.
  std::string top = module ? module->substr(0, module->find('.')) : "sys";
  const char* question =
      "import importlib.util, sys; sys.exit(3 if importlib.util.find_spec('coverage') is None else 4 * "
      "(importlib.util.find_spec(sys.argv[1]) is None))";
  int answer = run_program({python, "-c", question, top.empty() ? "." : top}, {}, Output::kDropped);
  if (answer == 3)
    throw std::runtime_error(fmt::format(
        "No coverage.py in {}: install it there (pip install coverage), or measure kernels alone with --no-host",
        python));
  if (answer == 4) throw std::runtime_error(fmt::format("No module named '{}'", *module));
}

}  // namespace qd::cli
