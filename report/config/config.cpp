// Defaults of the settings, and where they are looked for.
#include "report/config/config.h"

#include <cstdlib>

namespace qd::report {

// The defaults of coverage.py 7.17.
Config::Config()
    : exclude_list{R"(#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(cover|COVER))",
                   R"(^\s*(((async )?def .*?)?[\])]+(\s*->.*?)?:\s*)?\.\.\.\s*(#|$))", R"(^\s*if (typing\.)?TYPE_CHECKING:)"},
      partial_always_list{R"(^\s*while (True|1|False|0):)", R"(^\s*if (True|1|False|0):)"},
      partial_list{R"(#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(branch|BRANCH))"} {}

Config read_config(const std::optional<std::string>& rcfile, const Warn& warn) {
  Config config;
  if (const char* file = std::getenv("COVERAGE_FILE"); file && *file) config.data_file = file;
  return config;
}

}  // namespace qd::report
