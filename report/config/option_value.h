// Option of a configuration file, converted to the type of its setting.
#pragma once

#include <string>

#include "report/config/config_file.h"

namespace qd::report {

/// Replaces $WORD, ${WORD}, ${WORD?}, ${WORD-default} and $$. Throws ConfigError when a ${WORD?} is not defined. With
/// `unset` nothing is thrown, and the first variable that is not defined and has no default is stored there.
std::string substitute_variables(const std::string& text, std::string* unset = nullptr);

/// `path` with a leading ~ or ~user replaced by that user's home.
std::string expand_user(const std::string& path);

/// An option with its position in a file. The conversions are those of coverage.py's two parsers, and throw InvalidFile
/// with their texts.
class OptionValue {
 public:
  /// `bare_section` is the section's name without a prefix.
  OptionValue(const ConfigFile& file, const ConfigSection& section, const std::string& option, const ConfigValue& value,
              const std::string& bare_section = {})
      : is_toml_(file.is_toml),
        section_(section.name),
        bare_section_(bare_section),
        option_(option),
        place_("[" + section.name + "]" + option),
        value_(value) {}

  std::string text() const;
  std::string file() const;
  bool boolean() const;
  int integer() const;
  double number() const;
  StringList list() const;
  /// Throws ConfigError for an invalid regular expression.
  StringList regex_list() const;

 private:
  /// The text with variables replaced; no value when TOML holds something else.
  std::optional<std::string> as_text() const;
  StringList toml_list() const;
  [[noreturn]] void not_a(const char* kind) const;
  [[noreturn]] void cannot_convert_to(const char* kind, const std::string& text) const;

  bool is_toml_;
  std::string section_, bare_section_, option_, place_;
  const ConfigValue& value_;
};

}  // namespace qd::report
