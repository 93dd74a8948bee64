// Configuration file as sections of options, the same for INI and TOML.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "report/config/config.h"

namespace qd::report {

/// An error in a file. The reader of the configuration adds the file's name and throws a ConfigError.
struct InvalidFile : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A value of TOML. INI values are all text.
struct ConfigValue {
  struct Other {
    std::string repr;  // a date: not valid for any option, so only for messages
  };
  struct Entry;
  using Table = std::vector<Entry>;  // in the order of the file
  std::variant<std::string, bool, int64_t, double, std::vector<ConfigValue>, Table, Other> value;

  /// Python's repr of the value.
  std::string repr() const;
};
struct ConfigValue::Entry {
  std::string key;
  ConfigValue value;
};

struct ConfigSection {
  std::string name;  // as written: "coverage:run" or "tool.coverage.run"
  ConfigValue::Table options;
  size_t n_inherited = 0;  // number of options at the end that come from [DEFAULT] of an INI file

  const ConfigValue* find(const std::string& option) const;
};

struct ConfigFile {
  bool is_toml = false;
  std::vector<std::string> prefixes;  // prefixes of section names, best first
  std::vector<ConfigSection> sections;

  /// Finds the section called `name`, with the first prefix for which there is one.
  const ConfigSection* find(const std::string& name) const;
};

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Bytes of a configuration file without a byte order mark, their line ends made \n. Throws InvalidFile for text that
/// is not UTF-8.
std::string config_text(std::string bytes);
/// config_text() of a file; no value when it cannot be read.
std::optional<std::string> read_text(const std::string& path);

/// Reads `path` as Python's configparser or tomllib would. `our_file`: sections need no prefix.
/// No value when `read` has none, as when the file cannot be opened. Throws InvalidFile.
std::optional<ConfigFile> read_ini(const std::string& path, bool our_file, const ReadText& read = read_text);
std::optional<ConfigFile> read_toml(const std::string& path, bool our_file, const ReadText& read = read_text);
/// Reads with the one of both that fits the extension of the name.
std::optional<ConfigFile> read_config_file(const std::string& path, bool our_file, const ReadText& read = read_text);

// Nesting depth of tables and lists in a TOML text, checked before a parser recurses into them.

/// Largest depth of tables within tables and lists within lists; each part of a dotted name counts.
inline constexpr int kDeepestToml = 100;

/// Line (from 1) on which a text is nested deeper than kDeepestToml; none when it never is. Invalid TOML is left to the
/// parser.
std::optional<int> line_of_deep_toml(std::string_view text);

}  // namespace qd::report
