// What a file is for: source, tests or documentation, by patterns.
#pragma once

#include <cstdint>
#include <string>

#include "report/check/check_settings.h"

namespace qd::report {

enum class Area : uint8_t { Source, Tests, Docs, Other };

/// "source", "tests", "docs", "other".
const char* name(Area area);

class Areas {
 public:
  explicit Areas(const CheckSettings& settings);

  /// `path` from the top of the working tree. Tests go first, then documentation.
  Area of(const std::string& path) const;

 private:
  GlobMatcher tests_, docs_, source_;
};

}  // namespace qd::report
