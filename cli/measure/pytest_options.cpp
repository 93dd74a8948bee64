// pytest options from its environment and from its configuration file.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cli/measure/measured_command.h"
#include "report/config/config_file.h"

namespace qd::cli {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

struct ConfigFile {
  const char* file;
  const char* section;
  bool counts_without_section;  // the file is pytest's own
};

// Files in the order in which pytest searches one folder.
constexpr ConfigFile kConfigFiles[] = {
    {"pytest.toml", "pytest", true},
    {".pytest.toml", "pytest", true},
    {"pytest.ini", "pytest", true},
    {".pytest.ini", "pytest", true},
    {"pyproject.toml", "tool.pytest", false},
    {"pyproject.toml", "tool.pytest.ini_options", false},
    {"tox.ini", "pytest", false},
    {"setup.cfg", "tool:pytest", false},
};

Words words_of(const report::ConfigValue& value) {
  if (const auto* text = std::get_if<std::string>(&value.value)) return split_words(*text);
  Words words;
  if (const auto* list = std::get_if<std::vector<report::ConfigValue>>(&value.value))
    for (const report::ConfigValue& item : *list)
      if (const auto* text = std::get_if<std::string>(&item.value)) words.push_back(*text);
  return words;
}

/// addopts of a file; no value when pytest would search on.
std::optional<Words> addopts_of(const fs::path& path, const char* section_name, bool counts_without_section) {
  try {
    std::optional<report::ConfigFile> file = report::read_config_file(path, true);
    if (!file) return std::nullopt;
    for (const report::ConfigSection& section : file->sections)
      if (section.name == section_name) {
        const report::ConfigValue* addopts = section.find("addopts");
        bool only_tables = std::all_of(section.options.begin(), section.options.end(), [](const auto& option) {
          return std::holds_alternative<report::ConfigValue::Table>(option.value.value);
        });
        if (!addopts && only_tables && !counts_without_section) continue;  // a [tool.pytest] that only has ini_options
        return addopts ? words_of(*addopts) : Words{};
      }
  } catch (const std::runtime_error&) {
    return std::nullopt;  // pytest itself reports the error
  }
  return counts_without_section ? std::optional(Words{}) : std::nullopt;
}

/// Common folder of all files and folders among `arguments`; the current one when there are none.
fs::path common_folder(const Words& arguments) {
  fs::path common;
  for (const std::string& argument : arguments) {
    if (argument.starts_with('-')) continue;
    fs::path path = fs::absolute(argument.substr(0, argument.find("::"))).lexically_normal();
    if (!fs::exists(path)) continue;
    if (!fs::is_directory(path)) path = path.parent_path();
    if (common.empty()) {
      common = path;
      continue;
    }
    fs::path shared;
    for (auto a = common.begin(), b = path.begin(); a != common.end() && b != path.end() && *a == *b; ++a, ++b)
      shared /= *a;
    common = shared;
  }
  return common.empty() ? fs::current_path() : common;
}

Words addopts_of_configuration(const Words& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    std::string file;
    if ((word == "-c" || word == "--config-file") && i + 1 < arguments.size()) file = arguments[i + 1];
    if (word.starts_with("--config-file=")) file = word.substr(14);
    if (file.empty()) continue;
    for (const char* section : {"pytest", "tool:pytest", "tool.pytest", "tool.pytest.ini_options"})
      if (std::optional<Words> words = addopts_of(file, section, false)) return *words;
    return {};
  }
  for (fs::path folder = common_folder(arguments);; folder = folder.parent_path()) {
    for (const ConfigFile& place : kConfigFiles)
      if (std::optional<Words> words = addopts_of(folder / place.file, place.section, place.counts_without_section))
        return *words;
    if (folder == folder.parent_path()) return {};
  }
}

}  // namespace

Words pytest_added_options(const Words& arguments) {
  const char* variable = std::getenv("PYTEST_ADDOPTS");
  Words words = split_words(variable ? variable : "");
  // -o addopts=... replaces the setting of the file.
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string setting;
    if ((arguments[i] == "-o" || arguments[i] == "--override-ini") && i + 1 < arguments.size())
      setting = arguments[i + 1];
    if (arguments[i].starts_with("--override-ini=")) setting = arguments[i].substr(15);
    if (!setting.starts_with("addopts=")) continue;
    Words more = split_words(setting.substr(8));
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Words more = addopts_of_configuration(arguments);
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace qd::cli
