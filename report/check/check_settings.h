// [tool.qd-cov.check]: which checks are on, how much their findings weigh, and what they need to know.
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
  const char* name;  // begins with the name of its check, if it is of one
  SettingKind kind;
  const char* standard;  // when nothing is configured; pieces of a list are separated by blanks
  const char* help;
};

/// All settings but the severities.
std::span<const CheckSetting> all_check_settings();

/// A limit for all files, and others for files of a pattern, which are looked at first.
struct Limits {
  std::optional<double> all;
  std::vector<std::pair<GlobMatcher, double>> patterns;

  std::optional<double> of(const std::string& path) const;
};

class CheckSettings {
 public:
  /// Throws ConfigError for a name or value that there is not.
  explicit CheckSettings(const Config& config);

  /// What stands beside the name of a check ("error"), if anything does.
  std::optional<std::string> severity(const std::string& check) const;
  const StringList& list(const std::string& name) const { return values_.at(name); }
  std::optional<int64_t> count(const std::string& name) const;
  std::optional<Threshold> fraction(const std::string& name) const;
  Limits limits(const std::string& name) const;

  /// Whether `ignore` takes findings of a check in a file out.
  bool ignored(const std::string& check, const std::string& path) const;

 private:
  std::map<std::string, StringList> values_;                  // of every setting
  std::map<std::string, std::string> severities_;             // as configured
  std::vector<std::pair<std::string, GlobMatcher>> ignored_;  // check, or "*"
};

}  // namespace qd::report
