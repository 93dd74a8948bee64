// Plugins: starts the process with the plugins, and applies the settings that they change.
#include "cli/python/plugins.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/python/plugin_process.h"
#include "cli/python/python_version.h"
#include "report/analysis/plugin_file.h"
#include "report/config/option_table.h"

namespace qd::cli {

namespace {

using Json = nlohmann::json;

// A run has one configuration, and so at most one such process.
PluginStart session_start;
std::unique_ptr<PluginProcess> session;

Json first_question(const report::Config& config) {
  Json arguments = Json::object();
  for (const auto& [name, value] : session_start.texts) arguments[name] = value;
  for (const auto& [name, value] : session_start.lists) arguments[name] = value;
  for (const auto& [name, value] : session_start.flags) arguments[name] = value;
  Json options = Json::array();
  for (const report::ConfigOption& option : report::config_options())
    options.push_back(fmt::format("{}:{}", option.section, option.name));
  Json question = {{"import_folders", session_start.import_folders},
                   {"data_file", config.data_file},
                   {"arguments", arguments},
                   {"options", options}};
  question["rcfile"] = true;
  if (session_start.rcfile) question["rcfile"] = *session_start.rcfile;
  return question;
}

/// Throws if a plugin could not be imported, with the reason for the choice of this Python.
void check_imported(const Json& answer, const PythonCandidate& python) {
  if (!answer.contains("cannot_import")) return;
  throw std::runtime_error(fmt::format(
      "[run] plugins names '{}', which {} cannot import: {}. This is {}: install the plugin there, or activate "
      "the virtual environment that has it.",
      answer.at("cannot_import").get<std::string>(), python.program, answer.at("reason").get<std::string>(),
      python.place));
}

/// Starts the first Python that has coverage.py; returns the settings that plugins changed.
Json start_session(const report::Config& config) {
  std::vector<PythonCandidate> pythons;
  if (session_start.python)
    pythons.push_back({*session_start.python, "the Python of the command"});
  else
    pythons = pythons_to_try();
  for (const PythonCandidate& python : pythons) {
    session = std::make_unique<PluginProcess>(python.program);
    Json answer = session->ask(first_question(config));
    if (answer.contains("without_coverage")) continue;
    throw_failure_in(answer);
    check_imported(answer, python);
    return answer;
  }
  session.reset();
  const std::string plugin = config.plugins[0];
  if (pythons.empty())
    throw std::runtime_error(
        fmt::format("[run] plugins names '{}', and there is no Python to run it with: activate the virtual environment "
                    "of the project.",
                    plugin));
  throw std::runtime_error(
      fmt::format("[run] plugins names '{}', and there is no coverage.py in {} to run it with: activate the virtual "
                  "environment of the project.",
                  plugin, pythons[0].program));
}

report::ConfigValue value_of(const Json& value) {
  if (value.is_boolean()) return {value.get<bool>()};
  if (value.is_number_integer()) return {value.get<int64_t>()};
  if (value.is_number()) return {value.get<double>()};
  if (value.is_array()) {
    std::vector<report::ConfigValue> items;
    for (const Json& item : value) items.push_back(value_of(item));
    return {std::move(items)};
  }
  if (!value.is_string()) return {report::ConfigValue::Other{value.dump()}};
  return {value.get<std::string>()};
}

void set_paths(report::Config& config, const Json& paths) {
  config.paths.clear();
  for (const auto& [name, list] : paths.items()) config.paths.emplace_back(name, list.get<report::StringList>());
}

}  // namespace

Json ask_plugins(const report::Config& config, const Json& question) {
  if (!session) start_session(config);
  return session->ask(question);
}

void throw_failure_in(const Json& answer) {
  if (!answer.contains("error")) return;
  if (answer.contains("traceback"))
    throw report::PluginFailure(answer.at("error").get<std::string>(), answer.at("traceback").get<std::string>());
  throw std::runtime_error(answer.at("error").get<std::string>());
}

void stop_plugins() { session.reset(); }

void configure_by_plugins(report::Config& config, const PluginStart& start) {
  if (config.plugins.empty()) return;
  session_start = start;
  const Json answer = start_session(config);
  for (const auto& [name, value] : answer.at("changed").items()) {
    if (name == "paths")
      set_paths(config, value);
    else
      report::set_option(config, name, value_of(value));
  }
}

void configure_by_plugins(report::Config& config, const CommandLine& line) {
  PluginStart start;
  start.rcfile = line.text("rcfile");
  configure_by_plugins(config, start);
}

}  // namespace qd::cli
