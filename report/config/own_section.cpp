// Settings that coverage.py does not have: [tool.qd-cov] of pyproject.toml, [qd-cov] of INI files, all of qd-cov.toml.
#include "report/config/own_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <span>

#include "report/config/config_file.h"
#include "report/config/coverage_version.h"
#include "report/config/option_value.h"

namespace qd::report {

namespace {

/// An option at its place in a file, and what TOML made of it.
struct Given {
  const OptionValue& option;
  const ConfigValue& value;
  std::string place;  // "[tool.qd-cov]inputs"

  /// A percentage as it was written, which a double might not be.
  std::string number_text() const {
    return text_of(value, [&] { return option.text(); });
  }

  /// A text with commas, or a list.
  StringList text_list() const {
    auto* text = std::get_if<std::string>(&value.value);
    if (!text) return option.list();
    StringList result;
    for (size_t start = 0; start <= text->size();) {
      size_t end = std::min(text->find_first_of(",\n", start), text->size());
      size_t first = std::min(text->find_first_not_of(" \t", start), end);
      size_t last = end;
      while (last > first && (*text)[last - 1] == ' ') --last;
      if (last > first) result.push_back(text->substr(first, last - first));
      start = end + 1;
    }
    return result;
  }

  /// A number, a text, or a list of them.
  StringList number_list() const {
    if (!std::holds_alternative<int64_t>(value.value) && !std::holds_alternative<double>(value.value)) {
      auto* list = std::get_if<std::vector<ConfigValue>>(&value.value);
      bool numbers = list && std::any_of(list->begin(), list->end(), [](const ConfigValue& one) {
                       return !std::holds_alternative<std::string>(one.value);
                     });
      if (!numbers) return option.list();
      StringList result;
      for (const ConfigValue& one : *list)
        result.push_back(text_of(one, [&]() -> std::string {
          if (auto* text = std::get_if<std::string>(&one.value)) return *text;
          throw InvalidFile(fmt::format("Option {} is neither a number nor a string: {}", place, one.repr()));
        }));
      return result;
    }
    return {number_text()};
  }

 private:
  static std::string text_of(const ConfigValue& value, const std::function<std::string()>& otherwise) {
    if (auto* number = std::get_if<int64_t>(&value.value)) return std::to_string(*number);
    if (auto* number = std::get_if<double>(&value.value)) return fmt::format("{}", *number);
    return otherwise();
  }
};

struct OwnOption {
  const char* name;
  void (*set)(Config& config, const Given& given);
};

constexpr OwnOption kOwnOptions[] = {
    {"conditions", [](Config& config, const Given& given) { config.conditions = given.option.boolean(); }},
    {"fail_under_conditions",
     [](Config& config, const Given& given) { config.fail_under_conditions = given.number_text(); }},
    {"fail_under_mcdc", [](Config& config, const Given& given) { config.fail_under_mcdc = given.number_text(); }},
    {"inputs", [](Config& config, const Given& given) { config.inputs = given.option.list(); }},
    {"src_roots", [](Config& config, const Given& given) { config.src_roots = given.text_list(); }},
    {"exclude_throw_branches",
     [](Config& config, const Given& given) { config.exclude_throw_branches = given.option.boolean(); }},
    {"by_arch", [](Config& config, const Given& given) { config.by_arch = given.option.boolean(); }},
    {"trend", [](Config& config, const Given& given) { config.trend = given.option.text(); }},
    {"record_commit", [](Config& config, const Given& given) { config.record_commit = given.option.boolean(); }},
    {"require_hashes", [](Config& config, const Given& given) { config.require_hashes = given.option.boolean(); }},
    {"mixed", [](Config& config, const Given& given) { config.mixed = given.option.boolean(); }},
    {"cache", [](Config& config, const Given& given) { config.cache = given.option.boolean(); }},
    {"coverage_version",
     [](Config& config, const Given& given) {
       // 7.10 as a number would be 7.1
       if (!std::holds_alternative<std::string>(given.value.value))
         throw InvalidFile(fmt::format("Option {} is not a string: {}", given.place, given.value.repr()));
       config.coverage_version = given.option.text();
       match_version(config, *config.coverage_version);
     }},
};

constexpr OwnOption kDiffOptions[] = {
    {"compare_branch", [](Config& config, const Given& given) { config.diff.compare_branch = given.option.text(); }},
    {"diff_range_notation",
     [](Config& config, const Given& given) { config.diff.diff_range_notation = given.option.text(); }},
    {"fail_under", [](Config& config, const Given& given) { config.diff.fail_under = given.number_list(); }},
    {"fail_under_branches",
     [](Config& config, const Given& given) { config.diff.fail_under_branches = given.number_text(); }},
    {"fail_under_new_files",
     [](Config& config, const Given& given) { config.diff.fail_under_new_files = given.number_text(); }},
    {"fail_under_total",
     [](Config& config, const Given& given) { config.diff.fail_under_total = given.number_text(); }},
    {"max_missing", [](Config& config, const Given& given) { config.diff.max_missing = given.number_text(); }},
    {"base", [](Config& config, const Given& given) { config.diff.base = given.option.text(); }},
    {"fail_under_base",
     [](Config& config, const Given& given) { config.diff.fail_under_base = given.option.boolean(); }},
    {"max_lost", [](Config& config, const Given& given) { config.diff.max_lost = given.number_text(); }},
    {"require_hashes", [](Config& config, const Given& given) { config.diff.require_hashes = given.option.boolean(); }},
    {"require_archs", [](Config& config, const Given& given) { config.diff.require_archs = given.text_list(); }},
    {"on_no_data", [](Config& config, const Given& given) { config.diff.on_no_data = given.option.text(); }},
    {"format", [](Config& config, const Given& given) { config.diff.format = given.text_list(); }},
    {"branch_coverage",
     [](Config& config, const Given& given) { config.diff.branch_coverage = given.option.boolean(); }},
    {"changed_lines", [](Config& config, const Given& given) { config.diff.changed_lines = given.option.text(); }},
    {"expand_coverage_report",
     [](Config& config, const Given& given) { config.diff.expand_coverage_report = given.option.boolean(); }},
    {"include_untracked",
     [](Config& config, const Given& given) { config.diff.include_untracked = given.option.boolean(); }},
    {"ignore_staged", [](Config& config, const Given& given) { config.diff.ignore_staged = given.option.boolean(); }},
    {"ignore_unstaged",
     [](Config& config, const Given& given) { config.diff.ignore_unstaged = given.option.boolean(); }},
    {"ignore_whitespace",
     [](Config& config, const Given& given) { config.diff.ignore_whitespace = given.option.boolean(); }},
    {"minimum_change", [](Config& config, const Given& given) { config.diff.minimum_change = given.number_text(); }},
    {"diff_file", [](Config& config, const Given& given) { config.diff.diff_file = given.option.text(); }},
    {"include", [](Config& config, const Given& given) { config.diff.include = given.text_list(); }},
    {"exclude", [](Config& config, const Given& given) { config.diff.exclude = given.text_list(); }},
    {"show_uncovered", [](Config& config, const Given& given) { config.diff.show_uncovered = given.option.boolean(); }},
    {"quiet", [](Config& config, const Given& given) { config.diff.quiet = given.option.boolean(); }},
    {"src_roots", [](Config& config, const Given& given) { config.src_roots = given.text_list(); }},
    {"total_percent_float",
     [](Config& config, const Given& given) { config.diff.total_percent_float = given.option.boolean(); }},
};

// Options of diff-cover that are not needed here.
constexpr const char* kNeedless[] = {"show_covered", "external_css_file"};

void read_section(Config& config, const ConfigFile& file, const ConfigSection& section,
                  std::span<const OwnOption> options, const std::string& path, const Warn& warn) {
  for (const auto& [name, value] : section.options) {
    bool is_table =
        std::any_of(file.sections.begin(), file.sections.end(), [&, &key = name](const ConfigSection& other) {
          return other.name == (section.name.empty() ? key : section.name + "." + key);
        });
    if (file.is_toml && is_table) continue;  // has a section of its own
    auto option = std::find_if(options.begin(), options.end(),
                               [&, &key = name](const OwnOption& one) { return key == one.name; });
    if (option == options.end())
      warn(fmt::format("Unrecognized option '[{}] {}=' in config file {}", section.name, name, path));
    else
      option->set(config, {OptionValue(file, section, name, value), value, fmt::format("[{}]{}", section.name, name)});
  }
}

/// Any name goes here: the checks know which are valid.
void read_check_section(Config& config, const ConfigFile& file, const ConfigSection& section) {
  for (const auto& [name, value] : section.options) {
    Given given{OptionValue(file, section, name, value), value, fmt::format("[{}]{}", section.name, name)};
    CheckLine line{name, {}};
    std::replace(line.name.begin(), line.name.end(), '_', '-');
    if (auto* flag = std::get_if<bool>(&value.value))
      line.values = {*flag ? "true" : "false"};
    else if (file.is_toml && std::holds_alternative<std::string>(value.value))
      line.values = {given.option.text()};
    else
      line.values = given.number_list();
    config.check.push_back(std::move(line));
  }
}

/// The names of our section, of the one for diff and of the one for check.
std::array<std::string, 3> names(const ConfigFile& file, const std::string& path) {
  if (!file.is_toml) return {"qd-cov", "qd-cov:diff", "qd-cov:check"};
  if (std::filesystem::path(path).filename() == kOwnFile) return {"", "diff", "check"};
  return {"tool.qd-cov", "tool.qd-cov.diff", "tool.qd-cov.check"};
}

}  // namespace

void read_diff_cover_section(Config& config, const std::string& path, const Warn& warn) {
  constexpr const char* kName = "tool.diff_cover";
  std::optional<ConfigFile> file;
  try {
    file = read_toml(path, false);
    if (!file) throw ConfigError(fmt::format("Couldn't read '{}' as a config file", path));
    bool found = false;
    for (ConfigSection& section : file->sections) {
      if (section.name == std::string(kName) + ".format")
        for (const auto& [format, target] : section.options)
          if (auto* text = std::get_if<std::string>(&target.value))
            config.diff.format.push_back(format + (text->empty() ? "" : ":" + *text));
      if (section.name != kName) continue;
      found = true;
      std::erase_if(section.options, [](const auto& option) {
        return std::find(std::begin(kNeedless), std::end(kNeedless), option.first) != std::end(kNeedless);
      });
      read_section(config, *file, section, kDiffOptions, path, warn);
    }
    if (!found) throw ConfigError(fmt::format("No 'tool.diff_cover' configuration available in '{}'", path));
  } catch (const InvalidFile& error) {
    throw ConfigError(fmt::format("Couldn't read config file {}: {}", path, error.what()));
  }
}

bool read_own_section(Config& config, const ConfigFile& file, const std::string& path, const Warn& warn) {
  auto [own, diff, check] = names(file, path);
  bool found = false;
  for (const ConfigSection& section : file.sections) {
    if (section.name != own && section.name != diff && section.name != check) continue;
    found = true;
    if (section.name == check)
      read_check_section(config, file, section);
    else
      read_section(config, file, section, section.name == own ? std::span<const OwnOption>(kOwnOptions) : kDiffOptions,
                   path, warn);
  }
  return found;
}

}  // namespace qd::report
