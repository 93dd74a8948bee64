// Names of sections, compared by their letters alone, with room for one typing mistake.
#include "report/config/own_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "report/config/near_name.h"
#include "report/config/own_options.h"

namespace qd::report {

namespace {

/// Part of our settings that a section's name was meant for: "", "diff" or "check"; nothing for any other section.
std::optional<std::string> meant_part(const std::string& section) {
  StringList parts = parts_of(section);
  size_t i = 0;
  auto is_prefix = [&](const char* prefix) { return is_near(parts[i], prefix); };
  while (i < parts.size() && (is_prefix("tool") || is_prefix("coverage") || is_prefix("project"))) ++i;
  if (i == parts.size()) return std::nullopt;
  for (const char* part : {"diff", "check"})
    if (is_near(parts[i], std::string("qdcov") + part)) return part;
  if (i + 1 < parts.size() && letters_of(parts[i] + parts[i + 1]) == "qdcov")
    ++i;  // "qd.cov"
  else if (!is_near(parts[i], "qdcov"))
    return std::nullopt;
  return i + 1 < parts.size() ? near_name(letters_of(parts[i + 1]), {"diff", "check"}) : "";
}

/// Whether a section of another name has gates of ours: "[diff]", the form of kOwnFile, in another file.
bool has_our_gates(const ConfigSection& section) {
  const StringList parts = parts_of(section.name);
  if (parts.empty() || !is_near(parts.back(), "diff")) return false;
  return std::any_of(section.options.begin(), section.options.end() - static_cast<std::ptrdiff_t>(section.n_inherited),
                     [](const auto& option) {
                       const OwnOption* own = find_own_option("diff", option.key);
                       return own && own->is_gate();
                     });
}

[[noreturn]] void refuse_section(const OwnNames& names, const std::string& section, const std::string& part,
                                 const std::string& path) {
  const std::string& meant = part == "diff" ? names.diff : part == "check" ? names.check : names.own;
  const std::string hint = meant.empty()
                               ? "this file has '[diff]' and '[check]', and before them the keys of '[tool.qd-cov]'"
                               : fmt::format("did you mean '[{}]'?", meant);
  throw ConfigError(fmt::format("Unrecognized section '[{}]' in config file {}; {}", section, path, hint));
}

[[noreturn]] void refuse_list_of_tables(const std::string& section, const std::string& path) {
  throw ConfigError(fmt::format(
      "'[[{0}]]' in config file {1} is a list of tables, and settings stand in one: write '[{0}]'", section, path));
}

/// Throws for a value that is in the place of a section of ours and is no table.
void refuse_values(const OwnNames& names, const std::string& name, const ConfigValue& value, const std::string& path) {
  if (std::optional<std::string> part = meant_part(name)) {
    if (is_list_of_tables(value)) refuse_list_of_tables(name, path);
    refuse_section(names, name, *part, path);
  }
  if (!is_list_of_tables(value)) return;
  for (const ConfigValue& item : std::get<std::vector<ConfigValue>>(value.value))
    if (auto* table = std::get_if<ConfigValue::Table>(&item.value))
      for (const auto& [key, inner] : *table)
        if (meant_part(name + "." + key)) refuse_list_of_tables(name, path);
}

}  // namespace

OwnNames::OwnNames(const ConfigFile& file, const std::string& path) {
  if (!file.is_toml)
    own = "qd-cov", diff = "qd-cov:diff", check = "qd-cov:check";
  else if (std::filesystem::path(path).filename() == kOwnFile)
    diff = "diff", check = "check";
  else
    own = "tool.qd-cov", diff = "tool.qd-cov.diff", check = "tool.qd-cov.check";
}

std::string letters_of(const std::string& name) {
  std::string letters;
  for (char c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) letters += c;
  }
  return letters;
}

bool is_near(const std::string& name, const std::string& other) {
  constexpr size_t kLongest = 64;
  if (name.size() > kLongest || other.size() > kLongest) return false;
  return typing_mistakes(letters_of(name), letters_of(other)) <= 1;
}

StringList parts_of(const std::string& section) {
  StringList parts;
  for (size_t start = 0; start <= section.size();) {
    const size_t end = std::min(section.find_first_of(".: \t", start), section.size());
    if (end > start) parts.push_back(section.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

bool is_list_of_tables(const ConfigValue& value) {
  auto* list = std::get_if<std::vector<ConfigValue>>(&value.value);
  return list && std::any_of(list->begin(), list->end(), [](const ConfigValue& item) {
           return std::holds_alternative<ConfigValue::Table>(item.value);
         });
}

void refuse_stray_sections(const ConfigFile& file, const std::string& path, bool ours_alone) {
  const OwnNames names(file, path);
  auto is_ours = [&](const std::string& name) {
    if (!file.is_toml) return name == names.own || name == names.diff || name == names.check;
    if (name == names.own) return true;
    for (const std::string& one : {names.own, names.diff, names.check})
      if (!one.empty() && (name == one || name.starts_with(one + "."))) return true;
    return false;
  };
  for (const ConfigSection& section : file.sections) {
    if (is_ours(section.name)) continue;
    const std::optional<std::string> part = meant_part(section.name);
    if (!part && has_our_gates(section)) refuse_section(names, section.name, "diff", path);
    // [tool] of [tool.qd-cov.diff] is implicit: its tables are checked by themselves.
    const bool only_tables =
        file.is_toml && std::all_of(section.options.begin(), section.options.end(), [](const auto& option) {
          return std::holds_alternative<ConfigValue::Table>(option.value.value);
        });
    const std::string first = section.name.substr(0, section.name.find('.'));
    if (names.own.empty() && file.is_toml && (is_near(first, "diff") || is_near(first, "check")))
      refuse_section(names, section.name, is_near(first, "diff") ? "diff" : "check", path);
    const bool leads_to_us = only_tables && meant_part(section.name + ".qd-cov");
    if (part ? !only_tables : ours_alone && !leads_to_us) refuse_section(names, section.name, part.value_or(""), path);
    if (!file.is_toml) continue;
    for (const auto& [name, value] : section.options)
      if (!std::holds_alternative<ConfigValue::Table>(value.value))
        refuse_values(names, section.name.empty() ? name : section.name + "." + name, value, path);
  }
}

void refuse_option(const OwnNames& names, const std::string& part, const std::string& section,
                   const std::string& option, const ConfigValue& value, const std::string& path) {
  if (part.empty() && (option == "diff" || option == "check")) {
    const std::string& name = option == "diff" ? names.diff : names.check;
    if (is_list_of_tables(value)) refuse_list_of_tables(name, path);
    throw ConfigError(
        fmt::format("Option [{}]{} in config file {} is not a table: {}", section, option, path, value.repr()));
  }
  const bool is_table = std::holds_alternative<ConfigValue::Table>(value.value);
  std::string word = option, meant, elsewhere;
  for (char& c : word) c = c == '-' ? '_' : (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
  StringList here, others;
  for (const OwnOption& one : own_options()) (one.section == part ? here : others).emplace_back(one.name);
  if (is_table && part.empty()) here.insert(here.end(), {"diff", "check"});
  const std::string other = part.empty() ? names.diff : names.own;
  std::string hint = fmt::format("there are {}", fmt::join(here, ", "));
  if (std::find(others.begin(), others.end(), word) != others.end())
    hint = other.empty() ? "it stands before the first section" : fmt::format("it belongs to '[{}]'", other);
  else if (std::string near = near_name(word, here); !near.empty())
    hint = fmt::format("did you mean '{}'?", near);
  else if (near = near_name(word, others); !near.empty())
    hint = fmt::format("did you mean '{}' of '[{}]'?", near, other);
  if (is_table)
    throw ConfigError(fmt::format("Unrecognized section '[{}{}]' in config file {}; {}",
                                  section.empty() ? "" : section + ".", option, path, hint));
  throw ConfigError(fmt::format("Unrecognized option '[{}] {}=' in config file {}; {}", section, option, path, hint));
}

}  // namespace qd::report
