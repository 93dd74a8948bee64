// Formats of `qd-cov check`: each a function from the findings to a text.
#pragma once

#include <span>
#include <string>

#include "report/check/check.h"

namespace qd::report {

struct CheckStyle {
  bool color = false;  // escape sequences; only for a terminal
};

/// Text format: "path:line: [check] message" by check, tables, notes, and a summary line.
std::string check_text(const CheckReport& report, const CheckStyle& style);
std::string check_json(const CheckReport& report, const CheckStyle& style);
std::string check_annotations(const CheckReport& report, const CheckStyle& style);
std::string check_gitlab(const CheckReport& report, const CheckStyle& style);
std::string check_sarif(const CheckReport& report, const CheckStyle& style);

struct CheckFormat {
  const char* name;
  const char* file;  // default path of the output; null: standard output
  std::string (*render)(const CheckReport& report, const CheckStyle& style);
};

std::span<const CheckFormat> check_formats();

}  // namespace qd::report
