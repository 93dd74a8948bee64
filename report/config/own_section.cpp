// Settings that coverage.py does not have: [tool.qd-cov] of pyproject.toml, [qd-cov] of the other files.
#include "report/config/own_section.h"

#include <fmt/format.h>

#include <array>

#include "report/config/config_file.h"
#include "report/config/coverage_version.h"
#include "report/config/option_value.h"

namespace qd::report {

namespace {

constexpr std::array kNames = {"qd-cov", "tool.qd-cov"};

/// A percentage as it was written, which a double might not be.
std::string number_text(const ConfigValue& value, const OptionValue& option) {
  if (auto* number = std::get_if<int64_t>(&value.value)) return std::to_string(*number);
  if (auto* number = std::get_if<double>(&value.value)) return fmt::format("{}", *number);
  return option.text();
}

}  // namespace

bool read_own_section(Config& config, const ConfigFile& file, const std::string& path, const Warn& warn) {
  bool found = false;
  for (const ConfigSection& section : file.sections) {
    if (section.name != kNames[file.is_toml ? 1 : 0]) continue;
    found = true;
    for (const auto& [name, value] : section.options) {
      OptionValue option(file, section, name, value);
      if (name == "conditions") {
        config.conditions = option.boolean();
      } else if (name == "fail_under_conditions") {
        config.fail_under_conditions = number_text(value, option);
      } else if (name == "fail_under_mcdc") {
        config.fail_under_mcdc = number_text(value, option);
      } else if (name == "inputs") {
        config.inputs = option.list();
      } else if (name == "mixed") {
        config.mixed = option.boolean();
      } else if (name == "cache") {
        config.cache = option.boolean();
      } else if (name == "coverage_version") {
        // 7.10 as a number would be 7.1
        if (!std::holds_alternative<std::string>(value.value)) throw InvalidFile(fmt::format("Option [{}]{} is not a string: {}", section.name, name, value.repr()));
        config.coverage_version = option.text();
        match_version(config, *config.coverage_version);
      } else {
        warn(fmt::format("Unrecognized option '[{}] {}=' in config file {}", section.name, name, path));
      }
    }
  }
  return found;
}

}  // namespace qd::report
