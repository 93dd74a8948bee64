// A configuration file as sections of options, the same for INI and TOML.
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
    std::string repr;  // a date: nothing an option can be, so only for messages
  };
  using Table = std::vector<std::pair<std::string, ConfigValue>>;  // in the order of the file
  std::variant<std::string, bool, int64_t, double, std::vector<ConfigValue>, Table, Other> value;

  /// As Python's repr would show it.
  std::string repr() const;
};

struct ConfigSection {
  std::string name;  // as in the file, "coverage:run" or "tool.coverage.run"
  ConfigValue::Table options;
  size_t n_inherited = 0;  // the last options, which [DEFAULT] of an INI file gives to every section

  const ConfigValue* find(const std::string& option) const;
};

struct ConfigFile {
  bool is_toml = false;
  std::vector<std::string> prefixes;  // what may stand before a section's name, best first
  std::vector<ConfigSection> sections;

  /// The section called `name`, with the first prefix for which there is one.
  const ConfigSection* find(const std::string& name) const;
};

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The bytes of a configuration file without a byte order mark, their line ends made \n. Throws InvalidFile for what is
/// no UTF-8.
std::string config_text(std::string bytes);
/// config_text() of a file; no value when it cannot be read.
std::optional<std::string> read_text(const std::string& path);

/// Reads `path` as Python's configparser or tomllib would. `our_file`: sections need no prefix.
/// No value when `read` has none, as when the file cannot be opened. Throws InvalidFile.
std::optional<ConfigFile> read_ini(const std::string& path, bool our_file, const ReadText& read = read_text);
std::optional<ConfigFile> read_toml(const std::string& path, bool our_file, const ReadText& read = read_text);
/// The one of both that the name's extension says.
std::optional<ConfigFile> read_config_file(const std::string& path, bool our_file, const ReadText& read = read_text);

}  // namespace qd::report
