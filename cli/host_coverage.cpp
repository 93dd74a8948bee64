// Measuring Python processes: a sitecustomize.py at the head of PYTHONPATH, and its options.
#include "cli/host_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "report/config/glob_matcher.h"

namespace qd::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kStartCoverage =
#include "start_coverage.inc"
    ;

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  if (!stream.flush()) throw std::runtime_error(fmt::format("Couldn't write '{}'", path.string()));
}

/// A source is a folder, made absolute, or else the name of a package.
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
  // Processes that multiprocessing starts are measured as all others are; coverage.py's own way would write next to the
  // user's data.
  report::StringList concurrency = config.concurrency;
  std::erase(concurrency, "multiprocessing");
  if (concurrency.empty()) concurrency.push_back("thread");
  settings["run:concurrency"] = concurrency;
  // Of one process among many these would say nothing.
  report::StringList silent = config.disable_warnings;
  silent.insert(silent.end(), {"no-data-collected", "module-not-imported", "module-not-measured"});
  settings["run:disable_warnings"] = silent;
  return settings;
}

}  // namespace

HostCoverage::HostCoverage(const std::string& folder, const std::string& data_file, const report::Config& config)
    : folder_(folder) {
  nlohmann::json options;
  options["config_file"] = config.config_file.empty() ? nlohmann::json(false) : nlohmann::json(config.config_file);
  options["data_file"] = data_file;
  options["has_source"] =
      config.source || !config.source_dirs.empty() || !config.source_pkgs.empty() || !config.run_include.empty();
  options["settings"] = settings_of(config);
  write_file(fs::path(folder) / "options.json", options.dump(2, ' ', true));
  write_file(fs::path(folder) / "sitecustomize.py", kStartCoverage);
}

EnvironmentChanges HostCoverage::environment() const {
  const char* path = std::getenv("PYTHONPATH");
  EnvironmentChanges changes;
  changes["PYTHONPATH"] = path && *path ? folder_ + ":" + path : folder_;
  // Another measurement of processes would come first.
  changes["COVERAGE_PROCESS_START"] = std::nullopt;
  changes["COVERAGE_PROCESS_CONFIG"] = std::nullopt;
  changes["COVERAGE_RUN"] = "true";
  return changes;
}

std::vector<std::string> HostCoverage::pythons_without_coverage() const {
  std::ifstream stream(fs::path(folder_) / "without_coverage");
  std::set<std::string> pythons;
  for (std::string line; std::getline(stream, line);) pythons.insert(line);
  return {pythons.begin(), pythons.end()};
}

void require_coverage_in(const std::string& python) {
  const char* question = "import importlib.util, sys; sys.exit(importlib.util.find_spec('coverage') is None)";
  if (run_program({python, "-c", question}, {}, Output::kDropped) != 0)
    throw std::runtime_error(fmt::format(
        "No coverage.py in {}: install it there (pip install coverage), or measure kernels alone with --no-host",
        python));
}

}  // namespace qd::cli
