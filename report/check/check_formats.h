// The formats of `qd-cov check`: each a function from the findings to a text.
#pragma once

#include <span>
#include <string>

#include "report/check/check.h"

namespace qd::report {

struct CheckStyle {
  bool color = false;  // escape sequences; only for a terminal
};

/// "path:line: [check] message" by check, tables, notes, and a last line that counts.
std::string check_text(const CheckReport& report, const CheckStyle& style);
std::string check_json(const CheckReport& report, const CheckStyle& style);
std::string check_annotations(const CheckReport& report, const CheckStyle& style);
std::string check_gitlab(const CheckReport& report, const CheckStyle& style);
std::string check_sarif(const CheckReport& report, const CheckStyle& style);

struct CheckFormat {
  const char* name;
  const char* file;  // where it goes when no path is given; null: standard output
  std::string (*render)(const CheckReport& report, const CheckStyle& style);
};

std::span<const CheckFormat> check_formats();

}  // namespace qd::report
