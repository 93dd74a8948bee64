// Values of our own settings, with strict conversion: a value that the command line would refuse is refused here.
#pragma once

#include <string>

#include "report/config/config_file.h"
#include "report/config/own_options.h"

namespace qd::report {

/// An option with its position in a file.
struct OwnPlace {
  const ConfigFile& file;
  const ConfigSection& section;
  const std::string& name;
  const ConfigValue& value;

  std::string text() const { return "[" + section.name + "]" + name; }
};

/// Texts of a value: "true" or "false" for a flag, "90" for a number as it was written, "src/**=90" for an entry of a
/// table. Never empty, except for a list of Texts or List. Throws InvalidFile, which names the place, for a value of
/// another type, for an empty one, and for a variable of the environment that is not set.
StringList own_values(const OwnPlace& place, OwnKind kind);

}  // namespace qd::report
