// Comments that silence findings: "# qd-cov: ignore" for all checks, "# qd-cov: ignore[slow-tests, change-size]" for
// some.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "report/check/check.h"

namespace qd::report {

/// Name of the check of comments that silence nothing.
inline constexpr const char* kUnusedIgnore = "unused-ignore";

struct Silencer {
  int32_t line = 0;    // line of the comment
  int32_t target = 0;  // the line that it is about: its own or, when the comment stands there alone, the next one that
                       // is more than a comment
  std::vector<std::string> checks;  // empty: all
};

/// Finds the silencing comments of a source. In a file whose name is not Python's, these are behind "//", "#" or "/*".
std::vector<Silencer> find_silencers(const std::string& path, const std::string& bytes);

/// Removes silenced findings from `report`. With `report_unused`, a comment that silences nothing, in lines that a
/// check has looked at, becomes a finding of unused-ignore. `ran`: the checks that ran. `ran_all`: whether these are
/// all the checks for which there might be comments.
void silence(const CheckInput& input, const std::vector<std::string>& ran, bool ran_all, bool report_unused,
             CheckReport& report);

}  // namespace qd::report
