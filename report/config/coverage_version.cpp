// Versions of coverage.py in which defaults changed.
#include "report/config/coverage_version.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <sstream>

#include "report/config/config_file.h"

namespace qd::report {

namespace {

using Version = std::array<int, 3>;

Version parse_version(const std::string& text) {
  Version version;
  version.fill(std::numeric_limits<int>::max());
  std::stringstream stream(text);
  size_t n = 0;
  for (std::string part; std::getline(stream, part, '.'); ++n) {
    bool is_number = !part.empty() && part.size() < 6 &&
                     std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!is_number || n == version.size())
      throw InvalidFile(fmt::format("coverage_version {} is not a version of coverage.py", ConfigValue{text}.repr()));
    version[n] = std::stoi(part);
  }
  if (n == 0 || text.ends_with('.'))
    throw InvalidFile(fmt::format("coverage_version {} is not a version of coverage.py", ConfigValue{text}.repr()));
  return version;
}

}  // namespace

bool matches_since(const std::string& version, int major, int minor, int patch) {
  return parse_version(version) >= Version{major, minor, patch};
}

void match_version(Config& config, const std::string& text) {
  Version version = parse_version(text);
  auto since = [&](int major, int minor, int patch) { return version >= Version{major, minor, patch}; };
  config.exclusions.by_line = !since(7, 6, 0);
  config.exclusions.by_token = !since(7, 5, 2);
  config.exclusions.exclude = {R"(#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(cover|COVER))"};
  config.exclusions.partial = {R"(#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(branch|BRANCH))"};
  if (since(7, 14, 3))
    config.exclusions.exclude.push_back(R"(^\s*(((async )?def .*?)?[\])]+(\s*->.*?)?:\s*)?\.\.\.\s*(#|$))");
  else if (since(7, 10, 0))
    config.exclusions.exclude.push_back(R"(^\s*(((async )?def .*?)?\)(\s*->.*?)?:\s*)?\.\.\.\s*(#|$))");
  std::string start =
      since(7, 17, 0) ? R"(^\s*)" : "";  // since then, patterns of code do not match in comments and texts
  config.exclusions.partial_always = {start + "while (True|1|False|0):", start + "if (True|1|False|0):"};
  if (since(7, 10, 1))
    config.exclusions.exclude.push_back(start + R"(if (typing\.)?TYPE_CHECKING:)");
  else if (since(7, 10, 0))
    config.exclusions.partial_always.push_back(R"(if (typing\.)?TYPE_CHECKING:)");
}

}  // namespace qd::report
