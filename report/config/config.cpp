// The defaults of settings, and the search for configuration files.
#include "report/config/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "report/config/coverage_version.h"
#include "report/config/option_table.h"
#include "report/config/own_section.h"
#include "report/regex/python_text.h"

namespace qd::report {

namespace {

struct Candidate {
  std::string path;
  bool our_file;   // for coverage only, so its sections need no prefix
  bool specified;  // the user named it, so it must be there
};

std::vector<Candidate> files_to_try(const std::optional<std::string>& rcfile) {
  if (rcfile && rcfile->empty()) return {};  // coverage.py reads no file then
  Candidate first{".coveragerc", true, false};
  // coverage.py takes the default name for "look where you always look".
  if (rcfile && *rcfile != ".coveragerc")
    first = {*rcfile, true, true};
  else if (const char* file = std::getenv("COVERAGE_RCFILE"); file && *file)
    first = {file, true, true};
  return {first,
          {".coveragerc.toml", true, false},
          {"setup.cfg", false, false},
          {"tox.ini", false, false},
          {"pyproject.toml", false, false}};
}

void warn_of_unknown_options(const ConfigFile& file, const std::string& path, const Warn& warn) {
  std::set<std::string> sections;
  for (const ConfigOption& known : config_options()) {
    if (!sections.insert(known.section).second) continue;
    const ConfigSection* section = file.find(known.section);
    if (!section) continue;
    for (const auto& [name, value] : section->options)
      if (std::none_of(config_options().begin(), config_options().end(), [&](const ConfigOption& option) {
            return known.section == std::string(option.section) && name == option.name;
          }))
        warn(fmt::format("Unrecognized option '[{}] {}=' in config file {}", section->name, name, path));
  }
}

/// Reads a file. False when it is not there, or when it belongs to another tool and says nothing about coverage.
bool read_file(Config& config, const Candidate& candidate, const Warn& warn) {
  bool any_set = false;
  try {
    bool is_toml = std::filesystem::path(candidate.path).extension() == ".toml";
    std::optional<ConfigFile> file =
        is_toml ? read_toml(candidate.path, candidate.our_file) : read_ini(candidate.path, candidate.our_file);
    if (!file) return false;
    for (const ConfigOption& option : config_options()) {
      const ConfigSection* section = file->find(option.section);
      const ConfigValue* value = section ? section->find(option.name) : nullptr;
      if (!value) continue;
      option.set(config, OptionValue(*file, *section, option.name, *value, option.section));
      any_set = true;
    }
    warn_of_unknown_options(*file, candidate.path, warn);
    if (const ConfigSection* section = file->find("paths"))
      for (const auto& [name, value] : section->options) {
        config.paths.emplace_back(name, OptionValue(*file, *section, name, value).list());
        any_set = true;
      }
    for (const std::string& plugin : config.plugins) {
      const ConfigSection* section = file->find(plugin);
      any_set |= section != nullptr;
      // Nothing here uses them, but a ${WORD?} among them is an error.
      if (section && !file->is_toml)
        for (const auto& [name, value] : section->options) OptionValue(*file, *section, name, value).text();
    }
  } catch (const InvalidFile& error) {
    throw ConfigError(fmt::format("Couldn't read config file {}: {}", candidate.path, error.what()));
  }
  if (!candidate.our_file && !any_set) return false;
  config.config_file = std::filesystem::absolute(candidate.path).lexically_normal().string();
  return true;
}

/// Looks for our own section, which may be in another file than coverage.py's settings.
void find_own_section(Config& config, std::vector<Candidate> files, const Warn& warn) {
  if (!files.empty()) files.insert(files.begin() + (files[0].specified ? 1 : 0), {kOwnFile, true, false});
  for (const Candidate& candidate : files) {
    bool is_toml = std::filesystem::path(candidate.path).extension() == ".toml";
    std::optional<ConfigFile> file;
    try {
      file = is_toml ? read_toml(candidate.path, candidate.our_file) : read_ini(candidate.path, candidate.our_file);
    } catch (const InvalidFile& error) {
      if (candidate.path == kOwnFile)
        throw ConfigError(fmt::format("Couldn't read config file {}: {}", candidate.path, error.what()));
      continue;  // if coverage.py reads it, that was said
    }
    try {
      if (file && read_own_section(config, *file, candidate.path, warn)) return;
    } catch (const InvalidFile& error) {
      throw ConfigError(fmt::format("Couldn't read config file {}: {}", candidate.path, error.what()));
    }
  }
}

}  // namespace

Config::Config() { match_version(*this, "7.17"); }

void check_concurrency(const StringList& concurrency) {
  static const std::set<std::string> kChoices = {"eventlet", "gevent", "greenlet", "multiprocessing", "thread"};
  std::set<std::string> unknown, light;
  for (const std::string& choice : concurrency) {
    if (!kChoices.count(choice))
      unknown.insert(choice);
    else if (choice != "thread" && choice != "multiprocessing")
      light.insert(choice);
  }
  if (!unknown.empty()) throw ConfigError(fmt::format("Unknown concurrency choices: {}", fmt::join(unknown, ", ")));
  if (light.size() > 1) throw ConfigError(fmt::format("Conflicting concurrency settings: {}", fmt::join(light, ", ")));
}

bool conditions_configured(const std::optional<std::string>& rcfile) {
  Config config;
  find_own_section(config, files_to_try(rcfile), [](const std::string&) {});
  return config.conditions;
}

Config read_config(const std::optional<std::string>& rcfile, const Warn& warn) {
  Config config;
  std::vector<Candidate> files = files_to_try(rcfile);
  for (const Candidate& candidate : files) {
    std::error_code error;
    if (candidate.specified && std::filesystem::is_fifo(candidate.path, error))
      throw ConfigError(fmt::format(
          "Couldn't read config file {}: it is a pipe, and settings are read more than once: write them to a file",
          candidate.path));
  }
  find_own_section(config, files, warn);  // first: the defaults depend on it
  for (const Candidate& candidate : files) {
    if (read_file(config, candidate, warn)) break;
    if (candidate.specified)
      throw ConfigError(fmt::format("Couldn't read {} as a config file", python_repr(candidate.path)));
  }
  if (const char* file = std::getenv("COVERAGE_FILE"); file && *file) config.data_file = file;
  if (const char* core = std::getenv("COVERAGE_CORE"); core && *core) config.core = core;
  if (const char* debug = std::getenv("COVERAGE_DEBUG"); debug && *debug) {
    std::string_view names = debug;
    for (size_t start = 0; start <= names.size();) {
      size_t end = std::min(names.find(',', start), names.size());
      config.debug.push_back(python_strip(names.substr(start, end - start)));
      start = end + 1;
    }
  }
  if (const char* file = std::getenv("COVERAGE_FORCE_CONFIG"); file && *file)
    read_file(config, {file, true, false}, warn);

  for (auto& [name, list] : config.paths)
    for (std::string& path : list) path = expand_user(path);
  config.exclude_list.insert(config.exclude_list.end(), config.exclude_also.begin(), config.exclude_also.end());
  config.partial_list.insert(config.partial_list.end(), config.partial_also.begin(), config.partial_also.end());
  if (std::find(config.patch.begin(), config.patch.end(), "subprocess") != config.patch.end()) config.parallel = true;
  check_concurrency(config.concurrency);
  return config;
}

}  // namespace qd::report
