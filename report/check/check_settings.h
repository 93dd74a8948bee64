// Settings of [tool.qd-cov.check]: the checks that are on, the severity of their findings, and their parameters.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/config/config.h"
#include "report/config/glob_matcher.h"
#include "report/gate/gate.h"

namespace qd::report {

enum class SettingKind : uint8_t {
  Count,     // a whole number
  Fraction,  // from 0 to 100, with or without decimals
  List,      // patterns, files
  Limits,    // a list of numbers, and of "PATTERN=NUMBER" for some files
};

struct CheckSetting {
  const char* name;  // begins with the name of its check, if it belongs to one
  SettingKind kind;
  const char* standard;  // default value; elements of a list are separated by blanks
  const char* help;
};

/// Returns all settings but the severities.
std::span<const CheckSetting> all_check_settings();

/// A limit for all files, and limits for files of a pattern, which take precedence.
struct Limits {
  std::optional<double> all;
  std::vector<std::pair<GlobMatcher, double>> patterns;

  std::optional<double> of(const std::string& path) const;
};

class CheckSettings {
 public:
  /// Throws ConfigError for an unknown name or value.
  explicit CheckSettings(const Config& config);

  /// Configured severity of a check ("error"), if there is one.
  std::optional<std::string> severity(const std::string& check) const;
  const StringList& list(const std::string& name) const { return values_.at(name); }
  std::optional<int64_t> count(const std::string& name) const;
  std::optional<Threshold> fraction(const std::string& name) const;
  Limits limits(const std::string& name) const;

  /// Whether the setting `ignore` drops findings of a check in a file.
  bool ignored(const std::string& check, const std::string& path) const;

 private:
  std::map<std::string, StringList> values_;                  // by setting
  std::map<std::string, std::string> severities_;             // as configured
  std::vector<std::pair<std::string, GlobMatcher>> ignored_;  // check, or "*"
};

}  // namespace qd::report
