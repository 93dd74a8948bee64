// Options of configuration files.
#pragma once

#include <span>

#include "report/config/option_value.h"

namespace qd::report {

struct ConfigOption {
  const char* section;
  const char* name;
  void (*set)(Config& config, const OptionValue& value);
};

/// coverage.py's CONFIG_FILE_OPTIONS. [paths] and the sections of plug-ins are not in it.
std::span<const ConfigOption> config_options();

/// Sets an option by its name ("report:fail_under") as coverage.py's set_option() does: the value is taken as it is.
/// Throws ConfigError.
void set_option(Config& config, const std::string& name, ConfigValue value);

}  // namespace qd::report
