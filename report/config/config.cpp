// Settings of coverage.py: their defaults, and the search for configuration files.
#include "report/config/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "report/config/coverage_version.h"
#include "report/config/option_table.h"
#include "report/config/own_files.h"
#include "report/config/own_names.h"
#include "report/regex/python_text.h"

namespace qd::report {

namespace {

std::vector<ConfigCandidate> files_to_try(const std::optional<std::string>& rcfile) {
  if (rcfile && rcfile->empty()) return {};  // coverage.py reads no file for an empty name
  ConfigCandidate first{".coveragerc", true, false};
  // coverage.py takes the default name as "search the usual files".
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

/// The file whose settings override those of coverage.py's other files.
std::optional<std::string> forced_file() {
  const char* file = std::getenv("COVERAGE_FORCE_CONFIG");
  return file && *file ? std::optional<std::string>(file) : std::nullopt;
}

void read_own(Config& config, const std::vector<ConfigCandidate>& files, const ReadText& read) {
  read_own_settings(config, files, read);
  if (auto forced = forced_file()) read_own_settings_of(config, *forced, read);
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

/// Reads a file. False when it does not exist, or when it belongs to another tool and has no settings of coverage.
bool read_file(Config& config, const ConfigCandidate& candidate, const Warn& warn, const ReadText& read) {
  bool any_set = false;
  try {
    const std::optional<ConfigFile> file = read_config_file(candidate.path, candidate.our_file, read);
    if (!file) return false;
    for (std::string& gate : misplaced_gates(*file, candidate.path)) config.gates.misplaced.push_back(std::move(gate));
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
      // Their values are not used here, but an undefined ${WORD?} among them is an error.
      if (section && !file->is_toml)
        for (const auto& [name, value] : section->options) OptionValue(*file, *section, name, value).text();
    }
  } catch (const InvalidFile& error) {
    throw ConfigError(fmt::format("Couldn't read config file {}: {}", candidate.path, error.what()));
  }
  if (!candidate.our_file && !any_set) return false;
  config.files.push_back(candidate.path);
  config.config_file = std::filesystem::absolute(candidate.path).lexically_normal().string();
  return true;
}

/// Notes a fail_under in a file that coverage.py does not read because an earlier one counts, and has none.
void note_hidden_gate(Config& config, const ConfigCandidate& candidate, const ReadText& read) {
  try {
    const std::optional<ConfigFile> file = read_config_file(candidate.path, candidate.our_file, read);
    const ConfigSection* report = file ? file->find("report") : nullptr;
    if (report && report->find("fail_under"))
      config.gates.hidden.push_back(
          fmt::format("'[{}] fail_under' in config file {} is not read: settings are those of {}", report->name,
                      candidate.path, std::filesystem::path(config.config_file).filename().string()));
  } catch (const InvalidFile&) {
    // an invalid file that is not read is no error
  }
}

Config read_all(const std::optional<std::string>& rcfile, const Warn& warn, const ReadText& read) {
  Config config;
  const std::vector<ConfigCandidate> files = files_to_try(rcfile);
  read_own(config, files, read);  // first: the defaults depend on it
  bool found = false;
  for (const ConfigCandidate& candidate : files) {
    if (found) {
      if (config.gates.fail_under == 0 && !files[0].specified) note_hidden_gate(config, candidate, read);
      continue;
    }
    found = read_file(config, candidate, warn, read);
    if (!found && candidate.specified)
      throw ConfigError(fmt::format("Couldn't read {} as a config file", python_repr(candidate.path)));
  }
  return config;
}

void finish(Config& config, const Warn& warn, const ReadText& read) {
  if (auto forced = forced_file()) read_file(config, {*forced, true, false}, warn, read);
  for (auto& [name, list] : config.paths)
    for (std::string& path : list) path = expand_user(path);
  config.exclusions.exclude.insert(config.exclusions.exclude.end(), config.exclude_also.begin(),
                                   config.exclude_also.end());
  config.exclusions.partial.insert(config.exclusions.partial.end(), config.partial_also.begin(),
                                   config.partial_also.end());
  if (std::find(config.patch.begin(), config.patch.end(), "subprocess") != config.patch.end()) config.parallel = true;
  check_concurrency(config.concurrency);
}

/// Settings are read more than once.
void refuse_pipes(const std::optional<std::string>& rcfile) {
  StringList named;
  for (const ConfigCandidate& candidate : files_to_try(rcfile))
    if (candidate.specified) named.push_back(candidate.path);
  if (auto forced = forced_file()) named.push_back(*forced);
  std::error_code error;
  for (const std::string& path : named)
    if (std::filesystem::is_fifo(path, error))
      throw ConfigError(fmt::format(
          "Couldn't read config file {}: it is a pipe, and settings are read more than once: write them to a file",
          path));
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
  refuse_unread_files();
  read_own(config, files_to_try(rcfile), read_text);
  return config.conditions;
}

Config read_config(const std::optional<std::string>& rcfile, const Warn& warn) {
  refuse_pipes(rcfile);
  if (!rcfile || !rcfile->empty()) refuse_unread_files();
  Config config = read_all(rcfile, warn, read_text);
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
  finish(config, warn, read_text);
  return config;
}

Config read_config_as_it_was(const std::optional<std::string>& rcfile, const ReadText& read) {
  const Warn nobody = [](const std::string&) {};
  Config config = read_all(rcfile, nobody, read);
  finish(config, nobody, read);
  return config;
}

std::string place_of_own(const Config& config, const std::string& key) {
  auto found = config.own.find(key);
  return found == config.own.end() ? "" : fmt::format(" ({})", found->second.file);
}

}  // namespace qd::report
