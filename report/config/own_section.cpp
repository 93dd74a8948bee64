// Reader of our own settings: [tool.qd-cov] of pyproject.toml, [qd-cov] of INI files, all of qd-cov.toml.
#include "report/config/own_section.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/config/near_name.h"
#include "report/config/own_names.h"
#include "report/config/own_options.h"
#include "report/config/own_value.h"

namespace qd::report {

namespace {

// Options of diff-cover that are not needed here.
constexpr const char* kNeedless[] = {"show_covered", "external_css_file"};

/// A path in a value, made relative to the current folder.
std::string rebased(const std::string& text, OwnPath path, const std::string& folder) {
  size_t start = 0;
  if (path == OwnPath::NamedFile) start = text.find('=') == std::string::npos ? 0 : text.find('=') + 1;
  if (path == OwnPath::Format) {
    start = text.find(':') == std::string::npos ? text.size() : text.find(':') + 1;
    if (text.starts_with("github-annotations")) start = text.size();  // its level
  }
  const std::string name = text.substr(start);
  const bool stays = name.empty() || name == "-" || name.starts_with('/') ||
                     (path == OwnPath::Pattern && (name.starts_with('*') || name.starts_with('?')));
  return stays ? text : text.substr(0, start) + folder + name;
}

void set_own_option(Config& config, const OwnOption& option, const OwnPlace& place, const std::string& path,
                    const std::string& folder) {
  StringList values = own_values(place, option.kind);
  if (values.empty() && option.is_gate()) throw InvalidFile(fmt::format("Option {} is empty", place.text()));
  if (option.path != OwnPath::None && !folder.empty())
    for (std::string& value : values) value = rebased(value, option.path, folder);
  option.set(config, values);
  config.own[option.key()] = {values, path};
}

/// Takes any name: the checks validate them.
void read_check_section(Config& config, const ConfigFile& file, const ConfigSection& section, const std::string& path,
                        const std::string& folder) {
  StringList names;
  for (size_t i = 0; i < section.options.size() - section.n_inherited; ++i) {
    const auto& [name, value] = section.options[i];
    const OwnPlace place{file, section, name, value};
    CheckLine line{name, {}, path, std::holds_alternative<ConfigValue::Table>(value.value), false};
    std::replace(line.name.begin(), line.name.end(), '_', '-');
    if (std::find(names.begin(), names.end(), line.name) != names.end())
      throw InvalidFile(fmt::format("Option {} is there twice, once with '-' for '_'", place.text()));
    names.push_back(line.name);
    if (std::holds_alternative<bool>(value.value))
      line.values = own_values(place, OwnKind::Flag);
    else if (file.is_toml && std::holds_alternative<std::string>(value.value))
      line.values = own_values(place, OwnKind::Text);
    else if (auto* list = std::get_if<std::vector<ConfigValue>>(&value.value); list && list->empty())
      line.values = {};
    else
      line.values = own_values(place, OwnKind::Numbers);
    if (auto* list = std::get_if<std::vector<ConfigValue>>(&value.value))
      line.has_numbers = std::any_of(list->begin(), list->end(), [](const ConfigValue& one) {
        return !std::holds_alternative<std::string>(one.value);
      });
    else
      line.has_numbers = !std::holds_alternative<std::string>(value.value);
    const OwnPath kind = line.name == "format"             ? OwnPath::Format
                         : line.name == "slow-tests-junit" ? OwnPath::File
                                                           : OwnPath::None;
    if (!folder.empty())
      for (std::string& one : line.values)
        if (kind != OwnPath::None) one = rebased(one, kind, folder);
    config.check.push_back(std::move(line));
  }
}

void read_part(Config& config, const ConfigFile& file, const ConfigSection& section, const std::string& part,
               const std::string& path, const std::string& folder, bool ours_alone) {
  const OwnNames names(file, path);
  for (size_t i = 0; i < section.options.size(); ++i) {
    const auto& [name, value] = section.options[i];
    const bool is_table = std::holds_alternative<ConfigValue::Table>(value.value);
    if (is_table && part.empty() && (name == "diff" || name == "check" || (names.own.empty() && !ours_alone)))
      continue;  // handled as a section of its own
    if (const OwnOption* option = find_own_option(part, name))
      set_own_option(config, *option, {file, section, name, value}, path, folder);
    else if (i < section.options.size() - section.n_inherited)
      refuse_option(names, part, section.name, name, value, path);
  }
}

/// Throws ConfigError for a gate of ours that is a part of another value.
void refuse_swallowed_gates(const ConfigFile& file, const OwnNames& names, const std::string& path) {
  auto is_gate = [&](const SwallowedSetting& one) {
    if (one.section != names.own && one.section != names.diff) return false;
    const OwnOption* option = find_own_option(one.section == names.diff ? "diff" : "", one.name);
    return option && option->is_gate();
  };
  for (const SwallowedSetting& one : swallowed_settings(file))
    if (is_gate(one)) throw ConfigError(one.error(path));
}

}  // namespace

void read_diff_cover_section(Config& config, const std::string& path, const Warn& warn, const ReadText& read) {
  constexpr const char* kName = "tool.diff_cover";
  try {
    const std::optional<ConfigFile> file = read_toml(path, false, read);
    if (!file) throw ConfigError(fmt::format("Couldn't read '{}' as a config file", path));
    const auto section = std::find_if(file->sections.begin(), file->sections.end(),
                                      [&](const ConfigSection& one) { return one.name == kName; });
    if (section == file->sections.end())
      throw ConfigError(fmt::format("No 'tool.diff_cover' configuration available in '{}'", path));
    StringList gates;
    for (const OwnOption& option : own_options())
      if (option.is_gate()) gates.emplace_back(option.name);
    for (const auto& [name, value] : section->options) {
      if (std::find(std::begin(kNeedless), std::end(kNeedless), name) != std::end(kNeedless)) continue;
      const OwnOption* option = find_own_option("diff", name);
      auto* formats = std::get_if<ConfigValue::Table>(&value.value);
      if (option && name == std::string("format") && formats) {
        for (const auto& [format, target] : *formats)
          if (auto* text = std::get_if<std::string>(&target.value))
            config.diff.format.push_back(format + (text->empty() ? "" : ":" + *text));
      } else if (option) {
        set_own_option(config, *option, {*file, *section, name, value}, path, "");
      } else {
        const std::string unknown = fmt::format("Unrecognized option '[{}] {}=' in config file {}", kName, name, path);
        const std::string meant = near_name(name, gates);
        if (!meant.empty()) throw ConfigError(fmt::format("{}; did you mean '{}'?", unknown, meant));
        warn(unknown);
      }
    }
  } catch (const InvalidFile& error) {
    throw ConfigError(fmt::format("Couldn't read config file {}: {}", path, error.what()));
  }
}

bool read_own_section(Config& config, const ConfigFile& file, const std::string& path, const std::string& folder,
                      bool ours_alone) {
  refuse_stray_sections(file, path, ours_alone);
  const OwnNames names(file, path);
  refuse_swallowed_gates(file, names, path);
  bool found = false;
  for (const ConfigSection& section : file.sections) {
    if (section.name != names.own && section.name != names.diff && section.name != names.check) continue;
    if (section.name == names.check)
      read_check_section(config, file, section, path, folder);
    else
      read_part(config, file, section, section.name == names.own ? "" : "diff", path, folder, ours_alone);
    found = found || section.options.size() > section.n_inherited;
  }
  return found;
}

}  // namespace qd::report
