// Settings of checks: their table, and the configured values.
#include "report/check/check_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "report/check/check.h"

namespace qd::report {
namespace {

constexpr const char* kSection = "[tool.qd-cov.check]";

constexpr CheckSetting kSettings[] = {
    {"test-files", SettingKind::List, "test_*.py *_test.py conftest.py **/tests/** **/test/** *_test.cpp *_test.cc",
     "Files that are tests."},
    {"doc-files", SettingKind::List, "**/docs/** **/doc/** *.md *.rst *.adoc", "Files that are documentation."},
    {"source-files", SettingKind::List,
     "*.py *.pyi *.pyw *.pyx *.pxd *.c *.cc *.cpp *.cxx *.cu *.cuh *.h *.hh *.hpp *.hxx *.inl *.hip *.m *.mm *.rs *.go "
     "*.java *.kt *.swift *.js *.jsx *.ts *.tsx *.css *.html "
     "*.sh",
     "Files that are source, when they are neither of these."},
    {"ignore", SettingKind::List, "", "Findings to leave out: \"CHECK:PATTERN\", or \"*:PATTERN\" for all checks."},
    {"format", SettingKind::List, "text", "As --format."},
    {"change-size-max-source", SettingKind::Count, "", "Most lines of source that may be added and deleted together."},
    {"change-size-max-tests", SettingKind::Count, "", "The same of tests."},
    {"change-size-max-docs", SettingKind::Count, "", "The same of documentation."},
    {"change-size-min-test-ratio", SettingKind::Fraction, "",
     "Least lines of tests that come with each line of source: added ones of both."},
    {"deleted-comments-similarity", SettingKind::Fraction, "0.6",
     "Similarity, from 0 to 1, from which on a new comment replaces a deleted one."},
    {"slow-tests-junit", SettingKind::List, "", "JUnit XML files with the times of tests; wildcards do."},
    {"slow-tests-budget", SettingKind::Limits, "",
     "Seconds that a test may take; \"PATTERN=SECONDS\" for those of some files."},
    {"slow-tests-count", SettingKind::Count, "3", "Number of the slowest tests of each file that are listed."},
};

[[noreturn]] void refuse(const std::string& name, const std::string& value, const char* what) {
  throw ConfigError(fmt::format("Invalid {} {} value '{}': {}", kSection, name, value, what));
}

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc() || last != text.data() + text.size() || !std::isfinite(value) || value < 0)
    return std::nullopt;
  return value;
}

void check_limit(const CheckSetting& setting, const std::string& value) {
  size_t equals = value.rfind('=');
  if (equals == 0) refuse(setting.name, value, "has no pattern before '='");
  if (!parse_number(std::string_view(value).substr(equals == std::string::npos ? 0 : equals + 1)))
    refuse(setting.name, value, "is no number");
  if (equals != std::string::npos) GlobMatcher({value.substr(0, equals)});
}

/// Whether an element of a list looks like a check or a setting: an indented line of an INI file.
bool is_setting(const std::string& value) {
  const std::string name = value.substr(0, value.find_first_of(" ="));
  auto is_it = [&](const auto& one) { return name == one.name; };
  return value.find('=') != std::string::npos &&
         (std::ranges::any_of(all_checks(), is_it) || std::ranges::any_of(kSettings, is_it));
}

void check_values(const CheckSetting& setting, const StringList& values) {
  bool is_list = setting.kind == SettingKind::List || setting.kind == SettingKind::Limits;
  if (setting.kind == SettingKind::Limits && values.empty()) refuse(setting.name, "", "has no number");
  if (!is_list && values.size() != 1)
    refuse(setting.name, fmt::format("{}", fmt::join(values, ", ")), "takes one number");
  for (const std::string& value : values) {
    if (is_list && is_setting(value)) refuse(setting.name, value, "is a setting, which must not be indented");
    if (setting.kind == SettingKind::Fraction && !parse_threshold(value))
      refuse(setting.name, value, "is no number from 0 to 100");
    if (setting.kind == SettingKind::Count &&
        (value.empty() || value.size() > 9 || value.find_first_not_of("0123456789") != std::string::npos))
      refuse(setting.name, value, "is no whole number");
    if (setting.kind == SettingKind::Limits) check_limit(setting, value);
  }
}

StringList words(std::string_view text) {
  StringList result;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find(' ', at), text.size());
    result.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return result;
}

[[noreturn]] void refuse_name(const std::string& name) {
  std::vector<std::string> names;
  for (const Check& check : all_checks()) names.emplace_back(check.name);
  for (const CheckSetting& setting : kSettings) names.emplace_back(setting.name);
  throw ConfigError(fmt::format("{} has no setting '{}'; there are {}", kSection, name, fmt::join(names, ", ")));
}

}  // namespace

std::span<const CheckSetting> all_check_settings() { return kSettings; }

std::optional<double> Limits::of(const std::string& path) const {
  for (const auto& [pattern, limit] : patterns)
    if (pattern.match(path)) return limit;
  return all;
}

CheckSettings::CheckSettings(const Config& config) {
  for (const CheckSetting& setting : kSettings) values_[setting.name] = words(setting.standard);
  for (const CheckLine& line : config.check) {
    auto is_it = [&](const auto& row) { return line.name == row.name; };
    if (std::any_of(all_checks().begin(), all_checks().end(), is_it)) {
      const std::string value = fmt::format("{}", fmt::join(line.values, ", "));
      if (value != "error" && value != "warning" && value != "off")
        refuse(line.name, value, "is none of error, warning and off");
      severities_[line.name] = value;
      continue;
    }
    const CheckSetting* setting = std::find_if(std::begin(kSettings), std::end(kSettings), is_it);
    if (setting == std::end(kSettings)) refuse_name(line.name);
    const std::string all = fmt::format("{}", fmt::join(line.values, ", "));
    if (line.is_table && setting->kind != SettingKind::Limits) refuse(line.name, all, "is a table");
    if (line.has_numbers && setting->kind == SettingKind::List) refuse(line.name, all, "is no text");
    check_values(*setting, line.values);
    values_[line.name] = line.values;
  }
  for (const std::string& text : list("ignore")) {
    size_t colon = text.find(':');
    if (colon == std::string::npos || colon + 1 == text.size()) refuse("ignore", text, "is not like 'CHECK:PATTERN'");
    std::string check = text.substr(0, colon);
    if (check != "*") find_check(check, fmt::format("Invalid {} ignore value '{}'", kSection, text));
    ignored_.emplace_back(check, GlobMatcher({text.substr(colon + 1)}));
  }
}

std::optional<std::string> CheckSettings::severity(const std::string& check) const {
  auto found = severities_.find(check);
  return found == severities_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<int64_t> CheckSettings::count(const std::string& name) const {
  const StringList& values = list(name);
  return values.empty() ? std::nullopt : std::optional<int64_t>(std::stol(values[0]));
}

std::optional<Threshold> CheckSettings::fraction(const std::string& name) const {
  const StringList& values = list(name);
  return values.empty() ? std::nullopt : parse_threshold(values[0]);
}

Limits CheckSettings::limits(const std::string& name) const {
  Limits limits;
  for (const std::string& value : list(name)) {
    size_t equals = value.rfind('=');
    if (equals == std::string::npos)
      limits.all = parse_number(value);
    else
      limits.patterns.emplace_back(GlobMatcher({value.substr(0, equals)}),
                                   *parse_number(std::string_view(value).substr(equals + 1)));
  }
  return limits;
}

bool CheckSettings::ignored(const std::string& check, const std::string& path) const {
  return std::any_of(ignored_.begin(), ignored_.end(), [&](const auto& one) {
    return (one.first == "*" || one.first == check) && one.second.match(path);
  });
}

}  // namespace qd::report
