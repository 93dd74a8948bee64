// Areas of files: source, tests or documentation, by patterns.
#pragma once

#include <cstdint>
#include <string>

#include "report/check/check_settings.h"

namespace qd::report {

enum class Area : uint8_t { Source, Tests, Docs, Other };

/// Name of an area: "source", "tests", "docs", "other".
const char* name(Area area);

class Areas {
 public:
  explicit Areas(const CheckSettings& settings);

  /// Area of a path, which starts at the top of the working tree. Patterns of tests go first, then documentation.
  Area of(const std::string& path) const;

 private:
  GlobMatcher tests_, docs_, source_;
};

}  // namespace qd::report
