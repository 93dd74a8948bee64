// Reading of TOML files with toml++; every table becomes a section with its dotted name, what stands before them one
// without a name.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include "report/config/config_file.h"

namespace qd::report {

namespace {

ConfigValue convert(const toml::node& node) {
  if (auto text = node.value_exact<std::string>()) return {*text};
  if (auto flag = node.value_exact<bool>()) return {*flag};
  if (auto number = node.value_exact<int64_t>()) return {*number};
  if (auto number = node.value_exact<double>()) return {*number};
  if (const toml::array* array = node.as_array()) {
    std::vector<ConfigValue> list;
    for (const toml::node& item : *array) list.push_back(convert(item));
    return {list};
  }
  std::ostringstream shown;
  if (const toml::table* table = node.as_table())
    shown << *table;
  else
    node.visit([&](const auto& value) {
      if constexpr (toml::is_value<decltype(value)>) shown << value.get();
    });
  return {ConfigValue::Other{shown.str()}};
}

void add_sections(const toml::table& table, const std::string& name, std::vector<ConfigSection>& sections) {
  // toml++ sorts by name, but the first pattern of [paths] that fits wins: back to the order of the file.
  std::vector<std::pair<std::string, const toml::node*>> entries;
  for (const auto& [key, node] : table) entries.emplace_back(key.str(), &node);
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    const toml::source_position &x = a.second->source().begin, &y = b.second->source().begin;
    return std::tie(x.line, x.column) < std::tie(y.line, y.column);
  });
  bool has_values =
      std::any_of(entries.begin(), entries.end(), [](const auto& entry) { return !entry.second->is_table(); });
  if (!name.empty() || has_values) {
    sections.push_back({name, {}});
    for (const auto& [key, node] : entries) sections.back().options.emplace_back(key, convert(*node));
  }
  for (const auto& [key, node] : entries)
    if (const toml::table* inner = node->as_table())
      add_sections(*inner, name.empty() ? key : name + "." + key, sections);
}

}  // namespace

std::optional<ConfigFile> read_toml(const std::string& path, bool our_file) {
  std::optional<std::string> text = read_text(path);
  if (!text) return std::nullopt;
  // toml++ would skip a second one.
  if (text->starts_with(kByteOrderMark)) throw InvalidFile("Invalid statement (at line 1, column 1)");
  ConfigFile file;
  file.is_toml = true;
  file.prefixes =
      our_file ? std::vector<std::string>{"tool.coverage.", ""} : std::vector<std::string>{"tool.coverage."};
  try {
    add_sections(toml::parse(*text), "", file.sections);
  } catch (const toml::parse_error& error) {
    throw InvalidFile(fmt::format("{} (at line {}, column {})", error.description(),
                                  static_cast<unsigned>(error.source().begin.line),
                                  static_cast<unsigned>(error.source().begin.column)));
  }
  return file;
}

}  // namespace qd::report
