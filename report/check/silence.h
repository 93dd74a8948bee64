// Comments that silence findings: "# qd-cov: ignore" for all checks, "# qd-cov: ignore[slow-tests, change-size]" for
// some.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "report/check/check.h"

namespace qd::report {

struct Silencer {
  int32_t line = 0;    // where the comment stands
  int32_t target = 0;  // the line that it is about: its own or, when nothing else stands there, the next one that is
                       // more than a comment
  std::vector<std::string> checks;  // empty: all
};

/// Those of a source; of a file that is not Python (by its name) those behind "//", "#" or "/*".
std::vector<Silencer> find_silencers(const std::string& path, const std::string& bytes);

/// Takes out of `report` what comments silence. Comments that a check has looked at and that silence nothing become
/// findings of unused-ignore when `report_unused`. `ran`: the checks that did. `ran_all`: whether they are all that
/// there might be comments for.
void silence(const CheckInput& input, const std::vector<std::string>& ran, bool ran_all, bool report_unused,
             CheckReport& report);

}  // namespace qd::report
