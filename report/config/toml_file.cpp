// TOML reader with toml++; every table becomes a section with its dotted name, keys before the first table one without
// a name.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include "report/config/config_file.h"

namespace qd::report {

namespace {

/// Entries of a table in the order of the file. toml++ sorts by name, but the first pattern of [paths] that fits wins.
std::vector<std::pair<std::string, const toml::node*>> in_order(const toml::table& table) {
  std::vector<std::pair<std::string, const toml::node*>> entries;
  for (const auto& [key, node] : table) entries.emplace_back(key.str(), &node);
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    const toml::source_position &x = a.second->source().begin, &y = b.second->source().begin;
    return std::tie(x.line, x.column) < std::tie(y.line, y.column);
  });
  return entries;
}

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
  if (const toml::table* table = node.as_table()) {
    ConfigValue::Table result;
    for (const auto& [key, value] : in_order(*table)) result.emplace_back(key, convert(*value));
    return {result};
  }
  std::ostringstream shown;
  node.visit([&](const auto& value) {
    if constexpr (toml::is_value<decltype(value)>) shown << value.get();
  });
  return {ConfigValue::Other{shown.str()}};
}

void add_sections(const ConfigValue::Table& table, const std::string& name, std::vector<ConfigSection>& sections) {
  auto as_table = [](const ConfigValue& value) { return std::get_if<ConfigValue::Table>(&value.value); };
  bool has_values = std::any_of(table.begin(), table.end(), [&](const auto& entry) { return !as_table(entry.value); });
  if (!name.empty() || has_values) sections.push_back({name, table, 0});
  for (const auto& [key, value] : table)
    if (const ConfigValue::Table* inner = as_table(value))
      add_sections(*inner, name.empty() ? key : name + "." + key, sections);
}

}  // namespace

std::optional<ConfigFile> read_toml(const std::string& path, bool our_file, const ReadText& read) {
  std::optional<std::string> text = read(path);
  if (!text) return std::nullopt;
  // A second byte order mark, which toml++ would skip.
  if (text->starts_with(kByteOrderMark)) throw InvalidFile("Invalid statement (at line 1, column 1)");
  if (const std::optional<int> line = line_of_deep_toml(*text))
    throw InvalidFile(fmt::format("Tables and lists are nested more than {} deep (at line {})", kDeepestToml, *line));
  ConfigFile file;
  file.is_toml = true;
  file.prefixes =
      our_file ? std::vector<std::string>{"tool.coverage.", ""} : std::vector<std::string>{"tool.coverage."};
  try {
    add_sections(std::get<ConfigValue::Table>(convert(toml::parse(*text)).value), "", file.sections);
  } catch (const toml::parse_error& error) {
    throw InvalidFile(fmt::format("{} (at line {}, column {})", error.description(),
                                  static_cast<unsigned>(error.source().begin.line),
                                  static_cast<unsigned>(error.source().begin.column)));
  }
  return file;
}

}  // namespace qd::report
