// Misplaced gates. coverage.py ignores such a setting, or warns. Here it is a gate that would pass with any coverage.
#include "report/config/own_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/config/near_name.h"
#include "report/regex/python_text.h"

namespace qd::report {

namespace {

constexpr std::array kSections = {"report", "run", "html", "xml", "json", "lcov", "paths"};

bool is_gate(const std::string& option) {
  constexpr size_t kMostMistakes = 2, kLongest = 32;
  const std::string letters = letters_of(option);
  return option.size() <= kLongest &&
         (typing_mistakes(letters, "failunder") <= kMostMistakes || letters == "covfailunder");  // pytest-cov's name
}

/// Whether a section was meant to be one of coverage.py's.
bool is_coverages(const std::string& section, bool other_tools_too) {
  StringList parts = parts_of(section);
  if (!parts.empty() && is_near(parts[0], "tool")) parts.erase(parts.begin());
  const bool has_prefix = !parts.empty() && is_near(parts[0], "coverage");
  if (has_prefix) parts.erase(parts.begin());
  if (parts.empty()) return has_prefix || section.empty();
  auto is_section = [&](const char* name) { return is_near(parts[0], name); };
  if (parts.size() > 1) return false;
  return is_section(kSections[0]) ||
         ((has_prefix || !other_tools_too) && std::any_of(kSections.begin(), kSections.end(), is_section));
}

class Search {
 public:
  Search(const ConfigFile& file, const std::string& path) : file_(file), path_(path), report_(file.find("report")) {}

  StringList found() {
    for (const ConfigSection& section : file_.sections) {
      for (size_t i = 0; i < section.options.size() - section.n_inherited; ++i) {
        const auto& [name, value] = section.options[i];
        if (std::holds_alternative<ConfigValue::Table>(value.value) && !is_gate(name)) continue;
        look_at(section.name, name, &section == report_);
        if (is_list_of_tables(value)) look_into(section.name.empty() ? name : section.name + "." + name, value);
      }
    }
    for (const SwallowedSetting& one : swallowed_settings(file_))
      if (one.name == "fail_under" && is_coverages(one.section, other_tools_too()) &&
          !(report_ && report_->find("fail_under")))
        found_.push_back(one.error(path_));
    return std::move(found_);
  }

 private:
  bool other_tools_too() const {
    return std::find(file_.prefixes.begin(), file_.prefixes.end(), "") == file_.prefixes.end();
  }

  void look_at(const std::string& section, const std::string& option, bool is_read) {
    if (!is_gate(option) || (is_read && option == "fail_under")) return;
    if (!is_coverages(section, other_tools_too())) return;
    // Another tool's section, such as [report] of tox.ini, where coverage.py's own section has the gate.
    if (other_tools_too() && parts_of(section).size() == 1 && report_ && report_->find("fail_under")) return;
    if (section.empty() && letters_of(option) != "failunder") return;
    const std::string right = report_ ? report_->name : file_.prefixes.back() + "report";
    found_.push_back(fmt::format("'[{}] {}' in config file {} is not read; did you mean '[{}] fail_under'?", section,
                                 option, path_, right));
  }

  void look_into(const std::string& section, const ConfigValue& list) {
    for (const ConfigValue& item : std::get<std::vector<ConfigValue>>(list.value))
      if (auto* table = std::get_if<ConfigValue::Table>(&item.value))
        for (const auto& [name, value] : *table) look_at(section, name, false);
  }

  const ConfigFile& file_;
  const std::string& path_;
  const ConfigSection* report_;
  StringList found_;
};

}  // namespace

std::string SwallowedSetting::error(const std::string& path) const {
  return fmt::format("'{}' in config file {} is not read: it is indented, so it belongs to the value of '{}'", name,
                     path, value_of);
}

std::vector<SwallowedSetting> swallowed_settings(const ConfigFile& file) {
  std::vector<SwallowedSetting> result;
  if (file.is_toml) return result;
  for (const ConfigSection& section : file.sections)
    for (size_t i = 0; i < section.options.size() - section.n_inherited; ++i) {
      const auto& [option, value] = section.options[i];
      const StringList lines = python_splitlines(std::get<std::string>(value.value));
      std::string in = section.name;
      for (size_t k = 1; k < lines.size(); ++k) {
        const size_t end = lines[k].find_first_of("=:");
        if (lines[k].starts_with('[') && lines[k].ends_with(']'))
          in = lines[k].substr(1, lines[k].size() - 2);
        else if (end != std::string::npos)
          result.push_back({in, python_strip(lines[k].substr(0, end)), fmt::format("[{}] {}", section.name, option)});
      }
    }
  return result;
}

StringList misplaced_gates(const ConfigFile& file, const std::string& path) { return Search(file, path).found(); }

}  // namespace qd::report
